/** Style of the HTML report: light and dark by the reader's preference, light on paper. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --text: #1f2328; --soft: #59636e; --rule: #d1d9e0; --panel: #f6f8fa; --link: #0a58ca;
  --high: #b42318; --warn: #8a5a00; --info: #0b5cad; --ok: #1a7f37; --mark: #fff3c4; --bar: #4a90c8;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0d1117; --text: #e6edf3; --soft: #9aa5b1; --rule: #30363d; --panel: #161b22; --link: #79b8ff;
    --high: #ff8f84; --warn: #e3b341; --info: #79b8ff; --ok: #56d364; --mark: #473a0b; --bar: #3f7fb5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0; }
a { color: var(--link); }
code, pre { font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
h1 code, h2 code, h3 code { font-size: inherit; }
pre { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; margin: .4rem 0; }
pre code, pre.source { overflow-wrap: normal; }
.source > * { display: block; min-width: max-content; min-height: 1.45em; }
mark { background: var(--mark); color: inherit; }
.dim { color: var(--soft); }
.facts { margin: .3rem 0; padding-left: 1.2rem; }
.badge { display: inline-block; min-width: 3.2rem; padding: 0 .45rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .75rem; font-weight: 600; text-align: center; text-transform: uppercase; vertical-align: middle; }
.badge.high { color: var(--high); } .badge.warn { color: var(--warn); } .badge.info { color: var(--info); } .badge.ok { color: var(--ok); }
article { border-left: 4px solid var(--rule); padding-left: 1rem; margin-top: 2rem; }
article h2 { margin-top: 0; }
article.high { border-color: var(--high); } article.warn { border-color: var(--warn); } article.info { border-color: var(--info); }
.advice { margin-top: .6rem; } .advice::before { content: "→ "; font-weight: 600; }
summary { cursor: pointer; color: var(--soft); }
.callers { margin: .2rem 0; padding-left: 1.6rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
th:first-child { min-width: 9rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td code { overflow-wrap: anywhere; }
.bar { vertical-align: middle; } .bar .room { fill: var(--panel); } .bar .part { fill: var(--bar); }
figure.picture { margin: .6rem 0; overflow-x: auto; } figure.picture svg { max-width: 100%; height: auto; border: 1px solid var(--rule); border-radius: 6px; }
.graph { overflow-x: auto; } .graph svg { max-width: 100%; height: auto; }
li.damage { color: var(--high); } li.damage::before { content: "damage: "; font-weight: 600; }
footer { margin: 2.5rem 0 1rem; color: var(--soft); font-size: .85rem; }
@media print {
  main { max-width: none; padding: 0; }
  pre, .site, tr, .graph svg { break-inside: avoid; }
  pre { white-space: pre-wrap; }
  .source > * { min-width: 0; }
  .wide, .graph { overflow: visible; }
  .graph svg { max-height: 90vh; }
}
`;
