import { fileName } from '../../base/path-names.ts';
import { hexDigest } from '../../base/digest.ts';
import { getOrCreate } from '../../base/grouping.ts';
import { machine } from '#machine';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import { shiftOfKeptLines } from '../../symbols/kept-lines.ts';
import type { LineShift } from '../../symbols/line-shift.ts';
import type { ModuleReport } from '../../symbols/recorded-module.ts';
import type { ResolvedStacks, SourceFrame } from '../../symbols/resolved-stacks.ts';
import type { LocatedSource } from '../../symbols/source-locator.ts';
import type { SourceReport } from '../../symbols/source-report.ts';
import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Repository } from './git.ts';
import type { KeptSource } from '../reading/kept/read-places.ts';
import type { RecordingNote } from '../reading/recording-note.ts';
import { LARGEST_SOURCE } from './quoted-sources.ts';
import { isSourceName } from './source-names.ts';
import { changesSince, type RecordedCall } from './source-history.ts';

/** Seconds by which a source may be younger than its binary: files that are copied or checked out together are not edited. */
const COPIED_TOGETHER = 2;
/** Files whose history is asked for; git takes some milliseconds for each. */
const MOST_HISTORIES = 200;

interface Examination {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly sources: ReadonlyMap<string, LocatedSource>;
  /** Undefined where git is not installed or must not be started. */
  readonly repository: Repository | undefined;
  readonly note: RecordingNote | undefined;
  /** What the recording keeps of its sources, by their recorded names. */
  readonly kept: ReadonlyMap<string, KeptSource>;
  /** Seconds since 1970 when the recording ended; undefined when nobody knows. */
  readonly recordedUntil: number | undefined;
}

/** A source file as the stacks show it. */
interface SeenSource {
  readonly modules: Set<string>;
  readonly calls: Map<string, RecordedCall>;
}

/**
 * Asks of each source file of the user's code whether it is still what was recorded. Where the recorded revision is known
 * the lines of the stacks are moved to where they stand now; where it is not, a file that is younger than its binary is
 * said to be stale.
 */
export async function examineSources(given: Examination): Promise<SourceReport[]> {
  given.resolved.shifts = new Map();
  const seen = seenSources(given.trace, given.resolved);
  const shifts = new Map<number, LineShift>();
  const reports: SourceReport[] = [];
  let histories = 0;
  for (const [source, what] of seen) {
    const located = given.sources.get(source);
    const local = located?.local;
    if (local === undefined) {
      const candidates = located?.candidates ?? [];
      reports.push({ ...blank(source, ''), status: candidates.length > 0 ? 'unclear' : 'missing', candidates });
      continue;
    }
    const mayAsk = located?.inWorkspace === true && histories++ < MOST_HISTORIES;
    const { report, shift } =
      (mayAsk ? await compareWithKept(given.kept.get(source), source, local) : undefined) ??
      (await examine(given, source, local, what, mayAsk));
    reports.push(report);
    if (shift !== undefined) shifts.set(given.resolved.names.intern(source), shift);
  }
  given.resolved.shifts = shifts;
  return reports;
}

function blank(source: string, file: string): SourceReport {
  return { source, file, status: 'here', candidates: [], stale: false, revision: '', note: '' };
}

/**
 * Judges a file of the workspace by what the recording keeps of it.
 * @returns undefined where it keeps nothing, or none of its lines is found again.
 */
async function compareWithKept(
  kept: KeptSource | undefined,
  source: string,
  local: string,
): Promise<{ report: SourceReport; shift?: LineShift } | undefined> {
  if (kept === undefined || !isSourceName(local)) return undefined;
  // Reading a pipe would wait for ever.
  const status = await machine.files.status(local).catch(() => undefined);
  if (status?.kind !== 'file' || status.size > LARGEST_SOURCE) return undefined;
  const text = await machine.files.text(local).catch(() => undefined);
  if (text === undefined) return undefined;
  const report = blank(source, local);
  if ((await hexDigest(new TextEncoder().encode(text))) === kept.hash) return { report };
  const shift = shiftOfKeptLines(kept.lines, text.split(/\r?\n/));
  if (shift === undefined) return undefined;
  const note = `${fileName(local)} was edited after the recording: its lines were found again by the texts that the recording keeps`;
  return { report: { ...report, note }, shift };
}

