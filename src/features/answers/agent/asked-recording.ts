import type { AnalysisDocument, InfoDocument, SitesDocument } from '../../../export/analysis/documents.ts';
import { shortened } from './limits.ts';

/** An open recording that an agent asks about, whoever keeps it open. */
export interface AskedRecording {
  readonly id: number;
  readonly name: string;
  readonly info: InfoDocument;
  /** With each place under the finding that names its cause. */
  readonly analysis: AnalysisDocument;
  /** All call sites, by time. */
  readonly sites: SitesDocument['sites'];
}

/** Where a line of a recording stands now; an agent names lines as they stand now. Both count from 1. */
export type LineNow = (file: string, line: number) => number;

/** Lines of a recording whose sources nobody edits meanwhile: the analysis has moved them to where they stand. */
export const AS_ANALYSED: LineNow = (_file, line) => line;

export interface LineQuestion {
  /** Source file: its whole path, or an end of it that fits one file only. */
  readonly file: string;
  readonly line: number;
}

/** A line as the recording names it. */
interface RecordedPlace {
  readonly file: string;
  readonly line: number;
}

/** What a recording is. */
export interface SummaryAnswer {
  readonly recording: string;
  readonly program: string;
  readonly format: string;
  readonly calls: number;
  readonly streams: number;
  readonly processes: number | null;
  readonly durationNs: number;
  readonly lacks: readonly string[];
}

export function summaryAnswer({ name, info }: Pick<AskedRecording, 'name' | 'info'>): SummaryAnswer {
  return shortened({
    recording: name,
    program: info.program,
    format: info.format,
    calls: info.events,
    streams: info.streams,
    processes: info.processes,
    durationNs: info.durationNs,
    lacks: info.lacks.map(({ what }) => what),
  });
}

/** @throws Error in words for the model. */
export function placeOf(recording: AskedRecording, question: LineQuestion, now: LineNow): RecordedPlace {
  const file = fileOf(recording, question.file);
  const site = recording.sites.find((each) => each.file === file && now(file, each.line) === question.line);
  return { file, line: site?.line ?? question.line };
}

const MOST_FITTING = 10;

/**
 * The source file of a recording that is meant: by its whole path, or by an end of it that fits one file only.
 * @throws Error in words for the model.
 */
export function fileOf({ sites, name }: AskedRecording, wanted: string): string {
  const files = [...new Set(sites.flatMap(({ file, stack }) => [file, ...stack.map((frame) => frame.file)]))];
  if (files.includes(wanted)) return wanted;
  const end = `/${wanted.replace(/^(\.?\/)+/, '')}`;
  const fitting = files.filter((file) => file.endsWith(end));
  if (fitting.length === 1) return fitting[0]!;
  const some = `${fitting.slice(0, MOST_FITTING).join(', ')}${fitting.length > MOST_FITTING ? ', …' : ''}`;
  throw new Error(
    fitting.length === 0
      ? `${wanted} makes no recorded I/O call in ${name}`
      : `${wanted} may be any of ${some}: name one`,
  );
}
