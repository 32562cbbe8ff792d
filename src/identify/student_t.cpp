#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/students_t.hpp>

#include "bristle/identify/linear.hpp"

namespace bristle {

double student_t(double probability, double freedom) {
  const bool possible = probability >= 0.0 && probability < 1.0 && freedom > 0.0;
  if (!possible) {
    throw std::invalid_argument("Student's t of a probability outside 0 to 1, or without freedom");
  }
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t(freedom), 0.5 * (1.0 - probability)));
}

}  // namespace bristle
