#include "plot_detail.hpp"

namespace bristle::plot_detail {

const std::string_view page_style = R"css(
:root {
  --paper: #ffffff; --ink: #1f2328; --muted: #59636e; --axis: #6b7480;
  --grid: #e7e9ec; --minor: #f3f4f5; --zero: #b4bac2; --cross: #59636e;
  --card: #ffffff; --edge: #d1d5da; --select: rgba(0, 114, 178, 0.14);
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --ink: #e4e7eb; --muted: #a0a9b4; --axis: #7d8792;
    --grid: #272c34; --minor: #1d2127; --zero: #4a525d; --cross: #a0a9b4;
    --card: #1d2127; --edge: #3a414b; --select: rgba(79, 166, 224, 0.22);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif;
}
figure { max-width: 980px; margin: 0 auto; padding: 24px 20px 32px; }
header { display: flex; align-items: flex-start; gap: 12px; margin: 0 0 6px; }
h1 { flex: 1; font-size: 20px; line-height: 1.3; font-weight: 600; margin: 0; }
figcaption { margin: 14px 0 0; max-width: 72ch; white-space: pre-line; }
.hint { margin: 12px 0 0; max-width: 72ch; font-size: 13px; color: var(--muted); }
#plot { position: relative; border-radius: 4px; outline: none; }
#plot:focus-visible { outline: 2px solid var(--axis); outline-offset: 2px; }
.view svg {
  display: block; width: 100%; height: auto; overflow: visible;
  cursor: crosshair; touch-action: pan-y; user-select: none; -webkit-user-select: none;
}
.middle, .narrow { display: none; }
@media (max-width: 779px) { .wide { display: none; } .middle { display: block; } }
@media (max-width: 519px) {
  .middle { display: none; } .narrow { display: block; }
  figure { padding: 16px 10px 24px; }
}
.grid { stroke: var(--grid); } .minor { stroke: var(--minor); } .zero { stroke: var(--zero); }
.axis { stroke: var(--axis); }
.ticks, .note { fill: var(--muted); }
.label, .legend, .panel-title { fill: var(--ink); }
.line { stroke: var(--c); } .dots { fill: var(--c); }
.cross { stroke: var(--cross); stroke-width: 1; fill: none; }
.level { stroke-dasharray: 3 3; }
.here { fill: var(--c); stroke: var(--paper); stroke-width: 1.5; }
.select { fill: var(--select); }
#readout {
  position: absolute; left: 0; top: 0; pointer-events: none; z-index: 1; max-width: 92%;
  background: var(--card); border: 1px solid var(--edge); border-radius: 6px;
  box-shadow: 0 2px 10px rgba(0, 0, 0, 0.12); padding: 6px 10px; font-size: 13px; line-height: 1.4;
}
#readout[hidden] { display: none; }
#readout table { border-collapse: collapse; }
#readout td, #readout th { padding: 1px 0; font-weight: 400; text-align: left; }
#readout th { color: var(--muted); }
#readout td + td, #readout th + td {
  padding-left: 14px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums;
}
#readout .panel-start > * { border-top: 1px solid var(--grid); }
#readout .at { color: var(--muted); }
#readout i {
  display: inline-block; width: 12px; height: 3px; border-radius: 1.5px; margin: 0 7px 0 0;
  vertical-align: middle; background: var(--c);
}
#reset {
  flex: none; margin-left: auto; font: inherit; font-size: 13px; line-height: 1.4;
  color: var(--ink); background: var(--card); border: 1px solid var(--edge);
  border-radius: 6px; padding: 3px 10px;
  cursor: pointer;
}
#reset[hidden] { display: block; visibility: hidden; }
@media print { .hint, #readout, #reset { display: none; } }
)css";

