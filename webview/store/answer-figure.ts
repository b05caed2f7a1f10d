import type { AnswerChart, QueryResult } from '../../src/features/store/protocol.ts';
import { Charts } from '../kit/charts.ts';
import { drawnChart } from './answer-charts.ts';
import { LineCharts } from './line-charts.ts';

/** The chart of one answer; another answer takes its place. */
export class AnswerFigure {
  private readonly bars = new Charts();
  private readonly lines = new LineCharts();

  /** @returns undefined where there is nothing to draw. */
  make(title: string, chart: AnswerChart, result: QueryResult): HTMLElement | undefined {
    this.clear();
    const drawn = drawnChart(title, chart, result);
    if (drawn === undefined) return undefined;
    return drawn.kind === 'bars' ? this.bars.figure(drawn.chart) : this.lines.figure(drawn.chart);
  }

  /** In the colours of the theme as it is now. */
  redraw(): void {
    this.bars.redraw();
    this.lines.redraw();
  }

  clear(): void {
    this.bars.clear();
    this.lines.clear();
  }
}
