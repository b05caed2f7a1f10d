import * as vscode from 'vscode';
import type { CallTree } from '../../analysis/call-tree/call-tree.ts';
import type { FileDocument } from '../../export/analysis/file-documents.ts';
import { filePage } from '../../export/analysis/file-page.ts';
import type { JobDocument } from '../../export/report/job-document.ts';
import { messageOf } from '../../base/error-message.ts';
import { PagePanel, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import type { Services } from '../editor/services.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectionModel } from '../selection/selection.ts';
import {
  FROM_REPORT,
  REPORT,
  type ReportLine,
  type SnippetTarget,
  type ViewReport,
  type ViewSummary,
} from './protocol.ts';
import { ReportContent } from './report-content.ts';
import { exportReport } from './report-export.ts';
import { reportSelection } from './report-selection.ts';
import { deliverSnippet } from './snippet-delivery.ts';

const KIND: PanelKind<ReportLine> = {
  ends: REPORT,
  from: FROM_REPORT,
  page: { name: 'report', title: 'Report', hasCharts: true },
};
/** Files whose source lines are looked up: those that took most time. */
const MOST_FILES_WITH_LINES = 5_000;

type State =
  | { readonly kind: 'working'; readonly share: number | null }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'shown'; readonly shown: Shown };

interface Shown {
  readonly recording: OpenRecording;
  readonly content: ReportContent;
  readonly report: ViewReport | ViewSummary;
  /** With what is known of its files; undefined where the recording describes no job. */
  readonly job: { readonly document: JobDocument; readonly files: ReadonlyMap<string, FileDocument> } | undefined;
}

/** The report of one recording, in an editor of its file or in a panel. */
export class ReportPanel extends PagePanel<ReportLine> {
  private state: State = { kind: 'working', share: null };
  private loading: AbortController | undefined;
  private drawn = false;
  private callTree: CallTree | undefined;
  private readonly recordings: Recordings;
  private readonly selection: SelectionModel;

  override readonly answers: PanelAnswers<ReportLine> = {
    files: (query) => {
      const { content, job } = this.needed;
      if (job === undefined) throw new Error('a run has no pages of files');
      const { rows, ...about } = filePage(job.document.files.rows, query);
      return { ...about, rows: rows.map((file) => content.file(file, job.files)) };
    },
    records: ({ module, query }) => this.recordings.session.report.records(this.needed.recording.id, module, query),
    callTree: async ({ onlySelected }) => {
      const { recording } = this.needed;
      const selection = onlySelected ? this.selection.current : [];
      return (this.callTree = await this.recordings.session.report.callTree(recording.id, selection));
    },
  };
  override readonly hears: PanelHears<ReportLine> = {
    drawn: () => {
      this.drawn = true;
    },
    cancel: () => this.loading?.abort(),
    openAgain: async () => {
      if (this.state.kind === 'failed') await this.open(false);
    },
    showLog: () => this.recordings.showLog(),
    openPlace: ({ place }) => this.openPlace(place),
    openFrame: ({ place, line }) => this.openFrame(this.callTree?.places[place], line),
    select: async (part) => {
      // The trees and the source are to follow this log.
      if (await this.choose()) this.selection.select(part, 'report');
    },
    snippet: ({ number, into }) => this.deliver(number, into),
    export: async ({ format }) => {
      if (this.recording !== undefined) await exportReport(this.recordings, this.recording, format);
    },
    showGraph: async () => {
      if (await this.choose()) await vscode.commands.executeCommand('iolens.showGraph');
    },
  };

