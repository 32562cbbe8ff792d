#include "plot_detail.hpp"

namespace bristle::plot_detail {

// The beginning of function start(); script_reading is its end.
const std::string_view script_figure =
    R"js(// ---- one figure -------------------------------------------------------------------------------

function start(root) {
const figure = JSON.parse(root.querySelector('script').textContent);
const plot = root.querySelector('.plot');
const readout = root.querySelector('.readout');
const reset = root.querySelector('.reset');

for (const panel of figure.panels) {
  panel.homeX = panel.xRange.map(along(panel.xLog));
  panel.homeY = panel.yRange.map(along(panel.yLog));
  panel.nowX = panel.homeX;
  panel.nowY = panel.homeY;
  panel.bands = panel.bands || [];
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
    const axes = group.querySelector('.axes'), bands = group.querySelector('.bands');
    const curves = [...group.querySelectorAll('.curve')]
      .sort((a, b) => a.dataset.series - b.dataset.series);
    const overlay = group.appendChild(document.createElementNS(svg.namespaceURI, 'g'));
    const home = { axes: axes.innerHTML, bands: bands ? bands.innerHTML : '',
                   paths: curves.map(c => c.getAttribute('d')) };
    return { ...figure.views[v][p], axes, bands, curves, overlay, home };
  })
}));

const visible = () => views.find(view => view.svg.getClientRects().length > 0);
const linked = p => figure.panels.map((_, q) => q)
  .filter(q => figure.panels[q].link === figure.panels[p].link);

// ---- drawing ----------------------------------------------------------------------------------

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

function drawView(view) {
  view.panels.forEach((frame, p) => {
    const panel = figure.panels[p];
    if (!isZoomed(panel)) {
      frame.axes.innerHTML = frame.home.axes;
      if (frame.bands) frame.bands.innerHTML = frame.home.bands;
      frame.curves.forEach((c, i) => c.setAttribute('d', frame.home.paths[i]));
      return;
    }
    frame.axes.innerHTML = axesMarkup(panel, frame, yTicks(panel, frame));
    if (frame.bands) frame.bands.innerHTML = bandMarkup(panel, frame);
    frame.curves.forEach((c, i) =>
      c.setAttribute('d', curvePath(panel, frame, panel.series[i], i)));
  });
}

function redraw() {
  for (const panel of figure.panels) panel.nowY = isZoomed(panel) ? fitY(panel) : panel.homeY;
  // All widths first: each may ask for a wider range.
  for (const view of views) {
    view.panels.forEach((frame, p) => {
      if (isZoomed(figure.panels[p])) yTicks(figure.panels[p], frame);
    });
  }
  // What is seen at once, the other widths when there is time.
  const seen = visible();
  if (seen) drawView(seen);
  setTimeout(() => views.filter(view => view !== seen).forEach(drawView));
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

)js";

const std::string_view script_reading =
    R"js(// ---- read-out ---------------------------------------------------------------------------------

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
}
)js";

}  // namespace bristle::plot_detail
