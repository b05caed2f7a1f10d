import { isSure, medianOf, pairedSaving, type PairedSaving } from '../../analysis/trials/paired-saving.ts';
import type { FaultResult } from '../../analysis/trials/fault-outcome.ts';
import type { RecordedRun, TrialFinding, TrialResult, TriedChange } from '../../analysis/trials/trial-result.ts';
import { counted, formatShare } from '../../base/quantities.ts';
import type { FixDocument } from './fixes-document.ts';

/** What a trial says of a change: of one fix, or of several together. */
export interface TriedDocument {
  readonly fixes: readonly Pick<FixDocument, 'id' | 'kind' | 'title' | 'file' | 'line'>[];
  /** It builds after the change. */
  readonly built: boolean;
  /** What the build says when it does not; null when it does. */
  readonly buildErrors: string | null;
  /** Ends, output and files are those of before, but for what varies by itself. */
  readonly equal: boolean;
  readonly differences: readonly string[];
  /** What two runs of the original differ in, and is compared without that. */
  readonly varying: readonly string[];
  /** What varies too much to be compared. */
  readonly uncompared: readonly string[];
  /** Codes of the findings that are gone, of those that the fixes are for; and of those that are not. */
  readonly cleared: readonly string[];
  readonly remaining: readonly string[];
  /** Codes of findings that were not there before. */
  readonly appeared: readonly string[];
  /** I/O calls of a recorded run; null where nothing could be recorded. */
  readonly calls: { readonly before: number; readonly after: number } | null;
  /** Nanoseconds of wall time, a pair for each place of the two lists. */
  readonly before: { readonly runs: readonly number[] };
  readonly after: { readonly runs: readonly number[] };
  /** Median of the differences of pairs, and its interval; null where nothing was run. */
  readonly savedNs: number | null;
  readonly lowNs: number | null;
  readonly highNs: number | null;
  /** Of the interval. */
  readonly confidence: number | null;
  /** What the recording let expect of the whole findings. */
  readonly estimate: FixDocument['gain'];
  readonly faults: readonly FaultResult[];
  /** Nothing speaks against it: results are equal, the findings gone, and a repair is no worse off with a fault. */
  readonly proven: boolean;
  readonly verdict: string;
}

/** `iolens fix … --try --json`. Of several fixes it begins with what they do together. */
export interface TrialDocument extends TriedDocument {
  readonly schema: 'iolens/trial@1';
  /** Several fixes one by one; empty where there is one. */
  readonly each: readonly TriedDocument[];
  /** Why several could not be tried together; empty where they were. */
  readonly conflicts: readonly string[];
  /** The change as a unified diff; of fixes that exclude each other one after the other. */
  readonly diff: string;
  /** A command line that tries it again; null where none can. */
  readonly command: string | null;
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
}

/** What is tried. */
interface TriedFixes extends Pick<TrialDocument, 'conflicts' | 'diff' | 'command'> {
  readonly fixes: readonly FixDocument[];
}

/** The changes that a trial has to try, as fixes each: several together, unless they exclude each other, then one by one. */
export function changesToTry(
  fixes: readonly FixDocument[],
  conflicts: readonly string[],
): readonly (readonly FixDocument[])[] {
  const each = fixes.length > 1 ? fixes.map((fix) => [fix]) : [];
  return conflicts.length > 0 ? each : [fixes, ...each];
}

/** @param result of `changesToTry`, in that order. */
export function trialDocument({ fixes, conflicts, diff, command }: TriedFixes, result: TrialResult): TrialDocument {
  const tried = changesToTry(fixes, conflicts).map((some, i) => triedDocument(some, result, result.changes[i]!));
  const isTogether = conflicts.length === 0;
  const each = isTogether ? tried.slice(1) : tried;
  const codes = [...new Set(fixes.flatMap((fix) => fix.codes))];
  return {
    schema: 'iolens/trial@1',
    ...(isTogether ? tried[0]! : excludedDocument(fixes, result)),
    each,
    conflicts,
    diff,
    command,
    leftOut: result.leftOut,
    notes: [...result.notes, ...notSeen(codes, fixes, result)],
  };
}

/** Of fixes that cannot be made together: nothing was built. */
function excludedDocument(fixes: readonly FixDocument[], result: TrialResult): TriedDocument {
  const untried: TriedChange = {
    buildErrors: '',
    comparison: { differences: [], varying: [], uncompared: [] },
    recorded: undefined,
    times: [],
    faults: [],
  };
  return { ...triedDocument(fixes, result, untried), buildErrors: null, verdict: 'cannot be made together' };
}

function triedDocument(fixes: readonly FixDocument[], { original }: TrialResult, change: TriedChange): TriedDocument {
  const { buildErrors, comparison, times, faults } = change;
  const built = buildErrors === undefined;
  const codes = [...new Set(fixes.flatMap((fix) => fix.codes))];
  const recorded =
    original.recorded === undefined || change.recorded === undefined
      ? undefined
      : { before: original.recorded, after: change.recorded };
  const cleared = codes.filter((code) => isCleared(code, fixes, recorded));
  const saving = built && times.length > 0 ? pairedSaving(original.times, times) : undefined;
  const document = {
    fixes: fixes.map(({ id, kind, title, file, line }) => ({ id, kind, title, file, line })),
    built,
    buildErrors: buildErrors ?? null,
    equal: built && comparison.differences.length === 0,
    ...comparison,
    cleared,
    remaining: codes.filter((code) => !cleared.includes(code)),
    appeared: appearedCodes(recorded),
    calls: recorded === undefined ? null : { before: recorded.before.calls, after: recorded.after.calls },
    before: { runs: built ? original.times : [] },
    after: { runs: times },
    savedNs: saving?.savedNs ?? null,
    lowNs: saving?.lowNs ?? null,
    highNs: saving?.highNs ?? null,
    confidence: saving?.confidence ?? null,
    estimate: estimateOf(fixes),
    faults,
  };
  return { ...document, proven: isProven(document), verdict: verdictOf(document, saving) };
}

