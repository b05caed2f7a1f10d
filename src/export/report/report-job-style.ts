import { roleColour } from '../../drawing/palette.ts';

/** What charts are drawn with, by the classes of their parts. */
const CHART_STYLE = `.chart { display: block; max-width: 100%; height: auto; margin: .4rem 0; font: 12px system-ui, "DejaVu Sans", sans-serif; }
.chart text { fill: var(--text); } .chart .soft { fill: var(--soft); } .chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; }
.chart .rule { stroke: var(--rule); fill: none; }
.series0 { fill: var(--series0); } .series1 { fill: var(--series1); } .series2 { fill: var(--series2); } .series3 { fill: var(--series3); }
.cell1 { fill: rgba(var(--cell), .25); } .cell2 { fill: rgba(var(--cell), .4); } .cell3 { fill: rgba(var(--cell), .55); }
.cell4 { fill: rgba(var(--cell), .7); } .cell5 { fill: rgba(var(--cell), .85); } .cell6 { fill: rgb(var(--cell)); }
`;

/** Style of the job's charts in the HTML report; light, dark and paper as the rest of it. */
export const JOB_STYLE = `
${colours(false)}
@media screen and (prefers-color-scheme: dark) {
  ${colours(true)}
}
figure { min-width: 0; margin: .8rem 0; break-inside: avoid; }
figcaption { font-weight: 600; } figcaption .soft, figcaption.soft { font-weight: 400; }
${CHART_STYLE}.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin: .2rem 0; padding: 0; color: var(--soft); font-size: .85rem; list-style: none; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 0 2rem; align-items: start; }
.grid > * { min-width: 0; break-inside: avoid; }
@media (max-width: 24rem) { .grid { grid-template-columns: minmax(0, 1fr); } }
@media print { svg rect, svg path { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;

/** The same for a picture by itself, which has no page around it. */
export const PAPER_JOB_STYLE = `${colours(false)} :root { --text: #1f2328; --soft: #59636e; --rule: #d1d9e0; }
${CHART_STYLE}`;

function colours(isDark: boolean): string {
  return `:root { ${series(isDark)} --cell: ${isDark ? '121, 184, 255' : '11, 87, 164'}; }`;
}

/** Reads, writes, metadata and waiting, as in the views. */
function series(isDark: boolean): string {
  const roles = ['read', 'write', 'metadata', 'sync'] as const;
  return roles.map((role, at) => `--series${at}: ${roleColour(role, isDark)};`).join(' ');
}
