#include "page_detail.hpp"

namespace bristle::plot_detail {

const std::string_view page_style = R"css(
:root { --good: #1a7f37; --warn: #9a5b00; --band: #f6f7f8; --link: #0b62a8; }
@media screen and (prefers-color-scheme: dark) {
  :root { --good: #4cc38a; --warn: #f2b52e; --band: #1a1e24; --link: #6cb8ee; }
}
.report main { max-width: 1040px; margin: 0 auto; padding: 32px 24px 48px; overflow-wrap: anywhere; }
.report h1, .subtitle { text-wrap: balance; }
.report h1 { font-size: 26px; line-height: 1.25; letter-spacing: -0.01em; }
.subtitle { margin: 4px 0 0; color: var(--muted); font-size: 16px; white-space: pre-line; }
.report a { color: var(--link); text-underline-offset: 2px; }
.report h2 {
  font-size: 19px; line-height: 1.3; font-weight: 600; margin: 40px 0 12px; padding: 0 0 6px;
  border-bottom: 1px solid var(--edge); scroll-margin-top: 12px;
}
.report h3 { flex: 1; font-size: 16px; line-height: 1.35; font-weight: 600; margin: 0; }
.report section > p { margin: 0 0 12px; max-width: 78ch; white-space: pre-line; }
.report figure { position: relative; max-width: none; margin: 28px 0; padding: 0; }
.report .bare { position: absolute; right: 0; top: -24px; margin: 0; z-index: 1; }
.report .hint { max-width: 90ch; }
.picture svg { display: block; width: 100%; max-width: 640px; height: auto; margin: 10px 0; }
.picture figcaption { max-width: 78ch; color: var(--muted); font-size: 14px; line-height: 1.45; }
.headlines {
  list-style: none; margin: 24px 0 0; padding: 0; display: grid; gap: 12px;
  grid-template-columns: repeat(auto-fit, minmax(min(168px, 100%), 1fr));
}
.headlines li {
  border: 1px solid var(--edge); border-left: 4px solid var(--edge); border-radius: 6px;
  background: var(--card); padding: 10px 14px 11px; min-width: 0;
}
.headlines .good { border-left-color: var(--good); }
.headlines .warn { border-left-color: var(--warn); }
.headlines span { display: block; }
.headlines .name { font-size: 13px; color: var(--muted); }
.headlines .value {
  font-size: 22px; line-height: 1.35; font-weight: 600; font-variant-numeric: tabular-nums;
}
.headlines .value span { display: inline; font-size: 15px; font-weight: 400; color: var(--muted); }
.headlines .note { font-size: 13px; line-height: 1.4; color: var(--muted); }
.headlines .mark { float: right; font-size: 15px; font-weight: 700; line-height: 1.4; }
.good .mark { color: var(--good); }
.warn .mark { color: var(--warn); }
.contents { margin: 24px 0 0; padding: 12px 18px; background: var(--band); border-radius: 6px; }
.contents ol { margin: 0; padding: 0 0 0 22px; columns: 2 260px; column-gap: 32px; }
.contents li { padding: 2px 0; break-inside: avoid; }
.box { overflow-x: auto; margin: 0 0 20px; overflow-wrap: normal; }
.box:focus-visible { outline: 2px solid var(--axis); outline-offset: 2px; }
.report .box table { border-collapse: collapse; font-size: 14px; line-height: 1.45; }
.box caption { text-align: left; font-weight: 600; padding: 0 0 6px; font-size: 15px; }
.box th, .box td {
  text-align: left; vertical-align: baseline; padding: 5px 22px 5px 8px; white-space: nowrap;
}
.box .w { white-space: normal; min-width: 26ch; max-width: 60ch; }
.box th { font-weight: 600; border-bottom: 1px solid var(--axis); }
.box td { border-bottom: 1px solid var(--grid); }
.box tbody tr:nth-child(even) { background: var(--band); }
.box .n { text-align: right; padding: 5px 8px 5px 22px; }
.box td.n { font-variant-numeric: tabular-nums; }
.report footer {
  margin: 44px 0 0; padding: 12px 0 0; border-top: 1px solid var(--edge);
  font-size: 13px; color: var(--muted); white-space: pre-line;
}
@media (max-width: 519px) {
  .report main { padding: 20px 14px 32px; }
  .report h1 { font-size: 22px; }
  .headlines { gap: 8px; grid-template-columns: repeat(auto-fit, minmax(min(140px, 100%), 1fr)); }
  .headlines li { padding: 8px 10px; }
  .headlines .value { font-size: 19px; }
}
@media print {
  .report main { max-width: none; padding: 0; }
  .report h2, .report h3 { break-after: avoid; }
  .headlines li, .report figure, .box tr { break-inside: avoid; }
  .box { overflow: visible; }
  .contents { display: none; }
}
)css";

}  // namespace bristle::plot_detail
