import * as vscode from 'vscode';
import { resultText } from '../../export/fleet/query-result-text.ts';
import {
  FLEET_PROTOCOL,
  isFromFleetView,
  type FleetAnswers,
  type FleetQuestion,
  type FromFleetView,
  type JobDetail,
  type LineOrigin,
  type QueryResult,
  type QueryValue,
  type StoreSummary,
  type ToFleetView,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import { pathOf } from '../editor/locations.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { sourceColumn } from '../editor/places.ts';
import { openStoredLine } from './stored-lines.ts';
import { webviewOptions, webviewPage, type WebviewPage } from '../editor/webview-page.ts';

const PAGE: WebviewPage = {
  title: 'Store',
  name: 'store',
  hasCharts: true,
};
/** Rows of an SQL result that are shown. */
const MOST_RESULT_ROWS = 100_000;
/** Rows of an SQL result that are written to a file; `iolens fleet query` writes any number. */
const MOST_EXPORTED_ROWS = 1_000_000;
/** Answers and jobs that the view may still refer to. */
const MOST_KEPT = 64;

/** What a panel needs of the window. */
interface FleetContext {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
  /** The user wants to take recordings into a store. */
  ingest(store: vscode.Uri): void;
}

/** What an editor of a store has on the screen. */
export interface ShownStore {
  readonly summary: StoreSummary;
  /** Rows that parts of the view show, by their names. */
  readonly drawn: ReadonlyMap<string, number>;
}

/** One editor with the view of one store. */
export class FleetPanel implements vscode.Disposable {
  private isReady = false;
  private summary: StoreSummary | undefined;
  private failure: Extract<ToFleetView, { kind: 'failed' }> | undefined;
  private readonly drawn = new Map<string, number>();
  private readonly answers = new Map<number, QueryResult>();
  private readonly jobs = new Map<string, JobDetail>();
  private readonly subscription: vscode.Disposable;
  private isDisposed = false;

  constructor(
    readonly folder: vscode.Uri,
    private readonly panel: vscode.WebviewPanel,
    private readonly context: FleetContext,
  ) {
    panel.webview.options = webviewOptions(context.extension);
    this.subscription = panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isFromFleetView(message)) void this.receive(message);
    });
    panel.webview.html = webviewPage(panel.webview, context.extension, PAGE);
    void this.open();
  }

  get shown(): ShownStore | undefined {
    return this.summary === undefined ? undefined : { summary: this.summary, drawn: this.drawn };
  }

  get failureMessage(): string | undefined {
    return this.failure?.message;
  }

  /** Reads the store again: something was taken in. */
  async refresh(): Promise<void> {
    const { summary } = this;
    if (summary === undefined) await this.open();
    else {
      await this.take(this.fleet.refresh(summary.id));
      // What cannot be read again is opened anew, if at all.
      if (this.failure !== undefined) await this.fleet.close(summary.id).catch(() => undefined);
    }
  }

  private get fleet(): Recordings['session']['fleet'] {
    return this.context.recordings.session.fleet;
  }

  private async open(): Promise<void> {
    await this.take(this.fleet.open(pathOf(this.folder)));
  }

  private async take(asked: Promise<StoreSummary>): Promise<void> {
    this.failure = undefined;
    try {
      const summary = await asked;
      this.summary = summary;
      this.drawn.clear();
      if (this.isDisposed) await this.fleet.close(summary.id);
    } catch (error) {
      this.summary = undefined;
      const canInstall = error instanceof Error && error.name === 'EngineMissingError';
      this.failure = { kind: 'failed', message: messageOf(error), canInstall };
    }
    this.tell();
  }

  private tell(): void {
    if (!this.isReady) return;
    const { summary, failure } = this;
    if (summary !== undefined) this.post({ kind: 'store', protocol: FLEET_PROTOCOL, summary });
    else this.post(failure ?? { kind: 'opening', folder: pathOf(this.folder) });
  }

  private async receive(message: FromFleetView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        this.tell();
        break;
      case 'openAgain':
        await this.open();
        break;
      case 'installEngine':
        await vscode.commands.executeCommand('iolens.installSqlEngine');
        await this.open();
        break;
      case 'refresh':
        await this.refresh();
        break;
      case 'ingest':
        this.context.ingest(this.folder);
        break;
      case 'question':
        await this.answer(message.request, message.question);
        break;
      case 'drawn':
        this.drawn.set(message.tab, message.rows);
        break;
      case 'openRecording':
        await this.openRecording(message.log);
        break;
      case 'showCauses': {
        const recording = await this.openRecording(message.log);
        if (recording !== undefined)
          await vscode.commands.executeCommand('iolens.showCauses', { kind: 'recording', recording });
        break;
      }
      case 'openLine':
        await this.openLine(message.origin);
        break;
      case 'exportCsv':
        await this.exportCsv(message.sql);
        break;
    }
  }

  private async answer(request: number, question: FleetQuestion): Promise<void> {
    try {
      const value = await this.ask(question);
      if (question.ask === 'answer') keep(this.answers, request, (value as FleetAnswers['answer']).result);
      if (question.ask === 'job') keep(this.jobs, question.log, value as FleetAnswers['job']);
      this.post({ kind: 'answer', request, value });
    } catch (error) {
      this.post({ kind: 'problem', request, message: messageOf(error) });
    }
  }

  private ask(question: FleetQuestion): Promise<FleetAnswers[keyof FleetAnswers]> {
    const { fleet, summary } = this;
    if (summary === undefined) throw new Error(vscode.l10n.t('The store is not open.'));
    switch (question.ask) {
      case 'questions':
        return fleet.questions();
      case 'answer':
        return fleet.answer(summary.id, question.question, question.parameters, question.filter);
      case 'jobs':
        return fleet.jobs(summary.id, question.page);
      case 'job':
        return fleet.job(summary.id, question.log);
      case 'causes':
        return fleet.causes(summary.id, question.request);
      case 'query':
        return fleet.query(summary.id, question.sql, MOST_RESULT_ROWS);
      case 'complete':
        return fleet.complete(summary.id, question.sql, question.position);
    }
  }

  /** @returns undefined when it does not lie there any more or cannot be read; the user was told. */
  private async openRecording(log: string): Promise<OpenRecording | undefined> {
    const path = this.jobs.get(log)?.recording;
    if (path === undefined || path === null) {
      this.post({ kind: 'said', message: vscode.l10n.t('The recording is no longer where it was ingested from.') });
      return undefined;
    }
    const { recordings } = this.context;
    const recording = recordings.withPaths([path]) ?? (await recordings.add([path]));
    if (recording === undefined) return undefined;
    await recordings.choose(recording);
    await vscode.commands.executeCommand('iolens.insights.focus');
    return recording;
  }

  private async openLine(origin: LineOrigin): Promise<void> {
    const [file, line] = this.placeOf(origin);
    if (typeof file !== 'string') return;
    const recording = origin.of === 'answer' ? undefined : await this.openRecording(origin.log);
    const lineNumber = typeof line === 'number' && line > 0 ? line : 1;
    const place = { file, line: lineNumber };
    await openStoredLine(this.context.recordings, recording, place, sourceColumn(this.panel));
  }

  /** What the view was shown, never what it names. */
  private placeOf(origin: LineOrigin): readonly [file: QueryValue, line: QueryValue] {
    const result =
      origin.of === 'answer'
        ? this.answers.get(origin.request)
        : this.jobs.get(origin.log)?.[origin.of === 'insight' ? 'insights' : 'sites'];
    const value = (name: string): QueryValue =>
      result?.rows[origin.row]?.[result.columns.findIndex((column) => column.name === name)] ?? null;
    return [value('source_file'), value('line')];
  }

  private async exportCsv(sql: string): Promise<void> {
    const { summary } = this;
    if (summary === undefined) return;
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export the Result'),
      // The store's own folder is for its tables.
      defaultUri: vscode.Uri.joinPath(this.folder, '..', 'result.csv'),
      filters: { CSV: ['csv'] },
    });
    if (target !== undefined) await this.writeCsv(summary.id, sql, target);
  }

  private async writeCsv(id: number, sql: string, target: vscode.Uri): Promise<void> {
    try {
      const result = await this.fleet.query(id, sql, MOST_EXPORTED_ROWS);
      const parts: string[] = [];
      for await (const part of resultText([result], 'csv', {})) parts.push(part);
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(parts.join('')));
      const { length } = result.rows;
      const message = result.truncated
        ? vscode.l10n.t('The first {0} rows stand in {1}: “iolens fleet query” writes all.', length, target.fsPath)
        : vscode.l10n.t('{0} rows stand in {1}.', length, target.fsPath);
      this.post({ kind: 'said', message });
    } catch (error) {
      void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the result was not written: {0}', messageOf(error)));
    }
  }

  private post(message: ToFleetView): void {
    void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    this.isDisposed = true;
    this.subscription.dispose();
    // A session that has ended has closed it.
    if (this.summary !== undefined) void this.fleet.close(this.summary.id).catch(() => undefined);
  }
}

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
}