const std::string_view page_script = R"js('use strict';
(() => {
const figure = JSON.parse(document.getElementById('figure-data').textContent);
const plot = document.getElementById('plot');
const readout = document.getElementById('readout');
const reset = document.getElementById('reset');

// ---- numbers and ticks: as in the drawing ---------------------------------------------------

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

// ---- state ------------------------------------------------------------------------------------

// Curves are kept in the coordinates in which their axes are linear; NaN marks a gap.
const along = log => v => v === null ? NaN : log ? Math.log10(v) : v;
const back = (u, log) => log ? 10 ** u : u;

for (const panel of figure.panels) {
  panel.homeX = panel.xRange.map(along(panel.xLog));
  panel.homeY = panel.yRange.map(along(panel.yLog));
  panel.nowX = panel.homeX;
  panel.nowY = panel.homeY;
  for (const s of panel.series) {
    s.ux = s.x.map(along(panel.xLog));
    s.uy = s.y.map(along(panel.yLog));
    const seen = s.ux.filter(u => u === u);
    s.sorted = seen.every((u, i) => i === 0 || u >= seen[i - 1]);
  }
}

const views = [...plot.querySelectorAll('.view svg')].map((svg, v) => ({
  svg,
  panels: [...svg.querySelectorAll('.panel')].map((group, p) => {
    const axes = group.querySelector('.axes');
    const curves = [...group.querySelectorAll('.curve')]
      .sort((a, b) => a.dataset.series - b.dataset.series);
    const overlay = group.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
    const home = { axes: axes.innerHTML, paths: curves.map(c => c.getAttribute('d')) };
    return { ...figure.views[v][p], axes, curves, overlay, home };
  })
}));

const visible = () => views.find(view => view.svg.getClientRects().length > 0);
const linked = p => figure.panels.map((_, q) => q)
  .filter(q => figure.panels[q].link === figure.panels[p].link);
const fraction = (u, [lo, hi]) => (u - lo) / (hi - lo);
const isZoomed = panel => panel.nowX !== panel.homeX;

// ---- drawing ----------------------------------------------------------------------------------

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

function curvePath(panel, frame, s, index) {
  const xy = ([u, v]) => [fraction(u, panel.nowX) * frame.w,
                          (1 - fraction(v, panel.nowY)) * frame.h];
  const text = ([x, y]) => x.toFixed(2) + ',' + y.toFixed(2);
  const marker = figure.markers[index % figure.markers.length];
  return pieces(s, ...panel.nowX).map(piece => {
    if (s.style === 'points') return piece.map(p => 'M' + text(xy(p)) + marker).join('');
    const line = thin(piece.map(xy), frame.w).map(text);
    return 'M' + line.join('L') + (line.length === 1 ? figure.loneSample : '');
  }).join('');
}

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

function redraw() {
  for (const panel of figure.panels) panel.nowY = isZoomed(panel) ? fitY(panel) : panel.homeY;
  // All widths first: each may ask for a wider range.
  for (const view of views) {
    view.panels.forEach((frame, p) => {
      if (isZoomed(figure.panels[p])) yTicks(figure.panels[p], frame);
    });
  }
  for (const view of views) {
    view.panels.forEach((frame, p) => {
      const panel = figure.panels[p];
      if (!isZoomed(panel)) {
        frame.axes.innerHTML = frame.home.axes;
        frame.curves.forEach((c, i) => c.setAttribute('d', frame.home.paths[i]));
        return;
      }
      frame.axes.innerHTML = axesMarkup(panel, frame, yTicks(panel, frame));
      frame.curves.forEach((c, i) =>
        c.setAttribute('d', curvePath(panel, frame, panel.series[i], i)));
    });
  }
  reset.hidden = !figure.panels.some(isZoomed);
}

function zoomTo(p, lo, hi) {
  const [home0, home1] = figure.panels[p].homeX;
  lo = Math.max(lo, home0);
  hi = Math.min(hi, home1);
  const least = Math.max(1e-6 * (home1 - home0), 1e-9 * Math.max(Math.abs(lo), Math.abs(hi)));
  if (hi - lo < least) return;
  const whole = lo <= home0 && hi >= home1;
  for (const q of linked(p)) {
    const panel = figure.panels[q];
    panel.nowX = whole ? panel.homeX : [lo, hi];
  }
  hide();
  redraw();
}

function showAll() {
  for (const panel of figure.panels) panel.nowX = panel.homeX;
  hide();
  redraw();
}

// ---- read-out ---------------------------------------------------------------------------------

let cursor = null;  // { panel, series, index } of the sample the keys move from

function hide() {
  for (const view of views) for (const frame of view.panels) frame.overlay.replaceChildren();
  readout.hidden = true;
}

// By distance in x, then in y; a curve that turns back has no order in x, so both count.
function nearest(panel, frame, s, u, v) {
  let best = -1, least = Infinity;
  const kx = frame.w / (panel.nowX[1] - panel.nowX[0]);
  const ky = frame.h / (panel.nowY[1] - panel.nowY[0]);
  for (let i = 0; i < s.ux.length; i++) {
    if (!(s.ux[i] >= panel.nowX[0] && s.ux[i] <= panel.nowX[1])) continue;
    const dx = Math.abs(s.ux[i] - u) * kx, dy = v === null ? 0 : Math.abs(s.uy[i] - v) * ky;
    const distance = s.sorted ? dx + 1e-6 * dy : Math.hypot(dx, dy);
    if (distance < least) { least = distance; best = i; }
  }
  return best;
}

function hitsAt(view, p, u, v) {
  const hits = [];
  for (const q of linked(p)) {
    const panel = figure.panels[q], frame = view.panels[q];
    panel.series.forEach((s, k) => {
      const i = nearest(panel, frame, s, u, q === p ? v : null);
      if (i < 0) return;
      hits.push({ q, k, i, x: s.x[i], y: s.y[i], label: s.label, colour: k % 7,
                  px: frame.x + frame.w * fraction(s.ux[i], panel.nowX),
                  py: frame.y + frame.h * (1 - fraction(s.uy[i], panel.nowY)) });
    });
  }
  return hits;
}

function shape(parent, name, attributes) {
  const node = document.createElementNS(parent.namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  parent.appendChild(node);
}

function markHits(view, p, hits, focus) {
  for (const q of linked(p)) {
    const frame = view.panels[q];
    frame.overlay.replaceChildren();
    shape(frame.overlay, 'path', { class: 'cross', d: `M${focus.px},${frame.y}v${frame.h}` });
    if (q === p) {
      shape(frame.overlay, 'path',
            { class: 'cross level', d: `M${frame.x},${focus.py}h${frame.w}` });
    }
    for (const hit of hits.filter(h => h.q === q)) {
      shape(frame.overlay, 'circle',
            { class: 'here c' + hit.colour, cx: hit.px, cy: hit.py, r: 4.5 });
    }
  }
}

function addRow(table, kind, name, cells, colour) {
  const row = table.insertRow(), first = document.createElement(kind);
  if (colour !== undefined) {
    first.appendChild(document.createElement('i')).className = 'c' + colour;
  }
  first.append(name);
  if (cells.length === 0) first.colSpan = 3;
  row.appendChild(first);
  for (const [text, style] of cells) {
    const cell = row.insertCell();
    cell.textContent = text;
    cell.className = style;
  }
}

// x stands once when all samples share it, else beside each y.
function fillReadout(p, hits, focus) {
  const table = document.createElement('table'), xLabel = figure.panels[p].xLabel || 'x';
  const common = hits.every(hit => hit.x === focus.x);
  const at = x => [readable(x, 8), common ? '' : 'at'];
  addRow(table, 'th', xLabel, common ? [at(focus.x)] : [['', ''], ['at', 'at']]);
  for (const q of linked(p)) {
    const found = hits.filter(hit => hit.q === q), panel = figure.panels[q];
    const several = panel.series.length > 1;
    const before = table.rows.length;
    if (several && found.length > 0) addRow(table, 'th', panel.yLabel || 'y', []);
    for (const hit of found) {
      const own = hit.label || 'series ' + (hit.k + 1);
      const name = several ? own : panel.yLabel || own;
      const y = [readable(hit.y, 6), ''];
      addRow(table, 'td', name, common ? [y] : [y, at(hit.x)], hit.colour);
    }
    if (table.rows.length > before) table.rows[before].className = 'panel-start';
  }
  readout.replaceChildren(table);
}

function placeReadout(view, focus) {
  readout.hidden = false;
  const scale = view.svg.getBoundingClientRect().width / view.svg.viewBox.baseVal.width;
  const x = focus.px * scale, y = focus.py * scale, box = plot.getBoundingClientRect();
  const { offsetWidth: w, offsetHeight: h } = readout;
  let left = x + 16;
  if (left + w > box.width) left = x - 16 - w;
  if (left < 0) left = x < box.width / 2 ? box.width - w : 0;
  const lowest = Math.min(box.height, window.innerHeight - box.top) - h - 4;
  const top = Math.max(Math.min(y + 14, lowest), -box.top + 4, -8);
  readout.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

// v may be null: then the first curve leads.
function show(view, p, u, v, pointerY) {
  const hits = hitsAt(view, p, u, v), own = hits.filter(hit => hit.q === p);
  hide();
  if (own.length === 0) return;
  const gap = hit => pointerY === undefined ? 0 : Math.abs(hit.py - pointerY);
  const focus = own.reduce((best, hit) => gap(hit) < gap(best) ? hit : best);
  cursor = { panel: p, series: focus.k, index: focus.i };
  markHits(view, p, hits, focus);
  fillReadout(p, hits, focus);
  placeReadout(view, focus);
}

// ---- pointer ----------------------------------------------------------------------------------

function locate(event) {
  const view = visible();
  if (!view) return null;
  const box = view.svg.getBoundingClientRect();
  const scale = view.svg.viewBox.baseVal.width / box.width;
  const x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
  const inside = f => y >= f.y - 4 && y <= f.y + f.h + 4 && x >= f.x - 6 && x <= f.x + f.w + 6;
  return { view, x, y, p: view.panels.findIndex(inside) };
}

function uAt(view, p, x) {
  const frame = view.panels[p], [lo, hi] = figure.panels[p].nowX;
  return lo + (hi - lo) * Math.min(Math.max((x - frame.x) / frame.w, 0), 1);
}

function vAt(view, p, y) {
  const frame = view.panels[p], [lo, hi] = figure.panels[p].nowY;
  return hi - (hi - lo) * (y - frame.y) / frame.h;
}

let drag = null;  // { p, from }

function showSelection(view, p, from, to) {
  hide();
  for (const q of linked(p)) {
    const f = view.panels[q], clamp = x => Math.min(Math.max(x, f.x), f.x + f.w);
    const a = clamp(Math.min(from, to)), b = clamp(Math.max(from, to));
    shape(f.overlay, 'rect', { class: 'select', x: a, y: f.y, width: b - a, height: f.h });
  }
}

function showAt({ view, p, x, y }) {
  if (p >= 0) show(view, p, uAt(view, p, x), vAt(view, p, y), y);
}

plot.addEventListener('pointerdown', event => {
  const spot = locate(event);
  if (!spot || spot.p < 0 || event.button !== 0) return;
  drag = { p: spot.p, from: spot.x };
});

plot.addEventListener('pointermove', event => {
  const spot = locate(event);
  if (!spot) return;
  if (drag && Math.abs(spot.x - drag.from) > 4) {
    plot.setPointerCapture(event.pointerId);
    showSelection(spot.view, drag.p, drag.from, spot.x);
  } else if (spot.p < 0) {
    hide();
  } else {
    showAt(spot);
  }
});

plot.addEventListener('pointerup', event => {
  const spot = locate(event), from = drag;
  drag = null;
  if (!spot || !from) return;
  if (Math.abs(spot.x - from.from) <= 4) {
    showAt(spot);  // a tap: fingers do not hover
    return;
  }
  const ends = [from.from, spot.x].map(x => uAt(spot.view, from.p, x)).sort((a, b) => a - b);
  hide();
  zoomTo(from.p, ...ends);
});

plot.addEventListener('pointercancel', () => { drag = null; hide(); });
plot.addEventListener('pointerleave', event => {
  if (!drag && event.pointerType !== 'touch') hide();
});
plot.addEventListener('dblclick', showAll);
reset.addEventListener('click', () => { showAll(); plot.focus(); });
window.addEventListener('resize', hide);

// ---- keys -------------------------------------------------------------------------------------

const inWindow = panel => s => s.ux.map((u, i) => i)
  .filter(i => s.ux[i] >= panel.nowX[0] && s.ux[i] <= panel.nowX[1]);

function showSample(p, k, i) {
  const s = figure.panels[p].series[k], view = visible(), panel = figure.panels[p];
  const frame = view.panels[p];
  show(view, p, s.ux[i], s.uy[i], frame.y + frame.h * (1 - fraction(s.uy[i], panel.nowY)));
  cursor = { panel: p, series: k, index: i };
}

function firstFilled(p) {
  const panel = figure.panels[p];
  return panel.series.findIndex(s => inWindow(panel)(s).length > 0);
}

function step(key, far) {
  const p = cursor ? cursor.panel : figure.panels.findIndex((_, q) => firstFilled(q) >= 0);
  if (p < 0) return;
  const k = cursor ? cursor.series : firstFilled(p);
  const list = inWindow(figure.panels[p])(figure.panels[p].series[k]);
  if (list.length === 0) return;
  const stride = Math.max(1, Math.round(list.length / 400)) * (far ? 10 : 1);
  const now = cursor ? list.findIndex(i => i >= cursor.index) : -1;
  const last = list.length - 1, from = now < 0 ? Math.round(last / 2) : now;
  const to = { Home: 0, End: last, ArrowLeft: from - stride, ArrowRight: from + stride }[key];
  showSample(p, k, list[Math.min(Math.max(to, 0), last)]);
}

// Up and down walk through all curves, panel after panel.
function changeCurve(direction) {
  const all = figure.panels.flatMap((panel, p) => panel.series.map((s, k) => ({ p, k, s })))
    .filter(c => inWindow(figure.panels[c.p])(c.s).length > 0);
  if (all.length === 0) return;
  const now = cursor ? all.findIndex(c => c.p === cursor.panel && c.k === cursor.series) : -1;
  const { p, k, s } = all[Math.min(Math.max(now + direction, 0), all.length - 1)];
  const u = now < 0 ? s.ux.find(v => v === v) : all[now].s.ux[cursor.index];
  showSample(p, k, Math.max(0, nearest(figure.panels[p], visible().panels[p], s, u, null)));
}

function zoomKey(factor) {
  const p = cursor ? cursor.panel : 0, panel = figure.panels[p];
  if (!panel) return;
  const [lo, hi] = panel.nowX, held = cursor;
  const middle = cursor ? panel.series[cursor.series].ux[cursor.index] : (lo + hi) / 2;
  zoomTo(p, middle - (middle - lo) * factor, middle + (hi - middle) * factor);
  if (held) showSample(held.panel, held.series, held.index);
}

plot.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key } = event;
  if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key)) step(key, event.shiftKey);
  else if (key === 'ArrowUp') changeCurve(-1);
  else if (key === 'ArrowDown') changeCurve(1);
  else if (key === '+' || key === '=') zoomKey(0.5);
  else if (key === '-') zoomKey(2);
  else if (key === '0') showAll();
  else if (key === 'Escape') hide();
  else return;
  event.preventDefault();
});
plot.addEventListener('blur', hide);
})();
)js";

}  // namespace bristle::plot_detail
