#include "plot_detail.hpp"

namespace bristle::plot_detail {

const std::string_view script_geometry =
    R"js(// ---- numbers and ticks: as in the drawing ---------------------------------------------------

const minus = text => text.replace(/-/g, '\u2212');
const raised = n => String(n).replace(/[-0-9]/g, c => c === '-' ? '\u207b' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]);
const fixed = (v, decimals) => minus((Number(v.toFixed(decimals)) || 0).toFixed(decimals));

function readable(v, digits) {
  const size = Math.abs(v);
  if (size === 0) return '0';
  if (size >= 1e-3 && size < 1e6) return minus(String(Number(v.toPrecision(digits))));
  const [mantissa, power] = v.toExponential(digits - 1).split('e');
  return minus(String(Number(mantissa))) + '×10' + raised(Number(power));
}

function linearTicks(lo, hi, target) {
  const raw = (hi - lo) / Math.max(target, 1);
  let power = Math.floor(Math.log10(raw));
  const ratio = raw / 10 ** power;
  const digit = ratio < 1.42 ? 1 : ratio < 3.17 ? 2 : ratio < 7.08 ? 5 : 10;
  const step = digit * 10 ** power;
  if (digit === 10) power += 1;
  const first = Math.ceil(lo / step - 1e-6), last = Math.floor(hi / step + 1e-6);
  const size = Math.max(Math.abs(first), Math.abs(last)) * step;
  const decade = size > 0 ? Math.floor(Math.log10(size) + 1e-9) : 0;
  const scale = decade >= -3 && decade < 5 ? 0 : 3 * Math.floor(decade / 3);
  const decimals = Math.min(Math.max(0, scale - power), 20);
  const ticks = [];
  for (let i = first; i <= last; i++) {
    ticks.push({ value: i * step, label: fixed(i * step / 10 ** scale, i === 0 ? 0 : decimals) });
  }
  return { ticks, minor: [], multiplier: scale === 0 ? '' : '×10' + raised(scale) };
}

function logTicks(lo, hi, target) {
  const span = Math.log10(hi / lo);
  const stride = Math.max(1, Math.ceil(span / Math.max(target, 1)));
  const within = stride === 1 && span * 3 <= target + 1;
  const plain = lo >= 0.9e-3 && hi <= 2e4;
  const ticks = [], minor = [];
  for (let d = Math.floor(Math.log10(lo)); d <= Math.floor(Math.log10(hi) + 1e-9); d++) {
    for (let digit = 1; digit <= 9; digit++) {
      const value = digit * 10 ** d;
      if (value < lo * (1 - 1e-9) || value > hi * (1 + 1e-9)) continue;
      if ((digit === 1 && d % stride === 0) || (within && (digit === 2 || digit === 5))) {
        const power = '10' + raised(d);
        const label = plain ? fixed(value, Math.max(0, -d)) : within ? digit + '×' + power : power;
        ticks.push({ value, label });
      } else if (stride === 1 || digit === 1) {
        minor.push(value);
      }
    }
  }
  return { ticks, minor, multiplier: '' };
}

const ticksFor = ([lo, hi], log, target) =>
  log && Math.log10(hi / lo) > 0.67 ? logTicks(lo, hi, target) : linearTicks(lo, hi, target);

// ---- curves -----------------------------------------------------------------------------------

// Curves are kept in the coordinates in which their axes are linear; NaN marks a gap.
const along = log => v => v === null ? NaN : log ? Math.log10(v) : v;
const back = (u, log) => log ? 10 ** u : u;
const fraction = (u, [lo, hi]) => (u - lo) / (hi - lo);
const isZoomed = panel => panel.nowX !== panel.homeX;

// The parts of a curve between two bounds, cut exactly at them.
function runs({ ux, uy }, lo, hi) {
  const result = [];
  let run = null;
  const start = (u, v) => { run = [[u, v]]; result.push(run); };
  for (let i = 0; i < ux.length; i++) {
    const a = i > 0 ? ux[i - 1] : NaN, b = ux[i];
    const cut = u => uy[i - 1] + (uy[i] - uy[i - 1]) * (u - a) / (b - a);
    const misses = (a < lo && b < lo) || (a > hi && b > hi);
    if (b !== b || misses) { run = null; continue; }
    if (a !== a) {
      run = null;
      if (b >= lo && b <= hi) start(b, uy[i]);
      continue;
    }
    if (a < lo || a > hi) start(a < lo ? lo : hi, cut(a < lo ? lo : hi));
    if (b < lo || b > hi) {
      run.push([b < lo ? lo : hi, cut(b < lo ? lo : hi)]);
      run = null;
    } else {
      run.push([b, uy[i]]);
    }
  }
  return result;
}

