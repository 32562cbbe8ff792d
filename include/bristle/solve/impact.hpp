#pragma once

namespace bristle {

/// From touch-down to lift-off.
struct Impact {
  double t = 0, t_out = 0;  ///< t_out is NaN for a contact that has not ended
  int pair = 0, site = 0;
  double v_in = 0, v_out = 0;  ///< approach and parting speed, m/s
  double slip_in = 0;
  double impulse = 0;  ///< ∫ f_n dt, N s
  double lost = 0;     ///< normal and friction work less what the contact still stores, J
  double restitution() const noexcept { return v_out / v_in; }
};

}  // namespace bristle
