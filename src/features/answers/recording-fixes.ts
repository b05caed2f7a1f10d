import type { FixFinder } from '../../analysis/fixes/find-fixes.ts';
import { fixRequest, languageOfFile, recordedSources } from '../../export/fixes/fix-request.ts';
import { fixesDocument, type FixesDocument, type FoundFixes } from '../../export/fixes/fixes-document.ts';
import type { InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';
import type { OpenedRecording } from '../../session/reading/opened-recording.ts';
import { ProgramReader } from '../../session/sources/program-sources.ts';
import { analysisOf } from '../findings/answers.ts';

/** Fixes for the findings of recordings. Texts of sources are read only where lines of theirs may be quoted. */
export async function fixesOf(opened: readonly OpenedRecording[], finder: FixFinder): Promise<FixesDocument> {
  const found: FoundFixes[] = [];
  const texts = new Map<string, string>();
  const programs = new ProgramReader();
  for (const recording of opened) {
    const { insights } = await analysisOf([recording]);
    const places = insights.flatMap((insight) => sitesToFix(insight).map((site) => ({ insight, site })));
    // The finder keeps the sources that it parsed last.
    places.sort((a, b) => (a.site.file < b.site.file ? -1 : a.site.file > b.site.file ? 1 : 0));
    const recorded = [...new Set(places.flatMap(({ site }) => recordedSources(site)))];
    for (const place of places) {
      const { file } = place.site;
      const language = languageOfFile(file);
      if (language === undefined) continue;
      const question = { language, file, recorded, folders: recording.request, edited: {} };
      const program = await programs.sourcesOf(question);
      if (program.sources[file] === undefined) continue;
      for (const [name, text] of Object.entries(program.sources)) texts.set(name, text);
      // The analysis has moved the lines to where they stand now.
      const request = fixRequest({ ...place, line: place.site.line }, language, (_file, line) => line);
      found.push({ ...place, fixes: await finder.find({ ...request, ...program }) });
    }
  }
  return fixesDocument(found, texts);
}

function sitesToFix({ sites }: InsightDocument): SiteDocument[] {
  return sites.filter(({ isHere, line }) => isHere && line > 0);
}
