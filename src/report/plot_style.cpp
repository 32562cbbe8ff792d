#include "plot_detail.hpp"

namespace bristle::plot_detail {

const std::string_view figure_style = R"css(
:root {
  --paper: #ffffff; --ink: #1f2328; --muted: #59636e; --axis: #6b7480;
  --grid: #e7e9ec; --minor: #f3f4f5; --zero: #b4bac2; --cross: #59636e;
  --card: #ffffff; --edge: #d1d5da; --select: rgba(0, 114, 178, 0.14);
  --shade: 0.15;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --ink: #e4e7eb; --muted: #a0a9b4; --axis: #7d8792;
    --grid: #272c34; --minor: #1d2127; --zero: #4a525d; --cross: #a0a9b4;
    --card: #1d2127; --edge: #3a414b; --select: rgba(79, 166, 224, 0.22);
    --shade: 0.22;
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
.plot { position: relative; border-radius: 4px; outline: none; }
.plot:focus-visible { outline: 2px solid var(--axis); outline-offset: 2px; }
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
.band { fill: var(--b); fill-opacity: calc(var(--l, 1.5) * var(--shade)); }
.l1 { --l: 0.33; } .l2 { --l: 0.67; } .l3 { --l: 1; }
.line { stroke: var(--c); } .dots { fill: var(--c); }
.cross { stroke: var(--cross); stroke-width: 1; fill: none; }
.level { stroke-dasharray: 3 3; }
.here { fill: var(--c); stroke: var(--paper); stroke-width: 1.5; }
.select { fill: var(--select); }
.readout {
  position: absolute; left: 0; top: 0; pointer-events: none; z-index: 1; max-width: 92%;
  background: var(--card); border: 1px solid var(--edge); border-radius: 6px;
  box-shadow: 0 2px 10px rgba(0, 0, 0, 0.12); padding: 6px 10px; font-size: 13px; line-height: 1.4;
}
.readout[hidden] { display: none; }
.readout table { border-collapse: collapse; }
.readout td, .readout th { padding: 1px 0; font-weight: 400; text-align: left; }
.readout th { color: var(--muted); }
.readout td + td, .readout th + td {
  padding-left: 14px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums;
}
.readout .panel-start > * { border-top: 1px solid var(--grid); }
.readout .at { color: var(--muted); }
.readout i {
  display: inline-block; width: 12px; height: 3px; border-radius: 1.5px; margin: 0 7px 0 0;
  vertical-align: middle; background: var(--c);
}
.reset {
  flex: none; margin-left: auto; font: inherit; font-size: 13px; line-height: 1.4;
  color: var(--ink); background: var(--card); border: 1px solid var(--edge);
  border-radius: 6px; padding: 3px 10px;
  cursor: pointer;
}
.reset[hidden] { display: block; visibility: hidden; }
@media print { .hint, .readout, .reset { display: none; } }
)css";

}  // namespace bristle::plot_detail