/** Whether results are equal, the finding is gone, and nothing gets worse when something fails; of a trade its title says how. */
function isProven({
  equal,
  remaining,
  fixes,
  faults,
}: Pick<TriedDocument, 'equal' | 'remaining' | 'fixes' | 'faults'>): boolean {
  const isTrade = fixes.some(({ kind }) => kind === 'trade');
  return equal && remaining.length === 0 && (isTrade || faults.every(({ worse }) => !worse));
}

/** What it is worth: results first, then what is left of the finding, then time. */
function verdictOf(document: Omit<TriedDocument, 'verdict' | 'proven'>, saving: PairedSaving | undefined): string {
  const { built, equal, differences, uncompared, remaining } = document;
  if (!built) return 'does not build after the change';
  if (saving === undefined) return 'was built, and not run';
  if (!equal) return `changes results (${counted(differences.length, 'difference')})`;
  const results = uncompared.length === 0 ? 'keeps results' : 'keeps results as far as they can be compared';
  const finding =
    remaining.length === 0 ? '' : `, but ${remaining.join(', ')} ${remaining.length === 1 ? 'is' : 'are'} still found`;
  const faults = document.faults.filter(({ worse }) => worse).map(({ fault }) => fault);
  const worse = faults.length === 0 ? '' : `, is worse off with ${faults.join(' and ')}`;
  return `${results}, ${savingWords(saving, medianOf(document.before.runs))}${finding}${worse}`;
}

function savingWords(saving: PairedSaving, wholeNs: number): string {
  if (!isSure(saving)) return 'no saving was measured';
  const share = formatShare(Math.abs(saving.savedNs) / wholeNs);
  return saving.savedNs > 0 ? `saves ${share}` : `takes ${share} longer`;
}

/** A run before and one after; undefined where one of them could not be recorded. */
type Recorded = { readonly before: RecordedRun; readonly after: RecordedRun } | undefined;

function placesOf(code: string, fixes: readonly FixDocument[]): string[] {
  return fixes.filter(({ codes }) => codes.includes(code)).map((fix) => placeName(fix.file, fix.function));
}

function isFound(code: string, fixes: readonly FixDocument[], { findings }: RecordedRun): boolean {
  const places = placesOf(code, fixes);
  return findings.some((finding) => finding.code === code && finding.places.some((place) => places.includes(place)));
}

/** A place that stays the same when lines move; of the file its name alone, for copies lie elsewhere. */
export function placeName(file: string, functionName: string): string {
  return `${file.slice(file.lastIndexOf('/') + 1)} ${functionName}`;
}

/** A finding that has only moved, to a helper of the fix perhaps, is not gone. */
function isCleared(code: string, fixes: readonly FixDocument[], recorded: Recorded): boolean {
  if (recorded === undefined || isFound(code, fixes, recorded.after) || appearedCodes(recorded).includes(code))
    return false;
  return isFound(code, fixes, recorded.before) || madeFewer(code, fixes, recorded);
}

/** Share of the calls of its places that are to go where the finding itself is too cheap in this run to be found. */
const MUCH_FEWER = 0.4;

function madeFewer(code: string, fixes: readonly FixDocument[], { before, after }: NonNullable<Recorded>): boolean {
  const here = [...new Set(placesOf(code, fixes))].reduce((sum, place) => sum + (before.callsAt.get(place) ?? 0), 0);
  return here > 0 && before.calls - after.calls >= MUCH_FEWER * here;
}

function notSeen(
  codes: readonly string[],
  fixes: readonly FixDocument[],
  { original: { recorded } }: TrialResult,
): string[] {
  if (recorded === undefined) return [];
  const missing = codes.filter((code) => !isFound(code, fixes, recorded));
  const calls = counted(recorded.calls, 'I/O call');
  return missing.map(
    (code) => `a run of the original in the copy is too short for ${code}, or has another input: it has ${calls}`,
  );
}

function appearedCodes(recorded: Recorded): string[] {
  if (recorded === undefined) return [];
  const known = new Set(recorded.before.findings.flatMap(keysOf));
  const appeared = recorded.after.findings.filter((finding) => keysOf(finding).some((key) => !known.has(key)));
  return [...new Set(appeared.map(({ code }) => code))];
}

function keysOf({ code, places }: TrialFinding): string[] {
  return places.length === 0 ? [code] : places.map((place) => `${code} ${place}`);
}

/** Several fixes of a finding save no more than the finding costs. */
function estimateOf(fixes: readonly FixDocument[]): FixDocument['gain'] {
  const gains = [...new Map(fixes.map(({ code, gain }) => [code, gain])).values()];
  const sum = (values: readonly (number | null)[]): number | null =>
    values.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
  return {
    savedNs: sum(gains.map(({ savedNs }) => savedNs)),
    lowNs: sum(gains.map(({ lowNs }) => lowNs)),
    highNs: sum(gains.map(({ highNs }) => highNs)),
  };
}
