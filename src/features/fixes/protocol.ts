import * as v from 'valibot';
import type { PageLine } from '../../base/page-line.ts';
import { COUNT, NOTHING } from '../../base/page-values.ts';

/** A trial as the view shows it: words that the panel chose, in the user's language where they are the editor's own. */
export interface TrialSubject {
  /** Of the fix. */
  readonly title: string;
  readonly verdict: string;
  readonly proven: boolean;
  /** What builds and runs the program. */
  readonly commands: readonly (readonly [name: string, command: string])[];
  /** What the build says when it fails; '' when it does not. */
  readonly buildErrors: string;
  /** Wall times, nanoseconds; as many of each. */
  readonly runs: { readonly before: readonly number[]; readonly after: readonly number[] };
  readonly facts: readonly (readonly [name: string, text: string])[];
  /** What differs afterwards; what could not be compared. */
  readonly differences: readonly string[];
  readonly faults: readonly {
    readonly fault: string;
    readonly before: string;
    readonly after: string;
    readonly worse: boolean;
    readonly judged: string;
  }[];
  readonly notes: readonly string[];
  /** A unified diff. */
  readonly diff: string;
  readonly words: {
    readonly keep: string;
    readonly discard: string;
    readonly copy: string;
    readonly change: string;
    readonly runs: string;
    readonly before: string;
    readonly after: string;
    readonly faults: string;
    readonly fault: string;
    readonly judged: string;
    readonly differences: string;
    readonly notes: string;
  };
}

interface TrialToPage {
  readonly says: {
    readonly subject: TrialSubject;
    readonly said: string;
  };
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- the page asks nothing
  readonly answers: Record<never, never>;
}

export const TRIAL = { version: 1, state: v.object({}) };

export const FROM_TRIAL = {
  asks: {},
  says: {
    /** Runs are on the screen. */
    drawn: v.object({ runs: COUNT }),
    keep: NOTHING,
    discard: NOTHING,
    /** What is for a merge request goes to the clipboard. */
    copy: NOTHING,
  },
};

export type TrialLine = PageLine<typeof TRIAL, typeof FROM_TRIAL, TrialToPage>;
