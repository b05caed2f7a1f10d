import { formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { AnalysedRecording } from './analysis-document.ts';
import type { AnalysisDocument, UnmarkedDocument } from './documents.ts';

/** What costs much and has no finding: silence about it would be taken for praise. */

/** Places and files of each that are listed. */
const MOST_PLACES = 5;

export function unmarkedDocuments({
  recording,
  trace,
  callSites,
  unmarked,
  locate,
}: AnalysedRecording): UnmarkedDocument[] {
  return unmarked.map(({ kind, sites, files, events, bytes, timeNs, cost, what }) => ({
    recording,
    kind,
    sites: sites.slice(0, MOST_PLACES).map((site) => {
      const { file, line, functionName } = callSites.sites[site]!;
      return { file: locate(file).file, line, function: functionName };
    }),
    files: files.slice(0, MOST_PLACES).map((file) => trace.files.at(file).path),
    places: sites.length === 0 ? files.length : sites.length,
    events,
    bytes,
    timeNs,
    cost,
    message: what,
  }));
}

/**
 * `heat.c:54 in step: 62 % of the I/O, 12 % of the run (120 ms): 2 writes of 1 MiB…`, a line each.
 * @param place a source path as the reader knows it.
 */
export function unmarkedLines(
  { unmarked, recordings }: Pick<AnalysisDocument, 'unmarked' | 'recordings'>,
  place: (file: string) => string,
): string[] {
  return unmarked.map((each) => {
    const of = recordings.length > 1 ? `${each.recording}: ` : '';
    return `${of}${placeWords(each, place)}: ${costWords(each)}: ${each.message}`;
  });
}

function placeWords({ sites, files, places }: UnmarkedDocument, place: (file: string) => string): string {
  const [site] = sites;
  const [path] = files;
  const more = places > 1 ? ` and ${formatCount(places - 1)} more ${places === 2 ? 'place' : 'places'}` : '';
  if (site !== undefined) {
    const where = site.line > 0 ? `${place(site.file)}:${site.line}` : '(no source line)';
    return `${where}${site.function === '' ? '' : ` in ${site.function}`}${more}`;
  }
  if (path === undefined) return 'calls without a source line';
  return places > 1 ? `${path} and ${formatCount(places - 1)} more ${places === 2 ? 'file' : 'files'}` : path;
}

function costWords({ kind, cost }: UnmarkedDocument): string {
  const ofRun = `${formatShare(cost.shareOfRun)} of the run (${formatDuration(cost.untracedNs)})`;
  return kind === 'waiting' && cost.shareOfIo === 0 ? ofRun : `${formatShare(cost.shareOfIo)} of the I/O, ${ofRun}`;
}
