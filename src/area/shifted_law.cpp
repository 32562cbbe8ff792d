#include "bristle/area/shifted_law.hpp"

#include <utility>

namespace bristle {

ShiftedLaw::ShiftedLaw(std::unique_ptr<AreaLaw> law, const Point2& pole)
    : AreaLaw(law->length()), law_(std::move(law)), pole_(pole) {}

Planar ShiftedLaw::there(const Planar& t) const noexcept {
  return {t.x() - pole_.y() * t.z(), t.y() + pole_.x() * t.z(), t.z()};
}

Planar ShiftedLaw::back(const Planar& w) const noexcept {
  return {w.x(), w.y(), w.z() + pole_.x() * w.y() - pole_.y() * w.x()};
}

Planar ShiftedLaw::sliding(const Planar& motion) const noexcept {
  return back(law_->sliding(there(motion)));
}

double ShiftedLaw::speed(const Planar& motion) const noexcept { return law_->speed(there(motion)); }

Planar ShiftedLaw::speed_gradient(const Planar& motion) const noexcept {
  return back(law_->speed_gradient(there(motion)));
}

Eigen::Matrix3d ShiftedLaw::derivative(const Planar& motion) const noexcept {
  Eigen::Matrix3d g = Eigen::Matrix3d::Identity();
  g(0, 2) = -pole_.y();
  g(1, 2) = pole_.x();
  return g.transpose() * law_->derivative(there(motion)) * g;
}

Hold ShiftedLaw::hold(const Planar& w) const noexcept {
  Hold hold = law_->hold({w.x(), w.y(), w.z() - pole_.x() * w.y() + pole_.y() * w.x()});
  Planar& d = hold.direction;  // with L ω for the spin
  const double omega = d.z() / length();
  d = Planar(d.x() + pole_.y() * omega, d.y() - pole_.x() * omega, d.z()).normalized();
  return hold;
}

}  // namespace bristle
