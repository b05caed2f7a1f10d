import { folded, numbers, tableOf, wide } from '../../src/drawing/markup/tables.ts';
import { branch } from '../../src/drawing/markup/tree.ts';
import type { JobHeatmap } from '../../src/drawing/report/job.ts';
import {
  heatmapAt,
  heatmapDrawing,
  heatmapLegend,
  heatmapNote,
  heatmapNumbers,
  heatmapTitle,
} from '../../src/drawing/report/heatmap.ts';
import { made, make } from '../kit/dom.ts';

/** The heatmap as wide as the page, with what lies under the pointer in words, and the same as tables. */
export class HeatmapView {
  readonly element: HTMLElement;
  private readonly room = make('div', { class: 'heatmap-room' });
  private readonly said = make('p', { class: 'said', 'aria-hidden': 'true' });

  constructor(
    private readonly data: JobHeatmap,
    private readonly processes: number,
  ) {
    this.element = make(
      'figure',
      { class: 'heatmap' },
      make('figcaption', {}, heatmapTitle(data), make('span', { class: 'soft' }, ` ${heatmapNote(data)}`)),
      made(heatmapLegend(data)),
      this.room,
      this.said,
      made(folded('As a table', wide(this.tables()))),
    );
    new ResizeObserver(() => this.draw()).observe(this.room);
    this.room.addEventListener('mousemove', ({ clientX, clientY }) => {
      const { left, top } = this.room.getBoundingClientRect();
      const point = { x: clientX - left, y: clientY - top };
      this.say(heatmapAt(data, processes, this.room.clientWidth, point));
    });
    this.room.addEventListener('mouseleave', () => this.say(undefined));
    this.say(undefined);
  }

  private draw(): void {
    const { clientWidth: width } = this.room;
    const label = `${heatmapTitle(this.data)}. The same numbers are in the table below.`;
    if (width > 0) this.room.replaceChildren(made(heatmapDrawing(this.data, this.processes, width, label)));
  }

  private say(words: string | undefined): void {
    const isEmpty = this.data.rows.every((row) => row.every((bytes) => bytes <= 0));
    this.said.textContent = words ?? (isEmpty ? 'No bytes were moved.' : 'Point at a field to see its bytes.');
  }

  private tables() {
    const { overTime, byRank } = heatmapNumbers(this.data, this.processes);
    return branch(
      'div',
      { class: 'side-by-side' },
      tableOf([{ title: 'From' }, ...numbers('Read', 'Written')], overTime),
      tableOf([{ title: 'Rank' }, ...numbers('Bytes')], byRank),
    );
  }
}
