import type { Fix, Replacement } from 'sarif';
import type { InsightDocument, SiteDocument } from '../analysis/documents.ts';
import type { FixDocument } from '../fixes/fixes-document.ts';
import { artifactLocation, type LocationContext } from './sarif-location.ts';

/** Fixes that change the program, by the place of their finding; those of files that the log does not name are left out. */
export class SarifFixes {
  private readonly byPlace = new Map<string, FixDocument[]>();

  /** @param insights those of the log. */
  constructor(fixes: readonly FixDocument[], insights: readonly InsightDocument[]) {
    const sites = insights.flatMap((insight) => insight.sites);
    const named = new Set(sites.flatMap(({ file, closedAt }) => [file, ...closedAt.map((place) => place.file)]));
    for (const fix of fixes) {
      if (fix.kind === 'example' || !fix.edits.every(({ file }) => named.has(file))) continue;
      for (const place of new Set(fix.places.map((answered) => placeOf(answered.code, answered)))) {
        this.byPlace.set(place, [...(this.byPlace.get(place) ?? []), fix]);
      }
    }
  }

  at({ code }: InsightDocument, site: SiteDocument, places: LocationContext): Fix[] {
    return (this.byPlace.get(placeOf(code, site)) ?? []).map((fix) => sarifFix(fix, places));
  }
}

function placeOf(code: string, { file, line }: { readonly file: string; readonly line: number }): string {
  return `${code} ${line} ${file}`;
}

/** What the fix promises stands in the properties: SARIF has no word for it. */
function sarifFix({ id, kind, title, notes, edits }: FixDocument, places: LocationContext): Fix {
  const files = [...new Set(edits.map(({ file }) => file))];
  return {
    description: { text: [title, ...notes].join('. ') },
    artifactChanges: files.map((file) => ({
      artifactLocation: artifactLocation(file, places),
      replacements: edits.filter((edit) => edit.file === file).map(replacement),
    })),
    properties: { id, kind },
  };
}

function replacement({ line, column, endLine, endColumn, newText }: FixDocument['edits'][number]): Replacement {
  return {
    deletedRegion: { startLine: line, startColumn: column, endLine, endColumn },
    insertedContent: { text: newText },
  };
}
