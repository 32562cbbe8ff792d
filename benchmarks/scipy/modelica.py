#!/usr/bin/env python3
"""Three sliding masses of the Modelica Standard Library: who is right, the reference file or we?

The library publishes a trajectory of Translational.Examples.Friction. Here the same equations are
solved by SciPy, twice (DOP853 and Radau, tolerance 1e-13, every change of mode and every kink of the
friction table located and restarted at), and the file and Bristle's run are held against that. Then
each is asked, without any other solution, whether it satisfies its own equations:

  s - ∫v      position against the integral of its own velocity
  v - ∫a      velocity against the integral of the acceleration that its own state demands
  a           the mean acceleration from sample to sample against the demanded one
  energy      ½v² against the work of all forces along its own motion
  restart     from each of its own samples, the exact motion half a slide later, less the sample there

  benchmarks/scipy/modelica.py FILE.csv [--bristle build/bristle]

FILE.csv is the library's reference result Translational_Friction.csv; it does not ship.
"""

import argparse
import math
import subprocess
import tempfile

import numpy as np
from scipy.integrate import solve_ivp

END = 5.0
OMEGA = 2 * math.pi * 0.25  # of the pushing force, 25 N sin(OMEGA t)
TOLERANCE = 1e-13
SAMPLE = 5e-4  # s, that of the file


def push(t, s):
    return 25 * np.sin(OMEGA * t) + 0 * s


def spring(t, s):
    return -500 * (s + 0.25) + 0 * t


class Stribeck:
    """kinetic + |v| + drop exp(-2 |v|), continued smoothly past rest so that events can be located."""

    knots = []

    def __init__(self, kinetic, drop):
        self.kinetic, self.drop = kinetic, drop

    def __call__(self, speed, piece=None):
        return self.kinetic + speed + self.drop * np.exp(-2 * speed)


class Table:
    """The same curve as straight lines between 50 points, as the library's table has it."""

    def __init__(self, kinetic, drop):
        self.knots = np.linspace(0, 12, 50)
        self.levels = kinetic + self.knots + drop * np.exp(-2 * self.knots)

    def __call__(self, speed, piece=None):
        if piece is None:
            return np.interp(speed, self.knots, self.levels)
        a, b = self.knots[piece : piece + 2]
        low, high = self.levels[piece : piece + 2]
        return low + (high - low) / (b - a) * (speed - a)


class Mass:
    def __init__(self, name, columns, ours, force, friction, v0, break_away, stop):
        self.name, self.columns, self.ours = name, columns, ours
        self.force, self.friction, self.v0, self.stop = force, friction, v0, stop
        self.limit = break_away * float(friction(0.0))

    def acceleration(self, t, s, v, direction, piece=None):
        return self.force(t, s) - direction * self.friction(direction * v, piece)


MASSES = [
    Mass("first", ("stop1.s", "stop1.v"), ("x1", "v1"), push, Stribeck(5, 10), 0.0, 1.001, 24.5),
    Mass("second", ("stop2.s", "stop2.v"), ("x2", "v2"), spring, Stribeck(3, 5), -5.0, 1.001, 0.4),
    Mass("third", ("mass.s", "mass.v"), ("x3", "v3"), push, Table(5, 10), 0.0, 1.0, 24.5),
]


class Exact:
    """A solution in pieces between events."""

    def __init__(self, mass, method):
        self.mass, self.method, self.pieces = mass, method, []
        self.phases = []  # (from, to, direction) of each slide, for the other checks
        t, s, v = 0.0, 0.0, mass.v0
        while t < END:
            direction = np.sign(v) or self.start(t, s)
            if not direction:
                later = self.breaks_away(t)
                self.pieces.append((t, later, lambda times, s=s: np.array([s + 0 * times, 0 * times])))
                t = later
                if t >= END:
                    break
                direction = np.sign(mass.force(t, s))
            begin = t
            t, s, v = self.slide(t, s, v, direction)
            self.phases.append((begin, t, direction))

    def start(self, t, s):
        pull = self.mass.force(t, s)
        return float(np.sign(pull)) if abs(pull) > self.mass.limit else 0.0

    def breaks_away(self, t):
        """The springs' mass does not, once it rests; the sine's does where the sine passes the limit."""
        if self.mass.force is spring:
            return END
        return math.asin(self.mass.limit / 25) / OMEGA

    def slide(self, t, s, v, direction):
        mass, knots = self.mass, self.mass.friction.knots
        piece = None
        if len(knots):
            piece = int(np.searchsorted(knots, direction * v, side="right")) - 1
        while True:
            def rates(time, y):
                return [y[1], mass.acceleration(time, y[0], y[1], direction, piece)]

            def event(function, sense):
                function.terminal, function.direction = True, sense
                return function

            rest = event(lambda time, y: direction * y[1], -1.0)
            wall = event(lambda time, y: mass.stop - direction * y[0], -1.0)
            events = [rest, wall]
            if piece is not None:
                if piece > 0:
                    events.append(event(lambda time, y: direction * y[1] - knots[piece], -1.0))
                events.append(event(lambda time, y: direction * y[1] - knots[piece + 1], 1.0))
            run = solve_ivp(rates, (t, END), [s, v], method=self.method, rtol=TOLERANCE,
                            atol=TOLERANCE * 1e-2, events=events, dense_output=True, max_step=0.02)
            self.pieces.append((t, run.t[-1], run.sol))
            t, (s, v) = run.t[-1], run.y[:, -1]
            if run.status == 0:
                return END, s, v
            if len(run.t_events[0]) or len(run.t_events[1]):
                return t, s, 0.0
            piece += 1 if len(run.t_events[-1]) else -1

    def at(self, times):
        out = np.empty((2, len(times)))
        for begin, end, solution in self.pieces:
            chosen = (times >= begin) & (times <= end)
            if chosen.any():
                out[:, chosen] = solution(times[chosen])
        return out

    def near_event(self, times):
        ends = np.array([end for _, end, _ in self.phases])
        return np.abs(times[:, None] - ends[None, :]).min(axis=1) < 1e-5