async function examine(
  given: Examination,
  source: string,
  local: string,
  { modules, calls }: SeenSource,
  mayAsk: boolean,
): Promise<{ report: SourceReport; shift?: LineShift }> {
  const report = blank(source, local);
  const binaries = given.resolved.modules.filter(({ module }) => modules.has(module));
  const edited = await editedAfter(local, binaries, given);
  // Lines out of a binary that was built anew are those of the source then, not of the recorded one.
  const asRecorded = binaries.every((binary) => isAsRecorded(binary, given.recordedUntil));
  const hasNote = given.note !== undefined && given.note.revision !== '';
  if (given.repository !== undefined && mayAsk && asRecorded && (hasNote || edited !== '')) {
    const startTime = given.trace.startTime ?? undefined;
    const past = { note: given.note, startTime, calls: [...calls.values()] };
    const changes = await changesSince(given.repository, local, past);
    if (changes.kind === 'known') {
      const { revision, shift } = changes;
      const note = shift.isEmpty
        ? ''
        : `${fileName(local)} was edited after the recording: its lines were moved along with the changes since revision ${revision.slice(0, 10)}`;
      return { report: { ...report, revision, note }, shift };
    }
    const why = changes.why === '' ? '' : ` (${changes.why})`;
    if (changes.why !== '' && edited === '') {
      return { report: { ...report, note: `${fileName(local)} cannot be compared with what was recorded${why}` } };
    }
    if (edited !== '')
      return { report: { ...report, stale: true, note: `${fileName(local)} ${edited}; lines may be off${why}` } };
    return { report };
  }
  if (edited === '') return { report };
  return { report: { ...report, stale: true, note: `${fileName(local)} ${edited}; lines may be off` } };
}

/** In words, when a file was edited too late for its lines to be right; '' when it was not. */
async function editedAfter(
  file: string,
  binaries: readonly ModuleReport[],
  { recordedUntil, trace }: Examination,
): Promise<string> {
  const time = (await machine.files.status(file).catch(() => undefined))?.modified;
  if (time === undefined) return '';
  const isLate = recordedUntil !== undefined && time > recordedUntil;
  // Lines that strace wrote itself (-kk) are those of the recorded source, whatever was built since.
  const hasOwnLines = trace.stacks.sourceFiles.length > 1 && binaries.some((binary) => !hasFittingLines(binary));
  const built = binaries.filter(hasFittingLines).map((binary) => binary.modified!);
  if (built.length === 0 || (hasOwnLines && isLate)) return isLate ? 'was edited after the recording' : '';
  if (time <= Math.min(...built) + COPIED_TOGETHER) return '';
  return isLate ? 'was edited after the recording' : 'was edited after the program was built';
}

function hasFittingLines({ status, modified, misfits }: ModuleReport): boolean {
  return status === 'lines' && modified !== null && misfits === 0;
}

function isAsRecorded(binary: ModuleReport, recordedUntil: number | undefined): boolean {
  // No line of these comes from a binary.
  if (binary.sameBuild || binary.status === 'missing' || binary.status === 'changed') return true;
  return hasFittingLines(binary) && recordedUntil !== undefined && binary.modified! <= recordedUntil;
}

/** The source files of the user's own frames, with the modules they are part of and the calls on their lines. */
function seenSources(trace: Trace, resolved: ResolvedStacks): Map<string, SeenSource> {
  const seen = new Map<string, SeenSource>();
  const frames = framesByPlace(trace, resolved);
  for (let node = 0; node < trace.stacks.nodes; node++) {
    const chain = frames[resolved.placeOfNode[node]!]!;
    // Inlined calls stand within a place; the innermost frame of a place is called by nothing of it.
    chain.forEach((frame, i) => see(seen, frame, chain[i - 1]?.functionName ?? ''));
    const caller = trace.stacks.nodeParent.at(node);
    const calling = caller === NONE ? undefined : frames[resolved.placeOfNode[caller]!]![0];
    if (calling !== undefined) see(seen, calling, chain.at(-1)?.functionName ?? '');
  }
  return seen;
}

function framesByPlace(trace: Trace, resolved: ResolvedStacks): (readonly SourceFrame[])[] {
  const frames: (readonly SourceFrame[])[] = [];
  for (let node = 0; node < trace.stacks.nodes; node++) frames[resolved.placeOfNode[node]!] ??= resolved.framesOf(node);
  return frames;
}

function see(seen: Map<string, SeenSource>, frame: SourceFrame, callee: string): void {
  if (frame.isLibrary || frame.line === 0 || frame.file === '' || isLibrarySource(frame.file)) return;
  const source = getOrCreate(seen, frame.file, () => ({ modules: new Set(), calls: new Map() }));
  source.modules.add(frame.module);
  if (callee !== '') source.calls.set(`${frame.line} ${callee}`, { line: frame.line, callee });
}
