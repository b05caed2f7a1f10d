/** Style of the job's charts in the HTML report; light, dark and paper as the rest of it. */
export const JOB_STYLE = `
:root { --read: #2f7fb8; --write: #c8641b; --meta: #7a68a6; --wait: #6b7280; --cell: 11, 87, 164; }
@media screen and (prefers-color-scheme: dark) {
  :root { --read: #58a6e0; --write: #e58a45; --meta: #a99bd1; --wait: #9aa5b1; --cell: 121, 184, 255; }
}
.chart { display: block; max-width: 100%; height: auto; margin: .4rem 0; font: 12px system-ui, "DejaVu Sans", sans-serif; break-inside: avoid; }
.chart text { fill: var(--text); } .chart .soft { fill: var(--soft); } .chart .end { text-anchor: end; }
.chart .rule { stroke: var(--rule); fill: none; }
.chart .read { fill: var(--read); } .chart .write { fill: var(--write); }
.chart .meta { fill: var(--meta); } .chart .wait { fill: var(--wait); }
.chart .cell1 { fill: rgba(var(--cell), .15); } .chart .cell2 { fill: rgba(var(--cell), .3); } .chart .cell3 { fill: rgba(var(--cell), .48); }
.chart .cell4 { fill: rgba(var(--cell), .65); } .chart .cell5 { fill: rgba(var(--cell), .82); } .chart .cell6 { fill: rgb(var(--cell)); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 0 2rem; align-items: start; }
.pair > * { min-width: 0; break-inside: avoid; }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 .8em; }
.key .read { fill: var(--read); } .key .write { fill: var(--write); } .key .meta { fill: var(--meta); } .key .wait { fill: var(--wait); }
@media print { .chart rect, .chart path { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
