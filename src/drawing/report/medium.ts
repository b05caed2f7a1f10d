import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { BarChart } from '../charts/bar-chart.ts';
import type { Markup } from '../markup/tree.ts';
import type { JobHeatmap } from './job.ts';

/** What a report is shown on: a page of the editor, in which things can be pressed, or a file that is also printed. */
export interface Medium<Part> {
  chart(chart: BarChart): Markup<Part>;
  heatmap(heatmap: JobHeatmap, processes: number): Markup<Part>;
  /** The same example in one or more languages. */
  snippets(snippets: readonly DrawnSnippet[]): Markup<Part>;
  /** A text that does something when it is pressed; null where there would be nothing but that. */
  pressed(text: string, act: ReportAct): Markup<Part> | null;
  /** @param time seconds since 1970. */
  date(time: number): string;
}

/** What can be pressed in a report. */
export type ReportAct =
  /** A source line, by the number under which the page knows it; without one it cannot be opened. */
  | { readonly kind: 'place'; readonly place: number | undefined }
  /** The row of a file in the table of files. */
  | { readonly kind: 'file'; readonly path: string }
  /** A finding by its place in the list, counted from 0. */
  | { readonly kind: 'finding'; readonly finding: number }
  /** Selects in all views. @property name what the part is called. */
  | { readonly kind: 'select'; readonly part: SelectionPart; readonly name: string };

export interface DrawnSnippet {
  readonly title: string;
  readonly code: string;
  /** As people name it: `C`, `Fortran`, `shell`. */
  readonly language?: string;
  /** Number by which a page asks to have it copied or inserted. */
  readonly number?: number;
}
