import type { FixFinder } from '../../analysis/fixes/find-fixes.ts';
import { fixRequest, languageOfFile, sourcesOf } from '../../export/fixes/fix-request.ts';
import { fixesDocument, type FixesDocument, type FoundFixes } from '../../export/fixes/fixes-document.ts';
import type { InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { quotedSources, textsOf } from '../../session/sources/quoted-sources.ts';
import { analysisOf } from '../findings/answers.ts';

/** Fixes for the findings of recordings. Texts of sources are read only where lines of theirs may be quoted. */
export async function fixesOf(opened: readonly OpenedRecording[], finder: FixFinder): Promise<FixesDocument> {
  const found: FoundFixes[] = [];
  const texts = new Map<string, string>();
  for (const recording of opened) {
    const { insights } = await analysisOf([recording]);
    const places = insights.flatMap((insight) => sitesToFix(insight).map((site) => ({ insight, site })));
    const files = places.flatMap(({ site }) => sourcesOf(site));
    const known = await textsOf(await quotedSources(files, recording.request), files);
    for (const [file, text] of known) texts.set(file, text);
    // The finder keeps the sources that it parsed last.
    places.sort((a, b) => (a.site.file < b.site.file ? -1 : a.site.file > b.site.file ? 1 : 0));
    for (const place of places) {
      const fixes = await fixesAt(place, known, finder);
      found.push({ ...place, fixes });
    }
  }
  return fixesDocument(found, texts);
}

function sitesToFix({ sites }: InsightDocument): SiteDocument[] {
  return sites.filter(({ isHere, line }) => isHere && line > 0);
}

async function fixesAt(
  { insight, site }: Omit<FoundFixes, 'fixes'> & { readonly insight: InsightDocument },
  texts: ReadonlyMap<string, string>,
  finder: FixFinder,
): Promise<FoundFixes['fixes']> {
  const language = languageOfFile(site.file);
  if (language === undefined || !texts.has(site.file)) return [];
  const sources = Object.fromEntries(
    sourcesOf(site).flatMap((file) => {
      const text = texts.get(file);
      return text === undefined ? [] : [[file, text]];
    }),
  );
  // The analysis has moved the lines to where they stand now.
  return finder.find(fixRequest({ insight, site, line: site.line }, language, sources, (_file, line) => line));
}
