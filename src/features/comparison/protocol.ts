import * as v from 'valibot';
import type { PageLine } from '../../base/page-line.ts';
import { COUNT, NOTHING, text } from '../../base/page-values.ts';
import type { Verdict } from '../../export/comparison/comparison-document.ts';

const TABLE = v.picklist(['findings', 'lines', 'files', 'functions', 'calls', 'layers']);
export type ComparisonTable = v.InferOutput<typeof TABLE>;

/** A run of a side. */
export interface ViewRun {
  readonly name: string;
  /** Files or folders that it was read from. */
  readonly recording: string;
  readonly program: string;
  /** Seconds since 1970; null when it is not known. */
  readonly startTime: number | null;
}

/** A number of both sides, as it is read, and its shares of the largest of its table, 0 to 1. */
export interface ViewSides {
  readonly base: string;
  readonly new: string;
  readonly baseShare: number;
  readonly newShare: number;
}

/** A finding, a source line, or anything else that both sides have or one. */
export interface ViewRow {
  /** Place in the list of the comparison: by it the page asks for its source, which it never names. */
  readonly number: number;
  /** Of a finding; '' of everything else. */
  readonly title: string;
  /** `heat.c:22 → 25` */
  readonly where: string;
  /** The whole of it, where `where` is short, and by what it was found again: for the hover. */
  readonly path: string;
  /** The source line can be opened. */
  readonly isHere: boolean;
  /** Function, and whether it moved; of a finding its sentence, and why it is better or worse. */
  readonly about: readonly string[];
  readonly verdict: Verdict;
  /** What it costs; calls where no recording has durations. */
  readonly amount: ViewSides;
  /** Of `amount`: `−97 %`. */
  readonly change: string;
  /** `4,096 → 1` */
  readonly calls: string;
  readonly bytes: string;
  /** As it was recorded; '' where that is what it costs. */
  readonly recorded: string;
}

/** A column of a table; its name is that of the number in `ViewRow`. */
export interface ViewColumn {
  readonly sort: string;
  readonly title: string;
  readonly isNumber: boolean;
  readonly hint: string;
}

export interface ViewRows {
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly ViewRow[];
  /** Place of the first row among those that the filter keeps. */
  readonly from: number;
  readonly matching: number;
  readonly total: number;
}

/** The runs of one side on an axis that begins at 0: shares of its length. */
export interface ViewSpreadSide {
  /** Runs one by one, where each is known. */
  readonly dots: readonly { readonly at: number; readonly text: string }[];
  readonly low: number;
  readonly high: number;
  readonly median: number;
  /** `71 ms (68–75 ms)` */
  readonly words: string;
}

export interface ViewSpread {
  readonly title: string;
  readonly base: ViewSpreadSide;
  readonly new: ViewSpreadSide;
  /** Where the axis ends. */
  readonly most: string;
}

/** All but the rows, which are asked for page by page. */
export interface ViewComparison {
  readonly base: readonly ViewRun[];
  readonly new: readonly ViewRun[];
  /** `9.39 s → 2.2 s: 77 % less time` */
  readonly headline: string;
  readonly verdict: Verdict;
  readonly verdictWords: string;
  /** The numbers of the run. */
  readonly tiles: readonly (readonly [label: string, value: string, note: string])[];
  readonly notes: readonly string[];
  readonly tables: readonly { readonly table: ComparisonTable; readonly title: string; readonly changed: number }[];
  readonly spread: {
    /** What is known of the spread. */
    readonly said: readonly string[];
    readonly runs: readonly ViewSpread[];
    /** Lines with the largest changes; none without repetitions. */
    readonly lines: readonly ViewSpread[];
  };
}

interface ComparisonToPage {
  readonly says: {
    readonly comparison: ViewComparison;
  };
  readonly answers: {
    readonly rows: ViewRows;
  };
}

const QUERY = v.object({ sort: v.string(), descending: v.boolean(), filter: text(1_000), from: COUNT, count: COUNT });

export const COMPARISON = { version: 1, state: v.object({ tab: v.string() }) };

export const FROM_COMPARISON = {
  asks: {
    rows: v.object({ table: TABLE, query: QUERY }),
  },
  says: {
    /** Rows of the table that is shown are on the screen. */
    drawn: v.object({ rows: COUNT }),
    /** Selects what a row is about, and opens its source line where that is here. */
    choose: v.object({ table: TABLE, number: COUNT }),
    showGraph: NOTHING,
    showTimeline: NOTHING,
    swap: NOTHING,
  },
};

export type ComparisonLine = PageLine<typeof COMPARISON, typeof FROM_COMPARISON, ComparisonToPage>;
