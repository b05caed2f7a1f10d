import type { CallTree } from '../../analysis/call-tree/call-tree.ts';
import type { Selection } from '../../analysis/selection/selection.ts';
import { recordPage, type RecordPage } from '../../export/analysis/record-page.ts';
import type { TableQuery } from '../../export/analysis/table-query.ts';
import type { JobDocument, JobSummary } from '../../export/report/job-document.ts';
import { heatmapsOf } from '../../export/report/job-documents.ts';
import type { ReportMaterial } from '../../export/report/report-material.ts';
import type { OpenRecordings } from '../../session/reading/open-recordings.ts';
import { callTreeOf } from '../answers/call-tree-of.ts';
import { reportMaterial } from '../answers/report-material.ts';
import { reportText, shippedLayoutEngine, type PrintedReport } from '../answers/report-text.ts';

/** Reports on recordings, and what a log says of its job. */
export class ReportAnswers {
  constructor(private readonly recordings: OpenRecordings) {}

  /** Everything that a report shows: findings, sites, files, graphs, and the source lines around them. */
  async material(ids: readonly number[]): Promise<ReportMaterial> {
    return reportMaterial(ids.map((id) => this.recordings.of(id)));
  }

  /** The same as a text for people. */
  async text(ids: readonly number[], printed: PrintedReport): Promise<string> {
    const script = (): Promise<Uint8Array> => this.recordings.resource('webview/elk-worker.min.js');
    return reportText(await this.material(ids), printed, async () => shippedLayoutEngine(await script()));
  }

  // Not plain functions: what they throw is a rejection, as everywhere.
  /** What a Darshan log says of its job; undefined for other recordings. */
  async job(id: number): Promise<JobDocument | undefined> {
    return Promise.resolve(this.recordings.of(id).job);
  }

  /** The part of it that a text says, in a fraction of the time. */
  async jobSummary(id: number): Promise<JobSummary | undefined> {
    return Promise.resolve(this.recordings.of(id).jobSummary);
  }

  /** Bytes of each rank over time, of any recording that knows ranks. */
  async heatmaps(id: number): Promise<ReturnType<typeof heatmapsOf>> {
    return Promise.resolve(heatmapsOf(this.recordings.of(id).trace));
  }

  /** All call stacks as one tree, of the selected calls or of all. */
  async callTree(id: number, selection: Selection): Promise<CallTree> {
    return Promise.resolve(callTreeOf(this.recordings.of(id), selection));
  }

  /** A part of the records of one of Darshan's modules. */
  async records(id: number, module: string, query: TableQuery): Promise<RecordPage> {
    return Promise.resolve(recordPage(this.recordings.of(id).trace, module, query));
  }
}
