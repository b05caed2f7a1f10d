import { getOrCreate } from '../../base/grouping.ts';
import type { InsightDocument, SiteDocument } from '../../export/analysis/documents.ts';
import { jobPatches } from '../../export/analysis/advice.ts';
import { isSummary, nothingFound } from '../../export/analysis/findings.ts';
import { unmarkedLines } from '../../export/analysis/unmarked-documents.ts';
import type { FileDocument, FilesDocument } from '../../export/analysis/file-documents.ts';
import type { JobDocument, JobFile } from '../../export/report/job-document.ts';
import { summaryLines } from '../../export/report/report-text.ts';
import { gainText } from '../../export/analysis/gain-text.ts';
import { formatBytes, formatCount, formatDuration } from '../../base/quantities.ts';
import type {
  ViewAdvice,
  ViewFile,
  ViewFinding,
  ViewPlace,
  ViewReport,
  ViewSite,
  ViewSnippet,
  ViewSummary,
} from './protocol.ts';
import { viewRun, type ReportedRecording } from './run-content.ts';

/** A line that a report leads to, as the recording names it (counted from 1). */
interface ReportPlace {
  readonly file: string;
  readonly line: number;
}

export interface ReportSnippet {
  readonly code: string;
  readonly language: InsightSnippet['language'];
}

type InsightSnippet = NonNullable<InsightDocument['recommendations'][number]['snippet']>;

/** Files and places of a finding that the report lists: whoever needs more exports it. */
const MOST_FILES = 25;
const MOST_SITES = 25;
/** Source lines that are named with a file. */
const MOST_PLACES = 3;

const LANGUAGES: Readonly<Record<InsightSnippet['language'], string>> = {
  c: 'C',
  cpp: 'C++',
  fortran: 'Fortran',
  python: 'Python',
  shell: 'shell',
};

/**
 * What a view is told of a recording. Places and snippets are handed over as numbers, so that the view can ask for nothing
 * but what it was shown.
 */
export class ReportContent {
  readonly places: ReportPlace[] = [];
  readonly snippets: ReportSnippet[] = [];
  private readonly numbers = new Map<string, number>();

  report(recording: ReportedRecording, job: JobDocument): ViewReport {
    const { files, ...rest } = job;
    return {
      ...this.findings(recording, job),
      job: rest,
      files: { rows: files.rows.length, leftOut: files.leftOut },
    };
  }

  /** Of a recording that describes no job. */
  summary(recording: ReportedRecording, files: FilesDocument): ViewSummary {
    return { ...this.findings(recording), run: viewRun(recording, files, (place) => this.place(place)) };
  }

  private findings({ name, paths, analysis }: ReportedRecording, job?: JobDocument): Omit<ViewSummary, 'run'> {
    const { recordings, insights, notes, timing } = analysis;
    const info = recordings[0]!;
    return {
      name,
      paths,
      head: summaryLines(info, timing[0]!, job),
      findings: insights.map((insight) => this.finding(insight)),
      nothingFound: nothingFound(analysis),
      unmarked: unmarkedLines(analysis, (file) => file.split('/').at(-1)!),
      patches: jobPatches(insights).map(({ codes, title, code }) => ({
        codes,
        snippet: this.snippet({ title, language: 'shell', code }),
      })),
      damage: info.damage,
      lacks: info.lacks.map(({ what, consequence, remedy }) => ({ what, consequence, remedy })),
      notes: [...new Set([...info.notes, ...notes])],
      events: info.events,
    };
  }

  /** @param used what is known of files by their path. */
  file(file: JobFile, used: ReadonlyMap<string, FileDocument>): ViewFile {
    const sites = used.get(file.path)?.sites ?? [];
    const places = sites.filter(({ isHere, line }) => isHere && line > 0).slice(0, MOST_PLACES);
    return { ...file, places: places.map((place) => this.place(place)) };
  }

  private place({ file, line }: ReportPlace): ViewPlace {
    const key = `${file}:${line}`;
    const place = getOrCreate(this.numbers, key, () => this.places.push({ file, line }) - 1);
    return { label: `${file.split('/').at(-1)!}:${line}`, place };
  }

  private finding(insight: InsightDocument): ViewFinding {
    const { files, sites, gain } = insight;
    const placed = sites.filter(({ line }) => line > 0);
    return {
      code: insight.code,
      trigger: insight.trigger,
      severity: insight.severity,
      title: insight.title,
      message: insight.message,
      isSummary: isSummary(insight),
      gain: gain.highNs === null ? '' : gainText(gain),
      evidence: Object.entries(insight.evidence),
      files: files.slice(0, MOST_FILES).map((file) => ({ path: file.path, amount: amountText(file) })),
      sites: placed.slice(0, MOST_SITES).map((site) => this.site(site)),
      filesLeftOut: Math.max(0, files.length - MOST_FILES),
      sitesLeftOut: Math.max(0, placed.length - MOST_SITES),
      advice: insight.recommendations.map((recommendation) => this.advice(recommendation)),
      ...(insight.picture !== undefined && { picture: insight.picture }),
    };
  }

  private site(site: SiteDocument): ViewSite {
    return {
      place: this.place(site),
      function: site.function,
      ranks: site.ranks ?? '',
      message: site.message,
      source: site.source,
      note: site.isHere
        ? site.note
        : `${site.recordedFile} is not on this machine: iolens.pathRules tells where it is.`,
      isHere: site.isHere,
    };
  }

  private advice({
    text,
    audience,
    snippet,
    alternatives = [],
  }: InsightDocument['recommendations'][number]): ViewAdvice {
    const snippets = snippet === undefined ? [] : [snippet, ...alternatives];
    return { audience, text, snippets: snippets.map((each) => this.snippet(each)) };
  }

  private snippet({ title, language, code }: InsightSnippet): ViewSnippet {
    const number = this.snippets.push({ code, language }) - 1;
    return { title, language: LANGUAGES[language], code, number };
  }
}

function amountText({ events, bytes, timeNs }: { events: number; bytes: number; timeNs: number }): string {
  const parts = [];
  if (events > 0) parts.push(events === 1 ? '1 call' : `${formatCount(events)} calls`);
  if (bytes > 0) parts.push(formatBytes(bytes));
  if (timeNs > 0) parts.push(formatDuration(timeNs));
  return parts.join(', ');
}
