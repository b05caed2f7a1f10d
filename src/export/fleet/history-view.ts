import type {
  FleetHistory,
  JobStanding,
  KindHistory,
  MeasureHistory,
  MeasureName,
} from '../../fleet/history/history.ts';
import {
  changeSentence,
  kindText,
  lookedAtText,
  MEASURE_TITLES,
  placeText,
  spanText,
  spreadText,
} from './history-words.ts';

/** Runs of a kind that a picture has room for: of more, some are left out that lie evenly between the others. */
const MOST_RUNS = 2_000;

/** How kinds of jobs fared, for a page: sentences as `iolens fleet history` has them, and what is drawn. */
export interface HistoryView {
  readonly lookedAt: string;
  /** Kinds without a change that are not among those below. */
  readonly untold: number;
  readonly kinds: readonly KindView[];
  /** Where the chosen job stands among its kind. */
  readonly standings: readonly StandingView[];
}

export interface KindView {
  readonly title: string;
  readonly application: string;
  readonly span: string;
  /** Runs that are drawn, in the order of their start, and of how many. */
  readonly runs: readonly RunView[];
  readonly allRuns: number;
  readonly measures: readonly MeasureView[];
}

interface RunView {
  readonly log: string;
  /** Number of the job, else its log. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly start: number;
  /** By measures of the kind, in their order. */
  readonly values: readonly (number | null)[];
}

export interface MeasureView {
  readonly title: string;
  readonly unit: 'rate' | 'share' | 'number';
  readonly median: number;
  readonly spread: string;
  readonly changes: readonly ChangeView[];
}

interface ChangeView {
  readonly sentence: string;
  /** Seconds since 1970. */
  readonly since: number;
  readonly before: number;
  readonly after: number;
  readonly isWorse: boolean;
  readonly isLasting: boolean;
}

interface StandingView {
  readonly log: string;
  readonly kind: string;
  /** Runs of the kind, this one counted. */
  readonly runs: number;
  /** Of each measure that is known: its name, and `920 MB/s: 43 % of them have less`. */
  readonly places: readonly (readonly [title: string, place: string])[];
}

const UNITS: Readonly<Record<MeasureName, MeasureView['unit']>> = {
  bandwidth: 'rate',
  ioShare: 'share',
  metadataRate: 'number',
};

export function historyView(history: FleetHistory): HistoryView {
  const { kinds, told, standings } = history;
  return {
    lookedAt: lookedAtText(history),
    untold: kinds - told.length,
    kinds: told.map(kindView),
    standings: standings.map(standingView),
  };
}

function kindView(kind: KindHistory): KindView {
  const { application, runs, measures } = kind;
  const step = Math.ceil(runs.length / MOST_RUNS);
  return {
    title: kindText(kind),
    application,
    span: spanText(kind),
    runs: runs
      .filter((_, index) => index % step === 0)
      .map((run) => ({
        log: run.log,
        name: run.jobId ?? run.log,
        start: run.start,
        values: measures.map(({ measure }) => run[measure]),
      })),
    allRuns: runs.length,
    measures: measures.map((measure) => measureView(measure, runs.length)),
  };
}

function measureView(history: MeasureHistory, runs: number): MeasureView {
  const { measure, median, changes } = history;
  return {
    title: MEASURE_TITLES[measure],
    unit: UNITS[measure],
    median,
    spread: spreadText(history, runs),
    changes: changes.map((change) => ({
      sentence: changeSentence(measure, change),
      since: change.since,
      before: change.before.median,
      after: change.after.median,
      isWorse: change.isWorse,
      isLasting: change.isLasting,
    })),
  };
}

function standingView(standing: JobStanding): StandingView {
  const measures: readonly MeasureName[] = ['bandwidth', 'ioShare', 'metadataRate'];
  return {
    log: standing.log,
    kind: kindText(standing.kind),
    runs: standing.runs,
    places: measures.flatMap((measure): [string, string][] => {
      const place = placeText(measure, standing);
      return place === undefined ? [] : [[MEASURE_TITLES[measure], place]];
    }),
  };
}
