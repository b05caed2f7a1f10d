import { binsFor } from '../../src/drawing/timeline/buffered-bins.ts';
import { wholeRun } from '../../src/drawing/timeline/visible-span.ts';
import { messageOf } from '../../src/base/error-message.ts';
import type { TimelineModel } from './model.ts';
import { isStale, Latest, type Questions } from './questions.ts';

/** Rows above and below those that show, so that scrolling a little shows no gap. */
const MORE_ROWS = 8;
/** Strips of the overview: more would be thinner than a pixel. */
const OVERVIEW_ROWS = 24;

interface FetchEvents {
  /** Something new is to be drawn. */
  drawn(): void;
  /** Rows came: labels, legend and tables are others. */
  rowsChanged(): void;
  failed(message: string): void;
  working(isWorking: boolean): void;
}

/** Asks for what the view needs and does not have. */
export class Fetching {
  private readonly rowQuestions: Latest;
  private readonly windowQuestions: Latest;
  private readonly overviewQuestions: Latest;

  constructor(
    private readonly model: TimelineModel,
    private readonly questions: Questions,
    private readonly events: FetchEvents,
  ) {
    const failed = (error: unknown): void => this.fail(error);
    this.rowQuestions = new Latest(failed);
    this.windowQuestions = new Latest(failed);
    this.overviewQuestions = new Latest(failed);
  }

  /** The choices, the selection or the recording are others. What is on the screen stays until the answer is there. */
  rows(): void {
    this.events.working(true);
    this.rowQuestions.do(async () => {
      const { choices } = this.model;
      const rows = await this.questions.ask('rows', choices);
      this.events.working(false);
      this.model.takeRows(rows, choices.colourBy);
      performance.mark('iolens.timeline.rows');
      this.events.rowsChanged();
      // What is looked at first; the strip above can wait.
      this.window();
      this.overview();
    });
  }

  /** Cells of the rows that show, if what is held does not show them sharply. */
  window(): void {
    if (this.missing().length > 0 || !this.areLanesGood()) this.windowQuestions.do(() => this.fetchWindow());
  }

  private missing(): string[] {
    const { model } = this;
    const { visible, plotWidth, durationNs, rows } = model;
    if (rows === undefined || plotWidth === 0) return [];
    const shown = model.layout.within(model.scrollTop, model.plotHeight, model.rowHeight, MORE_ROWS);
    const wanted = [...shown, ...model.layout.headers(model.scrollTop, model.rowHeight)];
    return wanted
      .map((index) => model.row(index).key)
      .filter((key) => !model.cells.isGood(key, rows.token, visible, plotWidth, durationNs));
  }

  private areLanesGood(): boolean {
    const { visible, plotWidth, durationNs, rows, cells } = this.model;
    return rows === undefined || plotWidth === 0 || cells.areLanesGood(rows.token, visible, plotWidth, durationNs);
  }

  private async fetchWindow(): Promise<void> {
    const { model } = this;
    const { rows } = model;
    const keys = this.missing();
    if (rows === undefined || (keys.length === 0 && this.areLanesGood())) return;
    const over = binsFor(model.visible, model.plotWidth, model.durationNs);
    const { fromNs, toNs, bins } = over;
    const indices = keys.map((key) => model.indexOf(key));
    const window = await this.questions.ask('window', {
      token: rows.token,
      window: { fromNs, toNs, bins, rows: indices },
    });
    performance.mark('iolens.timeline.cells');
    if (model.rows?.token !== rows.token) return;
    model.cells.take(rows.token, over, keys, window, model.shades);
    this.events.drawn();
  }

  /** The strip of the whole run: one question for each answer of rows. */
  overview(): void {
    this.overviewQuestions.do(async () => {
      const { model } = this;
      const { rows } = model;
      if (rows === undefined || model.plotWidth === 0) return;
      const over = binsFor(wholeRun(model.durationNs), model.plotWidth, model.durationNs);
      const leaves = rows.rows.flatMap(({ isGroup }, index) => (isGroup ? [] : [index]));
      const step = Math.max(1, leaves.length / OVERVIEW_ROWS);
      const count = Math.min(OVERVIEW_ROWS, leaves.length);
      const indices = Array.from({ length: count }, (_, number) => leaves[Math.floor(number * step)]!);
      const { fromNs, toNs, bins } = over;
      const window = await this.questions.ask('window', {
        token: rows.token,
        window: { fromNs, toNs, bins, rows: indices },
      });
      if (model.rows?.token !== rows.token) return;
      const keys = indices.map((index) => rows.rows[index]!.key);
      model.overviewCells.take(rows.token, over, keys, window, model.shades);
      model.overviewKeys = keys;
      this.events.drawn();
    });
  }

  private fail(error: unknown): void {
    this.events.working(false);
    // Too many other rows were asked for meanwhile.
    if (isStale(error)) this.rows();
    else this.events.failed(messageOf(error));
  }
}
