import { machine } from '#machine';
import { inheritStacks } from '../../analysis/layers/inherit-stacks.ts';
import { lendStacks, type LentStacks } from '../../analysis/sites/lend-stacks.ts';
import { messageOf } from '../../base/error-message.ts';
import { NONE } from '../../trace/events.ts';
import type { RecordingPart, Trace } from '../../trace/trace.ts';
import { stackSamplesOf } from './companions.ts';
import type { ReadRecording } from './read-recording.ts';

/** The sample that lies beside a recording file, if any. */
export async function findStackSample(recording: string): Promise<string | undefined> {
  for (const name of stackSamplesOf(recording)) {
    const status = await machine.files.status(name).catch(() => undefined);
    if (status?.kind === 'file') return name;
  }
  return undefined;
}

/** Whether each recording file holds a stack at all. */
function partsWithStacks(trace: Trace): boolean[] {
  const parts = trace.parts.map(() => false);
  if (!trace.capabilities.stacks) return parts;
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.stack[i]! !== NONE) parts[trace.streams[chunk.stream[i]!]!.part] = true;
    }
  });
  return parts;
}

/**
 * Parts of one run of one program: what one of them did at a line, the others may have done there too. A part that does
 * not say which program it is of counts with the others of its run as long as these are of one.
 */
function programsOfRuns(parts: readonly RecordingPart[]): number[][] {
  const runs = new Map<string, Map<string, number[]>>();
  parts.forEach(({ commandId, run, program = '' }, part) => {
    const key = commandId === '' ? `\0${run}` : commandId;
    const programs = runs.get(key) ?? new Map<string, number[]>();
    runs.set(key, programs.set(program, [...(programs.get(program) ?? []), part]));
  });
  return [...runs.values()].flatMap((programs) =>
    programs.size === 2 && programs.has('') ? [[...programs.values()].flat()] : [...programs.values()],
  );
}

/**
 * Ranks that were recorded without stacks get those of the ranks that were recorded with them.
 * @returns what each run lent to itself.
 */
function lendAmongRanks(trace: Trace, have: readonly boolean[]): LentStacks[] {
  const lent: LentStacks[] = [];
  for (const parts of programsOfRuns(trace.parts)) {
    const lenders = new Set(parts.filter((part) => have[part] === true));
    const others = new Set(parts.filter((part) => have[part] !== true));
    if (lenders.size === 0 || others.size === 0) continue;
    const isIn =
      (wanted: ReadonlySet<number>) =>
      (stream: number): boolean =>
        wanted.has(trace.streams[stream]!.part);
    const given = lendStacks(trace, trace, isIn(others), isIn(lenders));
    // A rank without any call lacks no stacks.
    if (given.wanting > 0) lent.push(given);
  }
  return lent;
}

/**
 * Gives a recording without stacks those that are to be had: from samples beside its files, or from some of its own ranks.
 *
 * @param paths as they were given: messages name the files so.
 * @param readSample reads a sample; what it cannot read lends nothing.
 */
export async function withLentStacks(
  read: ReadRecording,
  paths: readonly string[],
  readSample: (file: string) => Promise<Trace>,
): Promise<ReadRecording> {
  const { trace } = read;
  const have = partsWithStacks(trace);
  if (!have.includes(false)) return read;
  const given = new Map(paths.map((name) => [machine.files.absolute(name), name]));
  const notes: string[] = [];
  let byLending = 0;
  for (const [part, { path: file, program = '' }] of trace.parts.entries()) {
    const beside = have[part] === true || file === '-' ? undefined : await findStackSample(given.get(file) ?? file);
    if (beside === undefined) continue;
    const sample = await readSample(beside).catch((error: unknown) => {
      return messageOf(error);
    });
    const isOther = typeof sample !== 'string' && sample.program !== '' && sample.program !== program;
    if (typeof sample === 'string' || isOther) {
      const why = typeof sample === 'string' ? sample : 'it is a recording of another program';
      notes.push(`${beside} lends no stacks: ${why}`);
      continue;
    }
    // The cache must hold what was recorded.
    await read.stored;
    const lent = lendStacks(trace, sample, (stream) => trace.streams[stream]!.part === part);
    byLending += lent.byOrder + lent.byShare;
    have[part] = true;
    notes.push(lendingNote(lent, beside));
  }
  if (have.includes(true) && trace.parts.length > 1) await read.stored;
  for (const lent of lendAmongRanks(trace, have)) notes.push(lendingNote(lent, 'the other ranks'));
  if (notes.length === 0) return read;
  const capabilities = { ...trace.capabilities, stacks: trace.capabilities.stacks || byLending > 0 };
  const lent = { ...trace, capabilities };
  // What was lent to a call is also that of the calls of lower layers that it made.
  inheritStacks(lent);
  return { ...read, trace: lent, notes: [...read.notes, ...notes] };
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
