import { folded } from '../../drawing/markup/tables.ts';
import { branch, type Branch } from '../../drawing/markup/tree.ts';
import type { DrawnSnippet, Medium, ReportAct } from '../../drawing/report/medium.ts';
import { chartFigure, heatmapFigure } from './chart-svg.ts';
import { instant } from './report-job-text.ts';

/** The report as a file: nothing can be pressed but links within it, charts are SVG, and all dates are of one zone. */
export const PAPER: Medium<never> = {
  chart: chartFigure,
  heatmap: heatmapFigure,
  snippets: (snippets) => branch('div', { class: 'snippet' }, ...snippets.map(example)),
  pressed,
  date: instant,
};

/** The same in other languages stays folded. */
function example({ title, code }: DrawnSnippet, at: number): Branch {
  return folded(title, branch('pre', {}, code), at === 0);
}

function pressed(text: string, act: ReportAct): Branch | null {
  switch (act.kind) {
    case 'finding':
      return branch('a', { href: `#finding-${act.finding}` }, text);
    case 'place':
    case 'file':
      return branch('code', {}, text);
    case 'select':
      return act.part.kind === 'insight' ? null : branch('code', {}, text);
  }
}
