import { costText, recordedText, shareOfRun, type Costly } from '../../export/analysis/cost-text.ts';
import type { AnalysisDocument, SitesDocument } from '../../export/analysis/documents.ts';
import type { FilesDocument } from '../../export/analysis/file-documents.ts';
import { runFigures } from '../../export/analysis/run-figures.ts';
import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import type { ViewLine, ViewPlace, ViewRun, ViewUsedFile } from './protocol.ts';

/** What a report is made of. */
export interface ReportedRecording {
  readonly name: string;
  readonly paths: readonly string[];
  readonly analysis: AnalysisDocument;
  readonly sites: SitesDocument['sites'];
}

type Place = (of: { readonly file: string; readonly line: number }) => ViewPlace;

/** Lines and files that are listed: whoever needs more exports the report, or looks at the trees. */
const MOST_LINES = 100;
const MOST_FILES = 200;
const MOST_CALLS = 3;
const MOST_PLACES = 3;

/** What a report says of a run that no job describes: its numbers, its dearest lines and files. */
export function viewRun({ analysis, sites }: ReportedRecording, files: FilesDocument, place: Place): ViewRun {
  const info = analysis.recordings[0]!;
  return {
    headlines: headlines(analysis, files),
    facts: facts(info),
    startTime: info.startTime,
    isTraced: sites.some(({ cost }) => cost?.traced === true),
    lines: sites.slice(0, MOST_LINES).map((site) => viewLine(site, place)),
    linesLeftOut: Math.max(0, sites.length - MOST_LINES),
    files: files.files.slice(0, MOST_FILES).map((file) => viewFile(file, place)),
    filesLeftOut: Math.max(0, files.total - MOST_FILES),
  };
}

function headlines({ run, recordings }: AnalysisDocument, { files, total }: FilesDocument): ViewRun['headlines'] {
  const info = recordings[0]!;
  const figures = run === null ? undefined : runFigures(run);
  const estimated = figures?.isEstimated === true ? 'estimated, without the recorder' : '';
  const sum = (of: 'readBytes' | 'writtenBytes'): number => files.reduce((bytes, file) => bytes + file[of], 0);
  const some = files.length < total ? `of the ${formatCount(files.length)} files that took most time` : '';
  const processes = info.processes ?? info.streams;
  return [
    ['Processes', processes === 0 ? '–' : formatCount(processes), ''],
    ['Run time', figures?.length ?? formatDuration(info.durationNs), estimated],
    ['I/O', figures?.ioShare ?? '–', figures === undefined ? 'not known' : `${figures.io} of the run`],
    [
      'Could be saved',
      figures?.saved?.time ?? '–',
      figures?.saved === undefined ? 'not known' : `${figures.saved.share} of the run`,
    ],
    ['Read', formatBytes(sum('readBytes')), some],
    ['Written', formatBytes(sum('writtenBytes')), some],
    ['Files', formatCount(total), ''],
  ];
}

function facts(info: AnalysisDocument['recordings'][number]): ViewRun['facts'] {
  const { program, format, version, hosts, layers, events, streams, ranks } = info;
  const rows: [string, string][] = [
    ['Program', program],
    ['Recorded by', `${format} ${version}`.trim()],
    ['Hosts', hosts.join(', ')],
    ['Layers', layers.join(', ')],
    ['Ranks', ranks === undefined ? '' : formatCount(ranks)],
    ['Processes and threads', formatCount(streams)],
    ['Calls', formatCount(events)],
    [
      'Joined with',
      (info.sources ?? [])
        .slice(1)
        .map(({ path }) => path)
        .join(', '),
    ],
  ];
  return rows.filter(([, value]) => value !== '');
}

function amount(
  of: Costly & { readonly events: number; readonly share: number },
): Pick<ViewLine, 'calls' | 'cost' | 'recorded' | 'share'> {
  const share = shareOfRun(of, of.share);
  return {
    calls: formatCount(of.events),
    cost: costText(of),
    recorded: recordedText(of) ?? '',
    share: Number.isNaN(share) ? '' : formatShare(share),
  };
}

function viewLine(site: SitesDocument['sites'][number], place: Place): ViewLine {
  const { file, line, isHere } = site;
  const calls = Object.entries(site.calls)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_CALLS)
    .map(([name, count]) => `${name} ${formatCount(count)}`);
  const label = line > 0 ? `${file.split('/').at(-1)!}:${line}` : file === '' ? '(no source line)' : file;
  return {
    ...amount(site),
    place: isHere && line > 0 ? place(site) : { label },
    function: site.function,
    what: calls.join(', '),
    bytes: formatBytes(site.bytes),
  };
}

function viewFile(file: FilesDocument['files'][number], place: Place): ViewUsedFile {
  const places = file.sites.filter(({ isHere, line }) => isHere && line > 0).slice(0, MOST_PLACES);
  return {
    ...amount(file),
    path: file.path,
    read: formatBytes(file.readBytes),
    written: formatBytes(file.writtenBytes),
    places: places.map(place),
  };
}
