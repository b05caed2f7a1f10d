import type { Bound, RunCost } from '../../analysis/gain/cost.ts';
import { IO_MATTERS } from '../../analysis/gain/weigh.ts';
import { formatDuration, formatShare } from '../../base/quantities.ts';

const BOUNDS: Readonly<Record<Bound, string>> = {
  io: 'I/O bounds it',
  metadata: 'opening, closing and asking for files bounds it',
  computing: 'computing bounds it',
  communication: 'communication bounds it',
  waiting: 'waiting bounds it',
  unknown: 'what the rest is, the recording does not tell',
};

/** From so many times the likely length on the longest possible one is said, too. */
const DOUBTFUL = 1.5;
/** From this share of the I/O on it is said that it reaches no file. */
const MUCH_BUFFERED = 0.25;
/** Up to these shares of the recorded time the run is another one without a tracer, or a library that records. */
const TRACED = 0.99;
const RECORDED = 0.95;
/** A tracer that took less of the recorded time has not made the run. */
const MOSTLY_UNTRACED = 0.9;

/**
 * `The run takes 1.31 s, 62 % of it I/O (812 ms): I/O bounds it. All findings whose saving is known could together save 660 ms (50 %).`
 * @returns undefined for a recording without times.
 */
export function runText(run: RunCost): string | undefined {
  const { durationNs, isWhole, untracedNs, mostNs, ioNs, bufferedNs, ioShare, boundBy, complete, traced, unseen } = run;
  if (!(untracedNs > 0)) return undefined;
  // What is left when the tracer is taken off is an estimate.
  const isEstimated = untracedNs < (traced ? TRACED : RECORDED) * durationNs;
  const without = traced ? 'the tracer' : 'the recorder';
  const recorded = isEstimated ? ` without ${without} (recorded: ${formatDuration(durationNs)})` : '';
  const subject = isWhole ? 'The run takes' : 'From its first recorded call to its last the run takes';
  const doubt = mostNs > DOUBTFUL * untracedNs ? `, at most ${formatDuration(mostNs)},` : '';
  const length = `${subject} ${isEstimated ? 'about ' : ''}${formatDuration(untracedNs)}${doubt}${recorded}`;
  const whole = complete ? '' : ' The recording ended early, or a part of it is lost: this is what there is of it.';
  // A tracer may have made the rest so long: only what processors did for the program shows that it is the program's.
  const isDoubtful = traced && boundBy === 'unknown' && untracedNs < MOSTLY_UNTRACED * durationNs;
  if (ioShare < IO_MATTERS && !isDoubtful) {
    const most = `${formatDuration(ioNs)} of ${formatDuration(untracedNs)}`;
    const bound = `${isEstimated ? 'about' : 'at most'} ${most}`;
    return unseen.length === 0
      ? `${length}. I/O does not matter here: ${bound}.${whole}`
      : `${length}. I/O calls take ${bound}; what moves through ${unseen.join(' and ')} is not recorded.${whole}`;
  }
  const share = formatShare(ioShare);
  const io = `${isEstimated && !share.startsWith('<') ? 'about ' : ''}${share} of it I/O (${formatDuration(ioNs)})`;
  const buffered =
    bufferedNs >= MUCH_BUFFERED * ioNs
      ? `, ${formatDuration(bufferedNs)} of which is formatting and copying in the buffers of streams`
      : '';
  return `${length}, ${io}${buffered}: ${BOUNDS[boundBy]}.${savableText(run)}${whole}`;
}

function savableText({ savableNs, savableShare }: RunCost): string {
  if (savableNs === null || savableShare === null || savableNs <= 0) return '';
  return ` All findings whose saving is known could together save ${formatDuration(savableNs)} (${formatShare(savableShare)}).`;
}
