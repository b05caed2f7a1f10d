import * as vscode from 'vscode';
import type { FileDocument } from '../../export/analysis/file-documents.ts';
import { filePage } from '../../export/analysis/file-page.ts';
import type { JobDocument } from '../../export/report/job-document.ts';
import {
  isFromReportView,
  REPORT_PROTOCOL,
  type FromReportView,
  type PageAnswer,
  type PageRequest,
  type ToReportView,
  type ViewReport,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { pathOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { ReportContent } from './report-content.ts';
import { exportReport } from './report-export.ts';
import { reportHtml } from './report-page.ts';
import { reportSelection } from './report-selection.ts';
import type { SelectionModel } from '../selection/selection.ts';
import { deliverSnippet } from './snippet-delivery.ts';
import { webviewOptions } from '../editor/webview-page.ts';

/** Files whose source lines are looked up: those that took most time. */
const MOST_FILES_WITH_LINES = 5_000;

type State =
  | { readonly kind: 'working'; readonly share: number | null }
  | { readonly kind: 'failed'; readonly reason: 'cancelled' | 'closed' | 'error'; readonly message: string }
  | { readonly kind: 'shown'; readonly shown: Shown };

interface Shown {
  readonly recording: OpenRecording;
  readonly content: ReportContent;
  readonly report: ViewReport;
  readonly job: JobDocument;
  readonly files: ReadonlyMap<string, FileDocument>;
}

/** One editor with the report of one Darshan log. */
export class ReportPanel implements vscode.Disposable {
  private state: State = { kind: 'working', share: null };
  private loading: AbortController | undefined;
  private ready = false;
  private drawn = false;
  /** Only the latest look at the recording is shown. */
  private generation = 0;
  /** Number of the recording that this editor opened; the same log opened by anybody else has another. */
  private ownNumber: number | undefined;
  private readonly subscriptions: vscode.Disposable[] = [];

  constructor(
    readonly uri: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    private readonly recordings: Recordings,
    private readonly selection: SelectionModel,
  ) {
    panel.webview.options = webviewOptions(extension);
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromReportView(message)) void this.receive(message);
      }),
      recordings.onDidChange(() => this.follow()),
      selection.onDidChange(() => void this.sendSelection()),
    );
    panel.webview.html = reportHtml(panel.webview, extension);
    void this.open();
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  get recording(): OpenRecording | undefined {
    return this.state.kind === 'shown' ? this.state.shown.recording : undefined;
  }

  /** The recording, if it was this editor that opened it and it is open still. */
  get ownRecording(): OpenRecording | undefined {
    return this.recordings.all().find(({ id }) => id === this.ownNumber);
  }

  /** What is on the screen now; for tests. */
  get shown(): ViewReport | undefined {
    return this.drawn && this.state.kind === 'shown' ? this.state.shown.report : undefined;
  }

  /** What the user is told instead of a report; for tests. */
  get failure(): string | undefined {
    return this.state.kind === 'failed' ? this.state.message : undefined;
  }

  /** Opens the recording, unless it is open already, and shows it. */
  private async open(): Promise<void> {
    const path = pathOf(this.uri);
    const known = this.recordings.withPaths([path]);
    if (known !== undefined) {
      await this.look(known);
      return;
    }
    const loading = new AbortController();
    this.loading = loading;
    this.become({ kind: 'working', share: null });
    try {
      const progress = (share: number | undefined): void => this.become({ kind: 'working', share: share ?? null });
      const recording = await this.recordings.addQuietly(path, { signal: loading.signal, progress });
      this.ownNumber = recording.id;
      this.loading = undefined;
      await this.look(recording);
    } catch (error) {
      this.loading = undefined;
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    const isCancelled = error instanceof Error && error.name === 'CancelledError';
    const message = isCancelled
      ? vscode.l10n.t('Reading the log was cancelled.')
      : error instanceof Error
        ? error.message
        : String(error);
    this.become({ kind: 'failed', reason: isCancelled ? 'cancelled' : 'error', message });
  }

  /** Gathers what the report shows of an open recording. */
  private async look(recording: OpenRecording): Promise<void> {
    const generation = ++this.generation;
    const { session } = this.recordings;
    try {
      const [job, { files }] = await Promise.all([
        session.report.job(recording.id),
        session.files.list(recording.id, 'time', MOST_FILES_WITH_LINES),
      ]);
      if (generation !== this.generation) return;
      if (job === undefined) throw new Error(vscode.l10n.t('This is no Darshan log: open it by “Open Recording”.'));
      const content = new ReportContent();
      const report = content.report(recording.name, recording.analysis, job);
      const byPath = new Map(files.map((file) => [file.path, file]));
      this.become({ kind: 'shown', shown: { recording, content, report, job, files: byPath } });
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    }
  }

  /** The recording was closed, opened again, or its sources were found elsewhere. */
  private follow(): void {
    if (this.loading !== undefined) return;
    const open = this.recordings.withPaths([pathOf(this.uri)]);
    if (open !== undefined && open !== this.recording) void this.look(open);
    else if (open === undefined && this.state.kind === 'shown') {
      this.generation++;
      const message = vscode.l10n.t('The recording was closed.');
      this.become({ kind: 'failed', reason: 'closed', message });
    }
  }

  private become(state: State): void {
    this.state = state;
    this.drawn = false;
    if (this.ready) this.send();
  }

  private send(): void {
    const { state } = this;
    if (state.kind !== 'shown') this.post(state);
    else {
      this.post({ kind: 'report', protocol: REPORT_PROTOCOL, report: state.shown.report });
      void this.sendSelection();
    }
  }

  private async sendSelection(): Promise<void> {
    const { recording, generation } = this;
    if (recording === undefined || !this.ready) return;
    const { current } = this.selection;
    const message = await reportSelection(this.recordings.session, recording.id, current);
    if (generation === this.generation && current === this.selection.current) this.post(message);
  }

  private async receive(message: FromReportView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        this.send();
        break;
      case 'drawn':
        this.drawn = true;
        break;
      case 'cancel':
        this.loading?.abort();
        break;
      case 'openAgain':
        if (this.state.kind === 'failed') await this.open();
        break;
      case 'page':
        this.post({ kind: 'page', request: message.request, answer: await this.page(message.wanted) });
        break;
      case 'showLog':
        this.recordings.showLog();
        break;
      default:
        if (this.state.kind === 'shown') await this.act(message, this.state.shown);
    }
  }

  /** What the user does with the report that is shown. */
  private async act(
    message: Extract<FromReportView, { kind: 'openPlace' | 'select' | 'snippet' | 'export' | 'showGraph' }>,
    { recording, content }: Shown,
  ): Promise<void> {
    switch (message.kind) {
      case 'openPlace': {
        const place = content.places[message.place];
        if (place === undefined) break;
        const line = this.recordings.lines.now(recording, place.file, place.line);
        await openLine(place.file, line, false, sourceColumn(this.panel));
        break;
      }
      case 'select':
        // The trees and the source are to follow this log.
        await this.recordings.choose(recording);
        this.selection.select(message.part, 'report');
        break;
      case 'snippet': {
        const snippet = content.snippets[message.number];
        if (snippet === undefined) break;
        const said = await deliverSnippet(snippet, message.into, sourceColumn(this.panel));
        this.post({ kind: 'said', message: said });
        break;
      }
      case 'export':
        await exportReport(this.recordings, recording, message.format);
        break;
      case 'showGraph':
        await this.recordings.choose(recording);
        await vscode.commands.executeCommand('iolens.showGraph');
        break;
    }
  }

  private async page(wanted: PageRequest): Promise<PageAnswer> {
    try {
      if (this.state.kind !== 'shown') return { table: 'none', problem: vscode.l10n.t('The recording was closed.') };
      const { recording, content, job, files } = this.state.shown;
      if (wanted.table === 'records') {
        const page = await this.recordings.session.report.records(recording.id, wanted.module, wanted.query);
        return { table: 'records', page };
      }
      const { rows, ...about } = filePage(job.files.rows, wanted.query);
      return { table: 'files', page: { ...about, rows: rows.map((file) => content.file(file, files)) } };
    } catch (error) {
      return { table: 'none', problem: messageOf(error) };
    }
  }

  private post(message: ToReportView): void {
    void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.generation++;
    this.loading?.abort();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}
