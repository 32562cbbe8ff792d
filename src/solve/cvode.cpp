// SUNDIALS CVODES: BDF with the exact Jacobian; the energies are its pure quadratures, so that they
// take no part in the Newton iteration.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <cvodes/cvodes.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "bristle/solve/integrator.hpp"

namespace bristle {
namespace {

class Cvode final : public Integrator {
 public:
  Cvode(Equations& equations, const Tolerance& tolerance)
      : f_(equations),
        n_(static_cast<std::size_t>(equations.size())),
        nq_(static_cast<std::size_t>(equations.quadratures())),
        rows_(n_ * n_) {
    check(SUNContext_Create(nullptr, &context_), "context");
    // A rig of frames only still needs one component to integrate.
    const auto size = static_cast<sunindextype>(std::max<std::size_t>(n_, 1));
    y_ = N_VNew_Serial(size, context_);
    dense_ = N_VNew_Serial(size, context_);
    atol_ = N_VNew_Serial(size, context_);
    quad_ = N_VNew_Serial(static_cast<sunindextype>(nq_), context_);
    quad_dense_ = N_VNew_Serial(static_cast<sunindextype>(nq_), context_);
    N_VConst(1.0, atol_);
    const std::vector<double> scales = equations.scales();
    for (std::size_t i = 0; i < n_; ++i) {
      NV_DATA_S(atol_)[i] = scales[i] * tolerance.rtol * tolerance.atol;
    }
    N_VConst(0.0, y_);
    memory_ = CVodeCreate(CV_BDF, context_);
    check(CVodeInit(memory_, rhs, 0.0, y_), "init");
    check(CVodeSetErrHandlerFn(memory_, quiet, nullptr), "handler");
    check(CVodeSetUserData(memory_, this), "data");
    check(CVodeSVtolerances(memory_, tolerance.rtol, atol_), "tolerances");
    matrix_ = SUNDenseMatrix(size, size, context_);
    solver_ = SUNLinSol_Dense(y_, matrix_, context_);
    check(CVodeSetLinearSolver(memory_, solver_, matrix_), "linear solver");
    check(CVodeSetJacFn(memory_, jacobian), "Jacobian");
    check(CVodeSetMaxNumSteps(memory_, -1), "steps");
    N_VConst(0.0, quad_);
    check(CVodeQuadInit(memory_, quadrature, quad_), "quadratures");
    check(CVodeQuadSStolerances(memory_, tolerance.rtol, 1e-6 * tolerance.rtol), "quadratures");
    check(CVodeSetQuadErrCon(memory_, SUNTRUE), "quadratures");
  }
  ~Cvode() override {
    CVodeFree(&memory_);
    SUNLinSolFree(solver_);
    SUNMatDestroy(matrix_);
    for (N_Vector v : {y_, dense_, atol_, quad_, quad_dense_}) N_VDestroy(v);
    SUNContext_Free(&context_);
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;
  Cvode(Cvode&&) = delete;
  Cvode& operator=(Cvode&&) = delete;

  void start(double t, std::span<const double> y, std::span<const double> quadratures) override {
    add_steps();
    std::copy(y.begin(), y.end(), NV_DATA_S(y_));
    std::copy(quadratures.begin(), quadratures.end(), NV_DATA_S(quad_));
    check(CVodeReInit(memory_, t, y_), "restart");
    check(CVodeQuadReInit(memory_, quad_), "restart");
    t_ = t;
  }
  double step(double limit) override {
    if (std::isfinite(f_.longest_step())) {
      check(CVodeSetMaxStep(memory_, f_.longest_step()), "longest step");
    }
    check(CVodeSetStopTime(memory_, limit), "stop time");
    const int flag = CVode(memory_, limit, y_, &t_, CV_ONE_STEP);
    if (flag < 0) {
      throw std::runtime_error(
          fmt::format("CVODE failed at t = {:.9g} s ({}): the motion cannot be followed at "
                      "solver.rtol; look for a parameter of extreme size, or try another "
                      "solver.method",
                      t_, name_of(flag)));
    }
    return t_;
  }
  void at(double t, std::span<double> y, std::span<double> quadratures) override {
    if (!y.empty()) {
      check(CVodeGetDky(memory_, t, 0, dense_), "dense output");
      std::copy_n(NV_DATA_S(dense_), y.size(), y.begin());
    }
    if (!quadratures.empty()) {
      check(CVodeGetQuadDky(memory_, t, 0, quad_dense_), "dense output");
      std::copy_n(NV_DATA_S(quad_dense_), quadratures.size(), quadratures.begin());
    }
  }
  long steps() const noexcept override {
    long now = 0;
    CVodeGetNumSteps(memory_, &now);
    return steps_ + now;
  }

 private:
  static std::string name_of(int flag) {
    char* text = CVodeGetReturnFlagName(flag);
    std::string name = text;
    std::free(text);  // SUNDIALS gives it away
    return name;
  }
  static void check(int flag, const char* what) {
    if (flag >= 0) return;
    throw std::runtime_error(fmt::format("CVODE ({}): {}", what, name_of(flag)));
  }
  static void quiet(int, const char*, const char*, char*, void*) {}
  void add_steps() {
    long now = 0;
    CVodeGetNumSteps(memory_, &now);
    steps_ += now;
  }
  static int rhs(double t, N_Vector y, N_Vector dy, void* data) {
    auto& self = *static_cast<Cvode*>(data);
    if (self.n_ == 0) NV_DATA_S(dy)[0] = 0;
    self.f_.rhs(t, {NV_DATA_S(y), self.n_}, {NV_DATA_S(dy), self.n_});
    for (std::size_t i = 0; i < self.n_; ++i) {
      if (!std::isfinite(NV_DATA_S(dy)[i])) return 1;
    }
    return 0;
  }
  static int quadrature(double t, N_Vector y, N_Vector dq, void* data) {
    auto& self = *static_cast<Cvode*>(data);
    self.f_.quadrature(t, {NV_DATA_S(y), self.n_}, {NV_DATA_S(dq), self.nq_});
    return 0;
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix matrix, void* data, N_Vector,
                      N_Vector, N_Vector) {
    auto& self = *static_cast<Cvode*>(data);
    self.f_.jacobian(t, {NV_DATA_S(y), self.n_}, self.rows_);
    for (std::size_t j = 0; j < self.n_; ++j) {
      double* column = SM_COLUMN_D(matrix, static_cast<sunindextype>(j));
      for (std::size_t i = 0; i < self.n_; ++i) column[i] = self.rows_[i * self.n_ + j];
    }
    return 0;
  }

  Equations& f_;
  std::size_t n_, nq_;
  std::vector<double> rows_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector y_ = nullptr, dense_ = nullptr, atol_ = nullptr, quad_ = nullptr, quad_dense_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  double t_ = 0;
  long steps_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(Equations& equations, const Tolerance& tolerance) {
  return std::make_unique<Cvode>(equations, tolerance);
}

}  // namespace bristle
