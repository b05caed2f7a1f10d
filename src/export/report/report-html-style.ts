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
h1 code { font-size: inherit; }
pre { background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; padding: .6rem .8rem; overflow-x: auto; margin: .4rem 0; }
pre code, pre.source { overflow-wrap: normal; }
.source > * { display: block; min-width: max-content; min-height: 1.45em; }
mark { background: var(--mark); color: inherit; }
.soft { color: var(--soft); } .small { font-size: .85rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); gap: .6rem; margin: .6rem 0; }
.tile { display: flex; flex-direction: column; padding: .4rem .7rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 6px; break-inside: avoid; }
.tile .label, .tile .soft { color: var(--soft); font-size: .85rem; } .tile .value { font-size: 1.2rem; font-weight: 600; }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem; margin: .4rem 0; }
dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.severity { font-size: .75rem; font-weight: 600; text-transform: uppercase; white-space: nowrap; }
.severity.high span { color: var(--high); } .severity.warn span { color: var(--warn); } .severity.info span { color: var(--info); } .severity.ok span { color: var(--ok); }
.findings { padding: 0; list-style: none; }
.findings li { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); align-items: baseline; padding: .15rem 0; border-bottom: 1px solid var(--rule); }
.findings code { margin: 0 .4rem; }
.finding { border-left: 4px solid var(--rule); padding-left: 1rem; margin-top: 2rem; }
.finding h2 { margin-top: 0; }
.finding.high { border-color: var(--high); } .finding.warn { border-color: var(--warn); } .finding.info { border-color: var(--info); }
.code { color: var(--soft); font-size: .85rem; font-weight: 400; }
.message { overflow-wrap: anywhere; }
.summary { margin-top: .8rem; }
.sites { padding: 0; list-style: none; } .site { margin: .8rem 0; }
.note, .warning { padding-left: .6rem; border-left: 3px solid var(--warn); overflow-wrap: anywhere; }
.flag { padding: 0 .4rem; border: 1px solid var(--warn); border-radius: .6rem; font-size: .85em; }
.file { display: flex; flex-direction: column; }
summary { cursor: pointer; color: var(--soft); }
.callers { margin: .2rem 0; padding-left: 1.6rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
tbody th { color: inherit; font-weight: 400; }
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
  pre, tr, figure, .graph svg { break-inside: avoid; }
  pre { white-space: pre-wrap; }
  .source > * { min-width: 0; }
  .wide, .graph { overflow: visible; }
  .graph svg { max-height: 90vh; }
}
`;
