import type { Fix, FixKind, SourceEdit } from '../../analysis/fixes/fix.ts';
import type { InsightDocument, SiteDocument } from '../analysis/documents.ts';
import { TextPositions } from './text-positions.ts';

/** Text between two places is replaced. Lines and columns count from 1, columns in UTF-16 units; the end is exclusive. */
export interface EditDocument {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly newText: string;
}

/** A change that answers a finding. */
export interface FixDocument {
  /** The first finding's code and a number by file and line: the same in every call, and in recordings with the same findings. */
  readonly id: string;
  readonly code: string;
  /** All findings that the same change answers, by code; `code` is the first. */
  readonly codes: readonly string[];
  /** The places of these findings that it answers. */
  readonly places: readonly { readonly code: string; readonly file: string; readonly line: number }[];
  readonly trigger: string;
  /** The place of the finding, on this machine. */
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly title: string;
  readonly kind: FixKind;
  /** Why it is no more than an example; null where nothing stands against a change, or it is one. */
  readonly reason: string | null;
  readonly notes: readonly string[];
  /** Why the line may not be the recorded one; null when it is. */
  readonly lineNote: string | null;
  /** Of the whole finding, in nanoseconds; null where nothing can be said. */
  readonly gain: { readonly savedNs: number | null; readonly lowNs: number | null; readonly highNs: number | null };
  readonly edits: readonly EditDocument[];
}

/** `iolens fixes --json` */
export interface FixesDocument {
  readonly schema: 'iolens/fixes@1';
  readonly fixes: readonly FixDocument[];
}

/** The fixes for a finding at one of its places. */
export interface FoundFixes {
  readonly insight: Pick<InsightDocument, 'code' | 'trigger' | 'gain'>;
  readonly site: SiteDocument;
  readonly fixes: readonly Fix[];
}

/** What changes the program comes first. */
const RANK: Readonly<Record<FixKind, number>> = { repair: 0, trade: 1, example: 2 };

/** @param texts the sources that the fixes were made for. */
export function fixesDocument(found: readonly FoundFixes[], texts: ReadonlyMap<string, string>): FixesDocument {
  const positions = new Map([...texts].map(([file, text]) => [file, new TextPositions(text)]));
  const all = found.flatMap(({ insight, site, fixes }) =>
    fixes.map((fix) => documentOf(fix, insight, site, positions)),
  );
  all.sort(
    (a, b) =>
      compare(a.code, b.code) ||
      compare(a.file, b.file) ||
      a.line - b.line ||
      RANK[a.kind] - RANK[b.kind] ||
      compare(a.title, b.title),
  );
  const numbers = new Map<string, number>();
  const fixes = withoutRepetitions(all).map((fix) => {
    const number = (numbers.get(fix.code) ?? 0) + 1;
    numbers.set(fix.code, number);
    return { id: `${fix.code}-${number}`, ...fix };
  });
  return { schema: 'iolens/fixes@1', fixes };
}

function documentOf(
  fix: Fix,
  { code, trigger, gain: { savedNs, lowNs, highNs } }: FoundFixes['insight'],
  site: SiteDocument,
  positions: ReadonlyMap<string, TextPositions>,
): Omit<FixDocument, 'id'> {
  return {
    code,
    codes: [code],
    places: [{ code, file: site.file, line: site.line }],
    trigger,
    file: site.file,
    line: site.line,
    function: site.function,
    title: fix.title,
    kind: fix.kind,
    reason: fix.reason ?? null,
    notes: fix.note === '' ? [] : [fix.note],
    lineNote: site.note === '' ? null : site.note,
    gain: { savedNs, lowNs, highNs },
    edits: fix.edits.map((edit) => editDocument(edit, positions.get(edit.file)!)),
  };
}

function editDocument({ file, start, end, text }: SourceEdit, positions: TextPositions): EditDocument {
  const from = positions.at(start);
  const to = positions.at(end);
  return { file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column, newText: text };
}

/**
 * What several findings, their places or recordings have in common is listed once, at its first code and line.
 */
function withoutRepetitions(fixes: readonly Omit<FixDocument, 'id'>[]): Omit<FixDocument, 'id'>[] {
  const known = new Map<string, Omit<FixDocument, 'id'>>();
  for (const fix of fixes) {
    const key = JSON.stringify(fix.edits);
    const first = known.get(key);
    if (first === undefined) known.set(key, fix);
    else {
      const codes = [...new Set([...first.codes, ...fix.codes])];
      known.set(key, { ...first, codes, places: [...first.places, ...fix.places] });
    }
  }
  return [...known.values()];
}

/** The same order on every machine, whatever its language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
