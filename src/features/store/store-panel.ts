import * as vscode from 'vscode';
import { resultText } from '../../export/fleet/query-result-text.ts';
import { messageOf } from '../../base/error-message.ts';
import { pathOf } from '../editor/locations.ts';
import { PagePanel, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { sourceColumn } from '../editor/places.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import {
  FROM_STORE,
  STORE,
  type JobDetail,
  type LineOrigin,
  type QueryResult,
  type QueryValue,
  type StoreFailure,
  type StoreLine,
  type StoreSummary,
} from './protocol.ts';
import { openStoredLine } from './stored-lines.ts';

const KIND: PanelKind<StoreLine> = {
  ends: STORE,
  from: FROM_STORE,
  page: { name: 'store', title: 'Store', hasCharts: true },
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
export class FleetPanel extends PagePanel<StoreLine> {
  private summary: StoreSummary | undefined;
  private failure: StoreFailure | undefined;
  private readonly drawn = new Map<string, number>();
  private readonly answered = new Map<number, QueryResult>();
  private last = 0;
  private readonly jobs = new Map<string, JobDetail>();
  private isDisposed = false;

  override readonly answers: PanelAnswers<StoreLine> = {
    questions: () => this.fleet.questions(),
    answer: async ({ question, parameters, filter }) => {
      const answer = await this.fleet.answer(this.opened.id, question, parameters, filter);
      const number = ++this.last;
      keep(this.answered, number, answer.result);
      return { number, answer };
    },
    jobs: (wanted) => this.fleet.jobs(this.opened.id, wanted),
    job: async ({ log }) => {
      const detail = await this.fleet.job(this.opened.id, log);
      keep(this.jobs, log, detail);
      return detail;
    },
    causes: (wanted) => this.fleet.causes(this.opened.id, wanted),
    kinds: ({ filter, ...request }) => this.fleet.kinds(this.opened.id, request, filter),
    query: ({ sql }) => this.fleet.query(this.opened.id, sql, MOST_RESULT_ROWS),
    complete: ({ sql, position }) => this.fleet.complete(this.opened.id, sql, position),
  };
  override readonly hears: PanelHears<StoreLine> = {
    openAgain: () => this.open(),
    installEngine: async () => {
      await vscode.commands.executeCommand('iolens.installSqlEngine');
      await this.open();
    },
    refresh: () => this.refresh(),
    ingest: () => this.context.ingest(this.folder),
    drawn: ({ tab, rows }) => this.drawn.set(tab, rows),
    openRecording: ({ log }) => this.openRecording(log),
    showCauses: async ({ log }) => {
      const recording = await this.openRecording(log);
      if (recording !== undefined)
        await vscode.commands.executeCommand('iolens.showCauses', { kind: 'recording', recording });
    },
    openLine: (origin) => this.openLine(origin),
    exportCsv: ({ sql }) => this.exportCsv(sql),
  };

  constructor(
    readonly folder: vscode.Uri,
    panel: vscode.WebviewPanel,
    private readonly context: FleetContext,
  ) {
    super(panel, context.extension, KIND);
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

  private get opened(): StoreSummary {
    if (this.summary === undefined) throw new Error(vscode.l10n.t('The store is not open.'));
    return this.summary;
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
      this.failure = { message: messageOf(error), canInstall };
    }
    this.update();
  }

  override present(): void {
    const { summary, failure } = this;
    if (summary !== undefined) this.say('store', summary);
    else if (failure !== undefined) this.say('failed', failure);
    else this.say('opening', { folder: pathOf(this.folder) });
  }

  /** @returns undefined when it is no longer there or cannot be read; the user was told. */
  private async openRecording(log: string): Promise<OpenRecording | undefined> {
    const path = this.jobs.get(log)?.recording;
    if (path === undefined || path === null) {
      this.say('said', vscode.l10n.t('The recording is no longer where it was ingested from.'));
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
        ? this.answered.get(origin.answer)
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
        ? vscode.l10n.t('The first {0} rows are in {1}: “iolens fleet query” writes all.', length, target.fsPath)
        : vscode.l10n.t('{0} rows are in {1}.', length, target.fsPath);
      this.say('said', message);
    } catch (error) {
      void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the result was not written: {0}', messageOf(error)));
    }
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    super.dispose();
    // A session that has ended has closed it.
    if (this.summary !== undefined) void this.fleet.close(this.summary.id).catch(() => undefined);
  }
}

function keep<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value): void {
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
}
