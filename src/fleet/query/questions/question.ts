import type { QueryValue } from '../query-engine.ts';

/** How an answer is best drawn. */
export type AnswerChart =
  | { readonly kind: 'table' }
  /** A bar for each row. */
  | { readonly kind: 'bars'; readonly label: string; readonly values: readonly string[] }
  /** Cumulative distribution, histogram, or a series over time: x and one line for each y. */
  | { readonly kind: 'lines'; readonly x: string; readonly y: readonly string[] }
  /** A bar for each row, made of parts that are stacked. */
  | { readonly kind: 'stacked'; readonly label: string; readonly values: readonly string[] };

/** A parameter of a ready-made question. */
export interface QuestionParameter {
  readonly name: string;
  readonly about: string;
  readonly kind: 'integer' | 'number' | 'text' | 'instant';
  readonly initial: QueryValue;
  /** What a number counts, where it is neither rows nor processes. */
  readonly unit?: 'bytes' | 'bytes a second';
  /** The only values that it takes. */
  readonly choices?: readonly string[];
}

/** A ready-made question (IOMiner, section III). */
export interface Question {
  readonly id: string;
  readonly title: string;
  /** What is asked, in plain words; names of columns stand between backticks. */
  readonly about: string;
  /** What exactly is counted, and what is not, where `about` does not say it all. */
  readonly definition?: string;
  /** Where the question comes from. */
  readonly source?: string;
  readonly parameters: readonly QuestionParameter[];
  /** With `$1`, … for the parameters in their order: shown to the user, who may go on from there. */
  readonly sql: string;
  readonly chart: AnswerChart;
  /** Column whose value leads on: to a job by `log`, to a source line. */
  readonly leadsTo?: 'job' | 'line' | 'application';
}

/** All that is to be known of an answer's numbers, as one text. */
export function descriptionOf({ about, definition, source }: Question): string {
  return [about, definition, source && `From ${source}.`].filter((sentence) => sentence !== undefined).join(' ');
}
