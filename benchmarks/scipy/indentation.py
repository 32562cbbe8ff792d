#!/usr/bin/env python3
"""Indentation and damping fits on the very records of the reference: same curves, same noise.

The reference's estimates are those of one draw of noise, NumPy's default_rng(12345): four spheres
(volumetric and Hertz, 20 and 100 N), two hundred more of a Monte Carlo, two wedges, and twice
nineteen impacts of 100 samples that run out as 1 - exp(-v_i t/6 um), read by an encoder of 1.22 nm,
with speeds by central differences. With the same draw `bristle identify` must give the same numbers, not only numbers
within their standard errors.

  benchmarks/scipy/indentation.py reference.json [--bristle build/bristle]

reference.json holds the reference's results (entries of section 8); it does not ship.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import brentq

BALL, PIN, P0, SD, N = 9.525e-3, 5e-3, 3e-6, 0.085, 300
DEEP, ENCODER, STEP = 6e-6, 1.22e-9, 1e-3  # of an impact


def cap(depth):
    return np.pi / 3 * depth**2 * (3 * BALL - depth)


def wedge(depth, tilt):
    """Volume of a tilted cylinder's wedge, Boos (3.19) to (3.21)."""
    b = depth / np.tan(tilt)
    phi = np.arccos((PIN - b) / PIN)
    return depth * PIN**3 / (3 * b) * (2 * np.sin(phi) - np.cos(phi) * (3 * phi - np.sin(2 * phi) / 2))


def record(rng, force, most, deepest=1e-4):
    end = P0 + brentq(lambda d: force(d) - most, 1e-9, deepest, xtol=1e-18)
    p = np.linspace(0, end, N)
    depth = p - P0
    f = np.where(depth > 0, force(np.maximum(depth, 1e-12)), 0.0) + rng.normal(0, SD, N)
    return p, f


def impact(rng, k_v, c, v_i):
    """Thirty samples of approach, which the fit of a does not see, then the inner ones of the impact."""
    t = STEP * np.arange(100)
    depth, v = -DEEP * np.expm1(-v_i / DEEP * t), v_i * np.exp(-v_i / DEEP * t)
    f = k_v * cap(depth) * (1 + c / v_i * v) + rng.normal(0, SD, 100)
    read = ENCODER * np.round(depth / ENCODER)
    before = v_i * STEP * np.arange(30)
    return (
        np.concatenate([before, 30 * v_i * STEP + read[1:-1]]),
        np.concatenate([0 * before, f[1:-1]]),
        np.concatenate([0 * before + v_i, (read[2:] - read[:-2]) / (2 * STEP)]),
    )


def write_log(path, names, columns):
    path.write_text(names + "\n" + "".join(",".join(f"{x:.17g}" for x in row) + "\n" for row in zip(*columns)))
    return path


def press(bristle, folder, p, f, indenter):
    log = write_log(folder / "log.csv", "p [m],F [N]", (p, f))
    return identify(
        bristle, folder,
        f"recipe: indentation\ndata: {{file: {log}, columns: {{time: {{rate: 10 Hz}}, "
        f"position: {{column: p}}, force: {{column: F}}}}}}\n{indenter}\n",
    )


def damping(bristle, folder, rng, q, v):
    """c of a = c/v_i over all impacts; each is fitted with its own point of contact known, then joined."""
    a = []
    for j in range(q["n_impacts"]):
        v_i = 1e-4 + 5e-5 * j
        log = write_log(folder / "log.csv", "p [m],F [N],v [m/s]", impact(rng, q["kV"], v["c_true"], v_i))
        fits = identify(
            bristle, folder,
            f"recipe: damping\ndata: [{{file: {log}, columns: {{time: {{rate: 1 kHz}}, position: {{column: p}}, "
            f"slip: {{column: v}}, force: {{column: F}}}}}}]\nindenter: {{sphere: {{radius: 9.525 mm}}}}\n"
            f"k_v: {q['kV']:g} N/m^3\ncontact_point: {30 * v_i * STEP:.17g} m\n",
        )
        a.append((named(fits[0], "a"), v_i))
    return sum(x / v_i for x, v_i in a) / sum(1 / v_i**2 for _, v_i in a)


def identify(bristle, folder, text):
    task = folder / "task.yaml"
    task.write_text(text)
    command = [bristle, "identify", str(task), "--json", "--out", str(folder / "out")]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["fits"]


def named(fit, name):
    return next(e["value"] for e in fit["parameters"] + fit.get("derived", []) if e["name"] == name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference")
    parser.add_argument("--bristle", default="build/bristle")
    options = parser.parse_args()
    entries = [e for e in json.loads(pathlib.Path(options.reference).read_text())["entries"] if e["section"] == 8]
    spheres = [e for e in entries if e["name"] == "Boos 3.1.1 synthetic fit"]
    wedges = [e for e in entries if e["name"] == "Boos wedge fit"]
    rng = np.random.default_rng(12345)
    worst = 0.0

    def tell(what, ours, reference, se):
        nonlocal worst
        worst = max(worst, abs(ours - reference) / se)
        print(f"{what:34} {ours:<16.9g} {reference:<16.9g} {(ours - reference) / se:+.1e} standard errors")

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for entry in spheres:
            q, v = entry["parameters"], entry["value"]
            hertz = q["truth"].startswith("Hertz")
            force = (lambda d: q["kHertz"] * d**1.5) if hertz else (lambda d: q["kV"] * cap(d))
            fits = press(options.bristle, folder, *record(rng, force, q["Fmax"]), "indenter: {sphere: {radius: 9.525 mm}}")
            for fit, key, k in ((fits[0], "vol", "k_v"), (fits[1], "hertz", "k")):
                label = f"{q['truth']} to {q['Fmax']:g} N, {key}"
                tell(label + " k", named(fit, k), v[key]["k"], v[key]["k_se"])
                tell(label + " p0", named(fit, "p0") * 1e6, v[key]["p0_um"], v[key]["p0_se_um"])
        rng.normal(0, SD, (200, N))  # the Monte Carlo
        for entry in wedges:
            q, v = entry["parameters"], entry["value"]
            tilt = np.radians(q["gamma_deg"])
            p, f = record(rng, lambda d: q["kV"] * wedge(d, tilt), q["Fmax"], PIN * np.tan(tilt))
            fit = press(options.bristle, folder, p, f,
                        f"indenter: {{cylinder: {{radius: 5 mm, tilted: true}}}}\nk_v: {q['kV']:g} N/m^3")[0]
            tell(f"wedge {q['mat']} gamma", named(fit, "gamma_deg"), v["gamma_deg"], v["gamma_se"])
            tell(f"wedge {q['mat']} p0", named(fit, "p0") * 1e6, v["p0_um"], v["p0_se"])
        for entry in (e for e in entries if e["name"] == "Boos damping fit"):
            q, v = entry["parameters"], entry["value"]
            tell(f"damping {q['mat']} c", damping(options.bristle, folder, rng, q, v), v["c_fit"], v["c_se"])
    print(f"worst: {worst:.2g} standard errors")
    return 0 if worst < 1 else 1


if __name__ == "__main__":
    sys.exit(main())
