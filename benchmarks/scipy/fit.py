#!/usr/bin/env python3
"""Time of a fit of the augmented MDSF law, against SciPy.

  fit.py LIBRARY [--starts N] [--check]

A record of 21 s at 500 Hz with noise is fitted from 20 starts by Bristle; by scipy.optimize.
least_squares with the law as a Python loop over NumPy arrays, as one writes it; and by the same
with Bristle's compiled residual. All in one run, so that the machine is the same for all.

Bristle's time is the best of five fits of 20 starts. SciPy with the compiled residual runs all 20 starts once. SciPy
with the law in Python would take minutes: so many starts as --starts says are run, and their mean time is taken
20 times. --check exits with 1 when a goal is missed.
"""

import argparse
import ctypes
import sys
import time

import numpy as np
from scipy.optimize import least_squares

TRUTH = np.array([0.3, 1.85e5, 0.28, 68.0])
STARTS = 20
GOAL_SECONDS, GOAL_COMPILED, GOAL_PYTHON = 1.0, 5.0, 100.0  # the last two: times as fast as SciPy
LOW, HIGH = np.array([0.03, 1e3, 0.01, 0.1]), np.array([0.6, 1e7, 1.0, 1000.0])


def motion():
    """A peg goes in, rests, and comes out again, with a tremble."""
    t = np.arange(10500) / 500.0
    inwards = 0.01 * (1 - np.exp(-t))
    outwards = -0.01 * (1 - np.exp(-np.maximum(t - 11, 0)))
    v = np.where(t < 10, inwards, np.where(t < 11, 0.0, outwards)) + 2e-4 * np.sin(40 * t)
    return t, v, 6 + 3 * np.sin(2 * np.pi * t / 7)


def friction(p, t, v, fn):
    """F = k s + β ṡ + α k s [|s| < s_max], s_max = μ fn / k."""
    mu, k, alpha, beta = p
    force = np.zeros(len(t))
    s, slides = 0.0, False

    def settle(s, slides, vi, limit):
        s = min(max(s, -limit), limit)
        if s * vi > 0 and abs(s) >= limit * (1 - 1e-12):
            slides = True
        elif s * vi < 0 or (s * vi == 0 and abs(s) < limit):
            slides = False
        return s, slides

    for i in range(len(t)):
        if i > 0:
            vm, limit = 0.5 * (v[i - 1] + v[i]), mu * 0.5 * (fn[i - 1] + fn[i]) / k
            s, slides = settle(s, slides, vm, limit)
            s += vm * (t[i] - t[i - 1])
            slides = slides or abs(s) >= limit
            s = min(max(s, -limit), limit)
        s_now, slides_now = settle(s, slides, v[i], mu * fn[i] / k)
        force[i] = k * s_now if slides_now else (1 + alpha) * k * s_now + beta * v[i]
    return force


def fit(residual, starts, rng):
    """Logarithms of the parameters, as one has to for ranges of decades."""
    best, begin = None, time.perf_counter()
    for _ in range(starts):
        x = rng.uniform(np.log(LOW), np.log(HIGH))
        try:
            found = least_squares(lambda x: residual(np.exp(x)), x, bounds=(np.log(LOW) - 5, np.log(HIGH) + 5))
        except ValueError:
            continue
        if best is None or found.cost < best.cost:
            best = found
    return (time.perf_counter() - begin) / starts, 2 * best.cost, np.exp(best.x)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("library")
    options.add_argument("--starts", type=int, default=2, help="of the Python law, which is slow")
    options.add_argument("--check", action="store_true", help="exit with 1 when a goal is missed")
    given = options.parse_args()
    lib = ctypes.CDLL(given.library)
    array = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")
    lib.record.restype = ctypes.c_void_p
    lib.record.argtypes = [ctypes.c_int] + 4 * [array]
    lib.residual.argtypes = [ctypes.c_void_p, array, array]
    lib.fit.restype = ctypes.c_double
    lib.fit.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, array]

    t, v, fn = motion()
    clean = friction(TRUTH, t, v, fn)
    force = clean + 0.02 * np.random.default_rng(1).standard_normal(len(t))
    problem = lib.record(len(t), t, v, fn, force)
    out = np.empty(len(t))

    def compiled(p):
        if not lib.residual(problem, np.ascontiguousarray(p), out):
            raise ValueError("not finite")
        return out.copy()

    same = np.max(np.abs(compiled(TRUTH) + force - clean))
    print(f"laws agree to {same:.1e} N")

    p = np.empty(4)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        lowest = lib.fit(problem, STARTS, 0, p)
        times.append(time.perf_counter() - begin)
    ours = min(times)
    print(f"Bristle, {STARTS} starts: {ours:.3f} s (of five: {max(times):.3f}), sum of squares {lowest:.5f}, {p}")
    each, cost, p = fit(compiled, STARTS, np.random.default_rng(2))
    compiled_ratio = STARTS * each / ours
    print(f"SciPy with our residual: {STARTS * each:.2f} s for {STARTS} starts, {cost:.5f}, {p}")
    print(f"  Bristle is {compiled_ratio:.1f} x faster")
    each, python_cost, p = fit(lambda p: friction(p, t, v, fn) - force, given.starts, np.random.default_rng(2))
    python_ratio = STARTS * each / ours
    print(f"SciPy with the law in Python: {STARTS * each:.0f} s for {STARTS} starts "
          f"(the mean of {given.starts} times {STARTS}), {python_cost:.5f}")
    print(f"  Bristle is {python_ratio:.0f} x faster")

    missed = []
    if not ours < GOAL_SECONDS:
        missed.append(f"{ours:.3f} s for {STARTS} starts, goal {GOAL_SECONDS} s")
    if not compiled_ratio >= GOAL_COMPILED:
        missed.append(f"{compiled_ratio:.1f} x SciPy with our residual, goal {GOAL_COMPILED:.0f}")
    if not python_ratio >= GOAL_PYTHON:
        missed.append(f"{python_ratio:.0f} x SciPy with the law in Python, goal {GOAL_PYTHON:.0f}")
    # Fast and elsewhere would be no fit at all.
    if not lowest <= 1.001 * min(cost, python_cost):
        missed.append(f"sum of squares {lowest:.5f}, SciPy's {min(cost, python_cost):.5f}")
    for line in missed:
        print(f"missed: {line}")
    return 1 if given.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
