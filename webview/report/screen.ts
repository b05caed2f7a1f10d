import type { SnippetTarget } from '../../src/features/report/protocol.ts';
import { formatDate } from '../../src/drawing/charts/amounts.ts';
import type { BarChart } from '../../src/drawing/charts/bar-chart.ts';
import { branch, type Branch, type Markup } from '../../src/drawing/markup/tree.ts';
import type { JobHeatmap } from '../../src/drawing/report/job.ts';
import type { DrawnSnippet, Medium, ReportAct } from '../../src/drawing/report/medium.ts';
import { Charts } from '../kit/charts.ts';
import { HeatmapView } from './heatmap.ts';
import { selectButton } from './selection-marks.ts';
import { snippetBlock } from './snippets.ts';

/** Carries what a press does: the page listens once, for whatever is drawn. */
const ACT = 'data-act';

/** The report as a page: charts and heatmaps answer the pointer, and what can be pressed is a button. */
export class Screen implements Medium<Node> {
  private readonly charts = new Charts();

  constructor(private readonly takeSnippet: (number: number, into: SnippetTarget) => void) {}

  chart(chart: BarChart): Markup<Node> {
    return { part: this.charts.figure(chart) };
  }

  heatmap(heatmap: JobHeatmap, processes: number): Markup<Node> {
    return { part: new HeatmapView(heatmap, processes).element };
  }

  snippets(snippets: readonly DrawnSnippet[]): Markup<Node> {
    return { part: snippetBlock(snippets, this.takeSnippet) };
  }

  pressed(text: string, act: ReportAct): Branch {
    if (act.kind === 'select') return selectButton(text, act.part, act.name);
    if (act.kind === 'place' && act.place === undefined) return branch('span', { class: 'place' }, text);
    const does = { type: 'button', [ACT]: JSON.stringify(act) };
    switch (act.kind) {
      case 'place':
        return branch('button', { ...does, class: 'link place', 'aria-label': `Open ${text}` }, text);
      case 'file':
        return branch(
          'button',
          { ...does, class: 'link path', 'aria-label': `Show ${text} in the table of files` },
          text,
        );
      case 'finding':
        return branch('button', { ...does, class: 'link' }, text);
    }
  }

  date(time: number): string {
    return formatDate(time);
  }

  /** The user took another theme. */
  redraw(): void {
    this.charts.redraw();
  }

  clear(): void {
    this.charts.clear();
  }
}

/** Calls back for each press below an element. */
export function onPress(root: HTMLElement, pressed: (act: ReportAct) => void): void {
  root.addEventListener('click', ({ target }) => {
    const chosen = (target as Element).closest(`[${ACT}]`);
    // The attribute was written by this page.
    if (chosen !== null) pressed(JSON.parse(chosen.getAttribute(ACT)!) as ReportAct);
  });
}
