import type { RunCost } from '../../analysis/gain/cost.ts';
import { IO_MATTERS } from '../../analysis/gain/weigh.ts';
import type { UnseenWay } from '../../analysis/metrics/unseen-ways.ts';
import { formatDuration, formatShare } from '../../base/quantities.ts';

/** Up to these shares of the recorded time the run is another one without a tracer, or a library that records. */
const TRACED = 0.99;
const RECORDED = 0.95;
/** A tracer that took less of the recorded time has not made the run. */
const MOSTLY_UNTRACED = 0.9;

/**
 * The figures of a run that stand first wherever one is spoken of: in reports, in the status bar, and when a recording has
 * ended. They come from here alone, so that no two places say different things of one run.
 */
export interface RunFigures {
  /** `1.31 s`: of a run without the tracer. */
  readonly length: string;
  /** `812 ms` and `62 %`: of it I/O. */
  readonly io: string;
  readonly ioShare: string;
  /** What is left when the tracer is taken off is an estimate. */
  readonly isEstimated: boolean;
  /** I/O is too little of the run for anything about it to be worth a change. */
  readonly isIoSlight: boolean;
  /** What all findings together could save; undefined where nothing is known to be saved. */
  readonly saved: { readonly time: string; readonly share: string } | undefined;
  /** How bytes move besides, of which the recording has no time. */
  readonly unseen: readonly UnseenWay[];
  /** The recording ended early, or a part of it is lost. */
  readonly isPart: boolean;
}

/** @returns undefined for a recording without times. */
export function runFigures(run: RunCost): RunFigures | undefined {
  const { durationNs, untracedNs, ioNs, ioShare, savableNs, savableShare, boundBy, traced, complete, unseen } = run;
  if (!(durationNs > 0 && untracedNs > 0)) return undefined;
  // A tracer may have made the rest so long: only what processors did for the program shows that it is the program's.
  const isDoubtful = traced && boundBy === 'unknown' && untracedNs < MOSTLY_UNTRACED * durationNs;
  const isSaving = savableNs !== null && savableShare !== null && savableNs > 0;
  return {
    length: formatDuration(untracedNs),
    io: formatDuration(ioNs),
    ioShare: formatShare(ioShare),
    isEstimated: untracedNs < (traced ? TRACED : RECORDED) * durationNs,
    isIoSlight: ioShare < IO_MATTERS && !isDoubtful,
    saved: isSaving ? { time: formatDuration(savableNs), share: formatShare(savableShare) } : undefined,
    unseen,
    isPart: !complete,
  };
}

/** `What moves through mapped files and io_uring is not recorded`, as a sentence begins; '' where there is nothing of the kind. */
export function unseenSentence(ways: readonly UnseenWay[]): string {
  const text = unseenText(ways);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The same within a sentence. */
export function unseenText(ways: readonly UnseenWay[]): string {
  const through = ways.filter((way) => way !== 'calls behind the limit');
  const texts = [
    ...(through.length > 0 ? [`what moves through ${through.join(' and ')} is not recorded`] : []),
    ...(through.length < ways.length ? ['calls beyond the limit of events were only counted (`iolens sites`)'] : []),
  ];
  return texts.join('; ');
}