def integral(t, y, rate):
    """∫ y from the first sample on, by Hermite's cubic through values and slopes."""
    h = np.diff(t)
    parts = h * (y[:-1] + y[1:]) / 2 + h**2 * (rate[:-1] - rate[1:]) / 12
    return np.concatenate([[0], np.cumsum(parts)])


def slope_of_acceleration(mass, direction, t, s, v, a, h=1e-5):
    """da/dt along the motion that the equations demand."""
    def after(h):
        return mass.acceleration(t + h, s + h * v, v + h * a, direction)

    return (after(h) - after(-h)) / (2 * h)


def own_faults(mass, phases, t, s, v):
    """Largest faults of a sampled motion by its own equations, over all slides."""
    worst = dict.fromkeys(["s - ∫v", "v - ∫a", "a", "energy", "restart"], 0.0)
    for begin, end, direction in phases:
        # Two samples from the ends: the file has its events at slightly other times.
        inside = (t > begin + 2 * SAMPLE) & (t < end - 2 * SAMPLE) & (direction * v > 1e-9)
        if inside.sum() < 10:
            continue
        T, S, V = t[inside], s[inside], v[inside]
        keep = np.concatenate([[True], np.diff(T) > 1e-9])
        T, S, V = T[keep], S[keep], V[keep]
        A = mass.acceleration(T, S, V, direction)
        slope = slope_of_acceleration(mass, direction, T, S, V, A)
        demanded = (A[:-1] + A[1:]) / 2 + np.diff(T) * (slope[:-1] - slope[1:]) / 12
        faults = {
            "s - ∫v": S - S[0] - integral(T, V, A),
            "v - ∫a": V - V[0] - integral(T, A, slope),
            "a": (np.diff(V) / np.diff(T) - demanded)[np.diff(T) > SAMPLE / 2],
            "energy": (V**2 - V[0] ** 2) / 2 - integral(T, A * V, A * A + slope * V),
            "restart": restarted(mass, direction, T, S, V),
        }
        for name, values in faults.items():
            if len(values):
                worst[name] = max(worst[name], float(np.max(np.abs(values))))
    return worst


def restarted(mass, direction, t, s, v):
    """The exact motion half a slide later, from each sample as it stands, less the sample there."""
    half = len(t) // 2
    time, x, y = t[:-half].copy(), s[:-half].copy(), v[:-half].copy()
    h = (t[half:] - time) / half

    def slope(time, x, y):
        return y, mass.acceleration(time, x, y, direction)

    for _ in range(half):
        a1, b1 = slope(time, x, y)
        a2, b2 = slope(time + h / 2, x + h / 2 * a1, y + h / 2 * b1)
        a3, b3 = slope(time + h / 2, x + h / 2 * a2, y + h / 2 * b2)
        a4, b4 = slope(time + h, x + h * a3, y + h * b3)
        x, y = x + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4), y + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        time = time + h
    return x - s[half:]


def run_bristle(program, folder):
    command = [program, "run", "modelica-friction", "--set", f"output.interval={SAMPLE}",
               "--set", "solver.rtol=1e-10", "--out", folder]
    subprocess.run(command, check=True, capture_output=True)
    return np.genfromtxt(f"{folder}/trajectory.csv", delimiter=",", names=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("file", help="Translational_Friction.csv of the library's reference results")
    parser.add_argument("--bristle", default="build/bristle")
    options = parser.parse_args()
    file = np.genfromtxt(options.file, delimiter=",", names=True, deletechars="")
    with tempfile.TemporaryDirectory() as folder:
        ours = run_bristle(options.bristle, folder)

    print("| mass | quantity | SciPy's two | Bristle − SciPy | file − SciPy | Bristle − file |")
    print("|---|---|---|---|---|---|")
    rows = []
    for mass in MASSES:
        exact, other = Exact(mass, "DOP853"), Exact(mass, "Radau")
        t, T = file["time"], ours["t"]
        solution = exact.at(T)
        twice = np.abs(solution - other.at(T)).max(axis=1)
        for i, unit in enumerate(["m", "m/s"]):
            mine = np.abs(ours[mass.ours[i]] - solution[i]).max()
            theirs = np.abs(file[mass.columns[i]] - exact.at(t)[i])
            theirs[exact.near_event(t)] = 0  # on which side of a jump a sample is, the file may choose
            between = np.abs(ours[mass.ours[i]] - np.interp(T, t, file[mass.columns[i]])).max()
            print(f"| {mass.name} | {'position' if i == 0 else 'velocity'} ({unit}) | {twice[i]:.1e} "
                  f"| {mine:.1e} | {theirs.max():.2e} at {t[theirs.argmax()]:.3f} s | {between:.2e} |")
        rows.append((mass.name, "file", own_faults(
            mass, exact.phases, t, file[mass.columns[0]], file[mass.columns[1]])))
        rows.append((mass.name, "Bristle", own_faults(
            mass, exact.phases, T, ours[mass.ours[0]], ours[mass.ours[1]])))
        rows.append((mass.name, "SciPy", own_faults(mass, exact.phases, T, *solution)))
    print("\n| mass | whose | s − ∫v (m) | v − ∫a (m/s) | a (m/s²) | energy (J) | restart (m) |")
    print("|---|---|---|---|---|---|---|")
    for name, whose, faults in rows:
        print(f"| {name} | {whose} | " + " | ".join(f"{value:.1e}" for value in faults.values()) + " |")


if __name__ == "__main__":
    main()
