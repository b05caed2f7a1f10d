import { isSure, medianOf, pairedSaving, type PairedSaving } from '../../analysis/trials/paired-saving.ts';
import type { FaultResult } from '../../analysis/trials/fault-outcome.ts';
import type { RecordedRun, TrialFinding, TrialResult } from '../../analysis/trials/trial-result.ts';
import { counted, formatCount, formatShare } from '../../base/quantities.ts';
import type { FixDocument } from './fixes-document.ts';

/** `iolens fix … --try --json` */
export interface TrialDocument {
  readonly schema: 'iolens/trial@1';
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
  readonly verdict: string;
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
}

export function trialDocument(fixes: readonly FixDocument[], result: TrialResult): TrialDocument {
  const { buildErrors, comparison, recorded, before, after } = result;
  const built = buildErrors === undefined;
  const codes = [...new Set(fixes.flatMap((fix) => fix.codes))];
  const cleared = codes.filter((code) => isCleared(code, fixes, recorded));
  const saving = built && before.length > 0 ? pairedSaving(before, after) : undefined;
  const document = {
    schema: 'iolens/trial@1' as const,
    fixes: fixes.map(({ id, kind, title, file, line }) => ({ id, kind, title, file, line })),
    built,
    buildErrors: buildErrors ?? null,
    equal: built && comparison.differences.length === 0,
    ...comparison,
    cleared,
    remaining: codes.filter((code) => !cleared.includes(code)),
    appeared: appearedCodes(recorded),
    calls: recorded === undefined ? null : { before: recorded.before.calls, after: recorded.after.calls },
    before: { runs: before },
    after: { runs: after },
    savedNs: saving?.savedNs ?? null,
    lowNs: saving?.lowNs ?? null,
    highNs: saving?.highNs ?? null,
    confidence: saving?.confidence ?? null,
    estimate: estimateOf(fixes),
    faults: result.faults,
    leftOut: result.leftOut,
    notes: [...result.notes, ...notSeen(codes, fixes, recorded)],
  };
  return { ...document, verdict: verdictOf(document, saving) };
}

/** Whether nothing speaks against the change. A trade may be worse off when something fails: its title says how. */
export function isProven({ equal, remaining, fixes, faults }: TrialDocument): boolean {
  const isTrade = fixes.some(({ kind }) => kind === 'trade');
  return equal && remaining.length === 0 && (isTrade || faults.every(({ worse }) => !worse));
}

/** What it is worth: results first, then what is left of the finding, then time. */
function verdictOf(document: Omit<TrialDocument, 'verdict'>, saving: PairedSaving | undefined): string {
  const { built, equal, differences, uncompared, remaining } = document;
  if (!built || saving === undefined) return 'does not build after the change';
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

type Recorded = TrialResult['recorded'];

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

function notSeen(codes: readonly string[], fixes: readonly FixDocument[], recorded: Recorded): string[] {
  if (recorded === undefined) return [];
  const missing = codes.filter((code) => !isFound(code, fixes, recorded.before));
  const { before, after } = recorded;
  return missing.map((code) => {
    const calls = `${counted(before.calls, 'I/O call')} before, ${formatCount(after.calls)} after`;
    return `a run of the original in the copy is too short for ${code}, or has another input: ${calls}`;
  });
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