function samplesWithin({ ux, uy }, lo, hi) {
  const result = [];
  ux.forEach((u, i) => { if (u >= lo && u <= hi) result.push([u, uy[i]]); });
  return result;
}

const pieces = (s, lo, hi) => s.style === 'points' ? [samplesWithin(s, lo, hi)] : runs(s, lo, hi);

// The lowest and the highest point of each visit to a pixel column.
function thin(points, width) {
  if (points.length <= 2 * width) return points;
  const kept = [points[0]];
  for (let i = 0; i < points.length;) {
    const column = Math.floor(points[i][0]);
    let lowest = i, highest = i, end = i;
    for (; end < points.length && Math.floor(points[end][0]) === column; end++) {
      if (points[end][1] < points[lowest][1]) lowest = end;
      if (points[end][1] > points[highest][1]) highest = end;
    }
    const first = Math.min(lowest, highest), second = Math.max(lowest, highest);
    const chosen = [i, first, second, end - 1].filter((k, n, all) => n === 0 || k !== all[n - 1]);
    kept.push(...chosen.map(k => points[k]));
    i = end;
  }
  return kept;
}

// ---- axes -------------------------------------------------------------------------------------

function fitY(panel) {
  let lo = Infinity, hi = -Infinity;
  for (const s of panel.series) {
    for (const piece of pieces(s, ...panel.nowX)) {
      for (const [, v] of piece) { lo = Math.min(lo, v); hi = Math.max(hi, v); }
    }
  }
  if (lo > hi) return panel.homeY;
  const size = Math.max(Math.abs(lo), Math.abs(hi), 1e-290);
  const least = Math.max(1e-9 * size, 1e-6 * (panel.homeY[1] - panel.homeY[0]));
  const half = Math.max((hi - lo) * 0.55, least), middle = (lo + hi) / 2;
  return [middle - half, middle + half];
}

// Labels must stay within the margin the figure was laid out with.
function yTicks(panel, frame) {
  for (;;) {
    const range = panel.nowY.map(u => back(u, panel.yLog));
    const found = ticksFor(range, panel.yLog, frame.h / 42);
    const widest = Math.max(0, ...found.ticks.map(t => t.label.length));
    const [lo, hi] = panel.nowY;
    if (widest * 6.8 <= frame.room || hi - lo >= panel.homeY[1] - panel.homeY[0]) return found;
    panel.nowY = [lo - 0.25 * (hi - lo), hi + 0.25 * (hi - lo)];
  }
}

function xTicks(panel, frame) {
  const range = panel.nowX.map(u => back(u, panel.xLog));
  for (let target = frame.w / 85; ; target *= 0.75) {
    const found = ticksFor(range, panel.xLog, target);
    const widest = Math.max(0, ...found.ticks.map(t => t.label.length));
    if (target < 1.5 || (widest * 7 + 14) * found.ticks.length <= frame.w + 40) return found;
  }
}

