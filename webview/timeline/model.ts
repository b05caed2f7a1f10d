import { CategoryColours, colourOf, shadeTable, type Colour } from '../../src/drawing/timeline/category-colours.ts';
import { RowLayout, rowHeightFor } from '../../src/drawing/timeline/row-layout.ts';
import type { ShadeTable } from '../../src/drawing/timeline/row-pixels.ts';
import type { AxisUnit } from '../../src/drawing/timeline/ticks.ts';
import { clamped, lengthOf, wholeRun, type Span } from '../../src/drawing/timeline/visible-span.ts';
import {
  DEFAULT_TIMELINE_CHOICES,
  type ShownSelection,
  type TimelineChoices,
  type TimelineRecordings,
  type TimelineViewState,
  type ViewEvent,
  type ViewTotals,
  type TimelineRow,
  type TimelineRows,
} from '../../src/features/timeline/protocol.ts';
import { currentAppearance, type Appearance } from './appearance.ts';
import { habit } from '../kit/habits.ts';
import { tellingNames } from '../kit/fitted-text.ts';
import { CellStore } from './cell-store.ts';

/** Name of the habit to give the names of rows so much room. */
export const LABEL_WIDTH = 'timeline.labelWidth';
const NOTHING_SELECTED: ShownSelection = { parts: [] };
const NO_SHADES: ShadeTable = { plain: new Uint32Array(0), dimmed: new Uint32Array(0) };

/** All that the timeline shows and knows. Nothing here touches the page, but for its colours. */
export class TimelineModel {
  appearance: Appearance = currentAppearance();
  choices: TimelineChoices = DEFAULT_TIMELINE_CHOICES;
  recordings: TimelineRecordings = { names: [], paths: [] };
  selection: ShownSelection = NOTHING_SELECTED;
  rows: TimelineRows | undefined;
  /** What the categories are called where there is little room. */
  categoryNames: readonly string[] = [];
  layout = new RowLayout([], new Set());
  colours: readonly Colour[] = [];
  shades = NO_SHADES;
  readonly cells = new CellStore();
  /** Of the overview strip, which has its own resolution. */
  readonly overviewCells = new CellStore();
  overviewKeys: readonly string[] = [];

  visible: Span = wholeRun(0);
  /** All of the run shows, and will when it becomes longer. */
  isWhole = true;
  /** Pixels of the screen, of CSS. */
  plotWidth = 0;
  plotHeight = 0;
  scrollTop = 0;
  readonly folded = new Set<string>();
  /** Key of the row that arrow keys act on; '' for none. */
  focusedRow = '';
  hoveredRow = '';
  /** Time under the pointer. */
  pointerNs: number | undefined;
  event: ViewEvent | undefined;
  hovered: ViewEvent | undefined;
  range: Span | undefined;
  totals: ViewTotals | undefined;
  marks: readonly number[] = [];
  /** What the user gave the names of rows; undefined for a share of the view's width. */
  chosenLabelWidth = habit(LABEL_WIDTH);
  detailsHeight = 190;
  dragMoves = false;
  /** Key of the row that a restored view had at its top; '' once it is there again. */
  wantedTop = '';

  private places: ReadonlyMap<string, number> = new Map();
  private categoryColours = new CategoryColours('operation');
  private colouredBy = 'operation';

  /** In a narrow view the rows need the place more than their names. */
  get labelWidth(): number {
    return this.chosenLabelWidth ?? Math.round(Math.max(130, Math.min(240, window.innerWidth * 0.25)));
  }

  get durationNs(): number {
    return this.rows?.durationNs ?? 0;
  }

  get rowHeight(): number {
    return rowHeightFor(this.layout.visible.length, this.plotHeight);
  }

  /** What the axis counts. */
  get axis(): AxisUnit {
    return this.rows?.axis ?? 'time';
  }

  /** Pixels of all rows that show. */
  get contentHeight(): number {
    return this.layout.visible.length * this.rowHeight;
  }

  row(index: number): TimelineRow {
    return this.layout.rows[index]!;
  }

  /** Index of a row by its key, or -1. */
  indexOf(key: string): number {
    return this.places.get(key) ?? -1;
  }

  takeRows(answer: TimelineRows, colourBy: TimelineChoices['colourBy']): void {
    const names = tellingNames(answer.rows.map(({ label }) => label));
    const rows = { ...answer, rows: answer.rows.map((row, index) => ({ ...row, label: names[index]! })) };
    this.categoryNames = tellingNames(rows.categories.map(({ label }) => label));
    const isFirst = this.rows === undefined;
    this.rows = rows;
    this.places = new Map(rows.rows.map(({ key }, index) => [key, index]));
    if (this.colouredBy !== colourBy) {
      this.colouredBy = colourBy;
      this.categoryColours = new CategoryColours(colourBy);
    }
    this.colour();
    this.refold();
    this.visible = this.isWhole ? wholeRun(rows.durationNs) : clamped(this.visible, rows.durationNs);
    if (isFirst && this.focusedRow === '') this.focusedRow = rows.rows[0]?.key ?? '';
  }

  /** Rows were folded or unfolded. */
  refold(): void {
    this.layout = new RowLayout(this.rows?.rows ?? [], this.folded);
  }

  /** The theme or the categories are others. */
  colour(): void {
    const labels = (this.rows?.categories ?? []).map(({ label }) => label);
    this.colours = this.categoryColours.slotsOf(labels).map((slot) => colourOf(slot, this.appearance.theme));
    this.shades = shadeTable(this.colours, this.appearance.theme);
  }

  recolour(): void {
    this.appearance = currentAppearance();
    this.colour();
    const token = this.rows?.token ?? -1;
    this.cells.recolour(token, this.shades);
    this.overviewCells.recolour(token, this.shades);
  }

  show(visible: Span): void {
    const before = this.visible;
    const whole = wholeRun(this.durationNs);
    this.visible = clamped(visible, this.durationNs);
    this.isWhole = this.visible.fromNs <= 0 && this.visible.toNs >= whole.toNs;
    // The pointer stays where it is: the time under it is another.
    if (this.pointerNs !== undefined && lengthOf(before) > 0)
      this.pointerNs =
        this.visible.fromNs + ((this.pointerNs - before.fromNs) / lengthOf(before)) * lengthOf(this.visible);
  }

  restore(state: TimelineViewState): void {
    this.choices = { ...DEFAULT_TIMELINE_CHOICES, ...state.choices };
    this.isWhole = state.visible === null;
    if (state.visible !== null) this.visible = state.visible;
    for (const key of state.folded) this.folded.add(key);
    this.wantedTop = state.topRow;
    this.chosenLabelWidth = state.labelWidth > 0 ? Math.max(80, state.labelWidth) : this.chosenLabelWidth;
    this.detailsHeight = Math.max(0, state.detailsHeight);
    this.range = state.range ?? undefined;
    this.marks = state.marks;
    this.dragMoves = state.dragMoves;
  }

  /** What is kept over a reload: names and times, no indices. */
  get state(): TimelineViewState {
    const top = this.layout.rowAt(this.scrollTop, this.rowHeight);
    return {
      paths: this.recordings.paths,
      choices: this.choices,
      visible: this.isWhole ? null : this.visible,
      folded: [...this.folded],
      topRow: this.scrollTop === 0 || top < 0 ? '' : this.row(top).key,
      labelWidth: this.chosenLabelWidth ?? 0,
      detailsHeight: this.detailsHeight,
      range: this.range ?? null,
      marks: this.marks,
      dragMoves: this.dragMoves,
    };
  }
}
