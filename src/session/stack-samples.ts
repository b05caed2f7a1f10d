import { stat } from 'node:fs/promises';
import { lendStacks, type LentStacks } from '../analysis/sites/lend-stacks.ts';
import { NONE } from '../trace/events.ts';
import type { Trace } from '../trace/trace.ts';
import type { ReadRecording } from './read-recording.ts';

const ENDING = '.stacks.strace';

/**
 * Where the call stacks of a recording stand that was made without: `NAME.strace` has them in `NAME.stacks.strace`, which a
 * second run of the same program made (`iolens record --two-pass`).
 */
export function stackSampleOf(recording: string): string {
  return recording.endsWith('.strace') && !recording.endsWith(ENDING)
    ? `${recording.slice(0, -'.strace'.length)}${ENDING}`
    : '';
}

/** The sample that lies beside a recording, if any. */
async function findStackSample(recording: string): Promise<string | undefined> {
  const name = stackSampleOf(recording);
  if (name === '') return undefined;
  const status = await stat(name).catch(() => undefined);
  return status?.isFile() === true ? name : undefined;
}

/** Takes those out of a list of recordings that only lend their stacks to another of the list. */
export function withoutStackSamples(recordings: readonly string[]): string[] {
  const samples = new Set(recordings.map(stackSampleOf));
  return recordings.filter((name) => !samples.has(name));
}

/** Whether each stream's recording file holds a stack at all. */
function streamsWithStacks(trace: Trace): boolean[] {
  const parts = trace.parts.map(() => false);
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.stack[i]! !== NONE) parts[trace.streams[chunk.stream[i]!]!.part] = true;
    }
  });
  return trace.streams.map(({ part }) => parts[part]!);
}

/**
 * Ranks that were recorded without stacks get those of the ranks that were recorded with them.
 * @returns undefined when there is nothing to lend, or nobody to lend to.
 */
function lendAmongRanks(trace: Trace): LentStacks | undefined {
  if (!trace.capabilities.stacks || trace.parts.length < 2) return undefined;
  const have = streamsWithStacks(trace);
  if (!have.includes(false)) return undefined;
  return lendStacks(trace, trace, (stream) => have[stream] === false);
}

/**
 * Gives a recording without stacks those that are to be had: from a sample beside it, or from some of its own ranks.
 *
 * @param readSample reads a sample; what it cannot read lends nothing.
 */
export async function withLentStacks(
  read: ReadRecording,
  paths: readonly string[],
  readSample: (file: string) => Promise<Trace>,
): Promise<ReadRecording> {
  const { trace } = read;
  const file = paths.length === 1 && !trace.capabilities.stacks ? await findStackSample(paths[0]!) : undefined;
  if (file === undefined) {
    // The cache must hold what was recorded.
    if (trace.capabilities.stacks && trace.parts.length > 1) await read.stored;
    const lent = lendAmongRanks(trace);
    return lent === undefined ? read : { ...read, notes: [...read.notes, lendingNote(lent, 'the other ranks')] };
  }
  const sample = await readSample(file).catch((error: unknown) => {
    return error instanceof Error ? error.message : String(error);
  });
  const isOther = typeof sample !== 'string' && sample.program !== '' && sample.program !== trace.program;
  if (typeof sample === 'string' || isOther) {
    const why = typeof sample === 'string' ? sample : 'it is a recording of another program';
    return { ...read, notes: [...read.notes, `${file} lends no stacks: ${why}`] };
  }
  await read.stored;
  const lent = lendStacks(trace, sample, () => true);
  const capabilities = { ...trace.capabilities, stacks: lent.byOrder + lent.byShare > 0 };
  return { ...read, trace: { ...trace, capabilities }, notes: [...read.notes, lendingNote(lent, file)] };
}

/** In words for the user: how sure the lines are. */
function lendingNote(lent: LentStacks, from: string): string {
  const percent = (events: number): string => `${((100 * events) / Math.max(1, lent.wanting)).toFixed(1)} %`;
  const rest = lent.wanting - lent.byOrder - lent.byShare;
  return (
    `of ${lent.wanting} calls recorded without stacks, ${percent(lent.byOrder)} have their lines from the same calls in ` +
    `${from}, ${percent(lent.byShare)} in the proportion found there for such calls, ${percent(rest)} have none`
  );
}