function axesMarkup(panel, frame, ys) {
  const xs = xTicks(panel, frame), n = v => v.toFixed(2);
  const X = v => frame.x + frame.w * fraction(along(panel.xLog)(v), panel.nowX);
  const Y = v => frame.y + frame.h * (1 - fraction(along(panel.yLog)(v), panel.nowY));
  const up = v => `M${n(X(v))},${n(frame.y)}v${n(frame.h)}`;
  const across = v => `M${n(frame.x)},${n(Y(v))}h${n(frame.w)}`;
  const rule = (name, d) => d ? `<path class="${name}" d="${d}" fill="none"/>` : '';
  const text = (x, y, t) => `<text x="${n(x)}" y="${n(y)}">${t}</text>`;
  const spans = (range, log) => !log && range[0] < 0 && range[1] > 0;
  const bottom = frame.y + frame.h, values = list => list.map(t => t.value);
  let out = rule('minor', xs.minor.map(up).join('') + ys.minor.map(across).join(''));
  out += rule('grid', values(xs.ticks).map(up).join('') + values(ys.ticks).map(across).join(''));
  out += rule('zero', (spans(panel.nowX, panel.xLog) ? up(0) : '') +
                      (spans(panel.nowY, panel.yLog) ? across(0) : ''));
  out += rule('axis', `M${n(frame.x)},${n(frame.y)}v${n(frame.h)}h${n(frame.w)}` +
    xs.ticks.map(t => `M${n(X(t.value))},${n(bottom)}v5`).join('') +
    ys.ticks.map(t => `M${n(frame.x - 5)},${n(Y(t.value))}h5`).join(''));
  if (frame.labels) {
    out += '<g class="ticks" text-anchor="middle" font-size="12">' +
      xs.ticks.map(t => text(X(t.value), bottom + 19, t.label)).join('') + '</g>';
  }
  out += '<g class="ticks" text-anchor="end" font-size="12">' +
    ys.ticks.map(t => text(frame.x - 8, Y(t.value) + 4.2, t.label)).join('');
  if (ys.multiplier) out += text(frame.x - 8, frame.y - 10, ys.multiplier);
  if (frame.labels && xs.multiplier) out += text(frame.x + frame.w, bottom + 36, xs.multiplier);
  return out + '</g>';
}

// ---- bands: as in the drawing ---------------------------------------------------------------

// Stripes [from, to, fill] in pixels. Those at least a pixel apart stay as they are, the others
// become pixel columns that are filled in part.
function shade(stripes) {
  const out = [];
  stripes.forEach(([from, to, fill], i) => {
    const apart = fill === 1 && to - from >= 1 && (i === 0 || from - stripes[i - 1][1] >= 1) &&
      (i + 1 === stripes.length || stripes[i + 1][0] - to >= 1);
    if (apart) { out.push([from, to, 1]); return; }
    for (let column = Math.floor(from); column < to; column++) {
      const covered = fill * (Math.min(to, column + 1) - Math.max(from, column));
      const last = out[out.length - 1];
      if (last && last[0] === column) last[2] = Math.min(1, last[2] + covered);
      else out.push([column, column + 1, covered]);
    }
  });
  return out;
}

// A band far from others is at least a pixel wide.
function widenLone(stripes, width) {
  return stripes.map(([from, to, fill], i) => {
    const lone = (i === 0 || from - stripes[i - 1][1] >= 4) &&
      (i + 1 === stripes.length || stripes[i + 1][0] - to >= 4);
    if (!lone || fill !== 1 || to - from >= 1) return [from, to, fill];
    const start = Math.min(Math.max((from + to - 1) / 2, 0), width - 1);
    return [start, start + 1 + 1e-6, fill];
  });
}

// Neither a short phase nor a short gap is rounded away.
const levelOf = fill => fill >= 1 - 1e-9 ? 3 : Math.min(Math.max(Math.round(3 * fill), 1), 2);

function bandMarkup(panel, frame) {
  const at = f => frame.w * fraction(panel.homeX[0] + f * (panel.homeX[1] - panel.homeX[0]),
                                     panel.nowX);
  const kept = x => Math.min(Math.max(x, 0), frame.w);
  return panel.bands.map(({ kind, from, to, fill }) => {
    const stripes = from.map((f, i) => [at(f), Math.max(at(to[i]), at(f) + 1e-3), fill ? fill[i] : 1])
      .filter(([a, b]) => b > 0 && a < frame.w).map(([a, b, share]) => [kept(a), kept(b), share]);
    const paths = ['', '', '', ''];
    for (const [a, b, share] of shade(widenLone(stripes, frame.w))) {
      const w = (b - a).toFixed(2);
      paths[levelOf(share)] += `M${a.toFixed(2)},0h${w}v${frame.h}h-${w}z`;
    }
    return paths.map((d, l) => d ? `<path class="band b${kind} l${l}" d="${d}"/>` : '').join('');
  }).join('');
}

)js";

}  // namespace bristle::plot_detail
