import type { Bound, RunCost } from '../../analysis/gain/cost.ts';
import { formatDuration } from '../../base/quantities.ts';
import { runFigures, unseenSentence, unseenText, type RunFigures } from './run-figures.ts';

const BOUNDS: Readonly<Record<Bound, string>> = {
  io: 'it is bound by I/O',
  metadata: 'it is bound by opening, closing and asking for files',
  computing: 'it is bound by computing',
  communication: 'it is bound by communication',
  waiting: 'it is bound by waiting',
  unknown: 'the recording does not tell what the rest is',
};

/** From so many times the likely length on the longest possible one is said, too. */
const DOUBTFUL = 1.5;
/** From this share of the I/O on it is said that it reaches no file. */
const MUCH_BUFFERED = 0.25;
/**
 * `The run takes 1.31 s, 62 % of it I/O (812 ms): it is bound by I/O. All findings whose saving is known could together save 660 ms (50 %).`
 * @returns undefined for a recording without times.
 */
export function runText(run: RunCost): string | undefined {
  const figures = runFigures(run);
  if (figures === undefined) return undefined;
  const { durationNs, isWhole, untracedNs, mostNs, ioNs, bufferedNs, boundBy, traced } = run;
  const { isEstimated, unseen } = figures;
  const without = traced ? 'the tracer' : 'the recorder';
  const recorded = isEstimated ? ` without ${without} (recorded: ${formatDuration(durationNs)})` : '';
  const subject = isWhole ? 'The run takes' : 'From its first recorded call to its last the run takes';
  const doubt = mostNs > DOUBTFUL * untracedNs ? `, at most ${formatDuration(mostNs)},` : '';
  const length = `${subject} ${isEstimated ? 'about ' : ''}${figures.length}${doubt}${recorded}`;
  const whole = figures.isPart
    ? ' The recording ended early, or a part of it is lost: this is what there is of it.'
    : '';
  if (figures.isIoSlight) {
    const bound = `${isEstimated ? 'about' : 'at most'} ${figures.io} of ${figures.length}`;
    return unseen.length === 0
      ? `${length}. I/O does not matter here: ${bound}.${whole}`
      : `${length}. I/O calls take ${bound}; ${unseenText(unseen)}.${whole}`;
  }
  const share = figures.ioShare;
  const io = `${isEstimated && !share.startsWith('<') ? 'about ' : ''}${share} of it I/O (${figures.io})`;
  const buffered =
    bufferedNs >= MUCH_BUFFERED * ioNs
      ? `, ${formatDuration(bufferedNs)} of which is formatting and copying in the buffers of streams`
      : '';
  return `${length}, ${io}${buffered}: ${BOUNDS[boundBy]}.${savableText(figures)}${whole}${countedText(figures)}`;
}

/** What was only counted is I/O, too, whatever share the rest has. */
function countedText({ unseen }: RunFigures): string {
  const text = unseenSentence(unseen.filter((way) => way === 'calls behind the limit'));
  return text === '' ? '' : ` ${text}.`;
}

function savableText({ saved }: RunFigures): string {
  if (saved === undefined) return '';
  return ` All findings whose saving is known could together save ${saved.time} (${saved.share}).`;
}
