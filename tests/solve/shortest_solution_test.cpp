// W x = b of any rank, against a decomposition by Eigen.

#include "bristle/solve/shortest_solution.hpp"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "support/draw.hpp"

namespace bristle {
namespace {

Eigen::VectorXd solved(const Eigen::MatrixXd& w, const Eigen::VectorXd& b, int* rank = nullptr) {
  const int n = static_cast<int>(b.size());
  ShortestSolution solver(n + 2);
  solver.start(n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) solver.entry(i, k) = w(i, k);
  }
  solver.factor();
  Eigen::VectorXd x = b;
  solver.solve({x.data(), static_cast<std::size_t>(n)});
  if (rank != nullptr) *rank = solver.rank();
  return x;
}

TEST(ShortestSolution, OfEveryRank) {
  testing::Draw draw(3);
  for (int n = 1; n <= 7; ++n) {
    for (int rank = 1; rank <= n; ++rank) {
      Eigen::MatrixXd j(n, rank);
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < rank; ++k) j(i, k) = draw.between(-1, 1);
      }
      const Eigen::MatrixXd w = j * j.transpose();
      Eigen::VectorXd b(n);
      for (int i = 0; i < n; ++i) b[i] = draw.between(-1, 1);
      b = w * b;  // that there is a solution
      int found = 0;
      const Eigen::VectorXd x = solved(w, b, &found);
      EXPECT_EQ(found, rank);
      EXPECT_NEAR((w * x - b).norm(), 0, 1e-10) << n << ", " << rank;
      const Eigen::VectorXd shortest = w.completeOrthogonalDecomposition().solve(b);
      EXPECT_NEAR((x - shortest).norm(), 0, 1e-7 * (1 + shortest.norm())) << n << ", " << rank;
    }
  }
}

TEST(ShortestSolution, LightAndHeavyBodies) {
  const Eigen::Vector3d masses(1e-9, 1, 1e9);
  const Eigen::MatrixXd w = masses.cwiseInverse().asDiagonal();
  int rank = 0;
  const Eigen::VectorXd x = solved(w, Eigen::Vector3d::Ones(), &rank);
  EXPECT_EQ(rank, 3);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(x[i] / masses[i], 1, 1e-14);
}

TEST(ShortestSolution, WhatNothingMovesNeedsNoForce) {
  Eigen::Matrix2d w = Eigen::Matrix2d::Zero();
  w(0, 0) = 4;
  EXPECT_EQ(solved(w, Eigen::Vector2d(8, 3)), Eigen::Vector2d(2, 0));
  EXPECT_EQ(solved(Eigen::MatrixXd::Zero(1, 1), Eigen::VectorXd::Ones(1))[0], 0);
}

}  // namespace
}  // namespace bristle