  /** @param isRestored its tab survived a reload of the window: what it shows does not become the current recording. */
  constructor(
    readonly paths: readonly string[],
    panel: vscode.WebviewPanel,
    { extension, recordings, selection }: Pick<Services, 'extension' | 'recordings' | 'selection'>,
    isRestored: boolean,
  ) {
    super(panel, extension, KIND);
    this.recordings = recordings;
    this.selection = selection;
    this.subscriptions.push(
      recordings.onDidChange(() => this.follow()),
      selection.onDidChange(() => void this.sendSelection()),
    );
    void this.open(isRestored);
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  get recording(): OpenRecording | undefined {
    return this.content?.recording;
  }

  private get content(): Shown | undefined {
    return this.state.kind === 'shown' ? this.state.shown : undefined;
  }

  private get needed(): Shown {
    if (this.content === undefined) throw new Error(vscode.l10n.t('The recording was closed.'));
    return this.content;
  }

  /** The recording, if it was this editor that opened it and it is open still. */
  get ownRecording(): OpenRecording | undefined {
    const open = this.recordings.withPaths(this.paths);
    return open?.isLookedAt === true ? open : undefined;
  }

  /** What is on the screen now; for tests. */
  get shown(): ViewReport | ViewSummary | undefined {
    return this.drawn ? this.content?.report : undefined;
  }

  /** What the user is told instead of a report; for tests. */
  get failure(): string | undefined {
    return this.state.kind === 'failed' ? this.state.message : undefined;
  }

  /** Opens the recording, unless it is open already, and shows it. */
  private async open(isRestored: boolean): Promise<void> {
    // Of what was open beside it the recording is one, perhaps.
    if (isRestored) await this.recordings.restoring;
    const known = this.recordings.withPaths(this.paths);
    if (known !== undefined) {
      await this.look(known);
      return;
    }
    const loading = new AbortController();
    this.loading = loading;
    this.become({ kind: 'working', share: null });
    try {
      const progress = (share: number | undefined): void => this.become({ kind: 'working', share: share ?? null });
      const recording = await this.recordings.addQuietly(this.paths, !isRestored, { signal: loading.signal, progress });
      this.loading = undefined;
      await this.look(recording);
    } catch (error) {
      this.loading = undefined;
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    const isCancelled = error instanceof Error && error.name === 'CancelledError';
    const message = isCancelled ? vscode.l10n.t('Reading the recording was cancelled.') : messageOf(error);
    this.become({ kind: 'failed', message });
  }

  /** Gathers what the report shows of an open recording. */
  private async look(recording: OpenRecording): Promise<void> {
    const signal = this.newest.begin();
    const { session } = this.recordings;
    try {
      const [job, files] = await Promise.all([
        session.report.job(recording.id),
        session.files.list(recording.id, 'time', MOST_FILES_WITH_LINES),
      ]);
      if (signal.aborted) return;
      const content = new ReportContent();
      if (job === undefined) {
        const report = content.summary(recording, files);
        this.become({ kind: 'shown', shown: { recording, content, report, job } });
        return;
      }
      const byPath = new Map(files.files.map((file) => [file.path, file]));
      const shown = { recording, content, report: content.report(recording, job) };
      this.become({ kind: 'shown', shown: { ...shown, job: { document: job, files: byPath } } });
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  /** The recording was closed, opened again, or its sources were found elsewhere. */
  private follow(): void {
    if (this.loading !== undefined) return;
    const open = this.recordings.withPaths(this.paths);
    if (open !== undefined && open !== this.recording) void this.look(open);
    else if (open === undefined && this.state.kind === 'shown') {
      this.newest.stop();
      this.become({ kind: 'failed', message: vscode.l10n.t('The recording was closed.') });
    }
  }

  private become(state: State): void {
    this.state = state;
    this.drawn = false;
    this.update();
  }

  override present(): void {
    const { state } = this;
    if (state.kind === 'working') this.say('working', { share: state.share });
    else if (state.kind === 'failed') this.say('failed', state.message);
    else {
      this.say('report', state.shown.report);
      void this.sendSelection();
    }
  }

  private async sendSelection(): Promise<void> {
    const { recording } = this;
    const signal = this.newest.current;
    if (recording === undefined) return;
    const { current } = this.selection;
    const marks = await reportSelection(this.recordings.session, recording.id, current);
    if (!signal.aborted && current === this.selection.current) this.say('selection', marks);
  }

  private async openPlace(number: number): Promise<void> {
    const place = this.content?.content.places[number];
    if (this.recording === undefined || place === undefined) return;
    const line = this.recordings.lines.now(this.recording, place.file, place.line);
    await openLine(place.file, line, false, sourceColumn(this.panel));
  }

  /** The page keeps the focus: its keys walk on from there. */
  private async openFrame(place: CallTree['places'][number] | undefined, line: number): Promise<void> {
    if (this.recording === undefined || place?.isHere !== true || line === 0) return;
    const now = this.recordings.lines.now(this.recording, place.file, line);
    await openLine(place.file, now, true, sourceColumn(this.panel));
  }

  private async deliver(number: number, into: SnippetTarget): Promise<void> {
    const snippet = this.content?.content.snippets[number];
    if (snippet !== undefined) this.say('said', await deliverSnippet(snippet, into, sourceColumn(this.panel)));
  }

  /** Makes the recording that is shown the current one. @returns whether there is one. */
  private async choose(): Promise<boolean> {
    if (this.recording === undefined) return false;
    await this.recordings.choose(this.recording);
    return true;
  }

  override dispose(): void {
    this.loading?.abort();
    super.dispose();
  }
}
