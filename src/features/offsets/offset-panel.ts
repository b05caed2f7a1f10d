import * as vscode from 'vscode';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import {
  isFromOffsetView,
  isOffsetViewState,
  OFFSET_PROTOCOL,
  type FileName,
  type FromOffsetView,
  type OffsetAnswer,
  type OffsetFileFacts,
  type OffsetFiles,
  type OffsetQuestion,
  type OffsetSelected,
  type ToOffsetView,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import type { OffsetAccess } from './methods.ts';
import type { WebviewPage } from '../editor/webview-page.ts';
import { savePicture } from '../editor/save-picture.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { openRecorded } from '../lines/recorded-calls.ts';
import { newPanel, openAgain, RecordingPanel, type PanelKind } from '../editor/recording-panel.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectionModel } from '../selection/selection.ts';

const PAGE: WebviewPage = {
  title: 'Offsets over Time',
  script: 'offsets',
  style: 'offsets-style',
  body: '<div id="status" role="status" aria-live="polite"></div>\n<main id="offsets"></main>',
};
const KIND: PanelKind<FromOffsetView> = { page: PAGE, icon: 'offsets', isMessage: isFromOffsetView };
const OFFSET_VIEW_TYPE = 'iolens.offsets';
/** Files of a list: nobody scrolls through more, and the filter finds them. */
const MOST_FILES = 200;
/** Accesses that a view was told of and may ask to open: those it showed last. */
const MOST_REMEMBERED = 64;

/** An editor does not unpack what it shows. */
const COMPRESSED = /\.(gz|bz2|xz|zst)$/i;

/** What a panel needs of the window. */
export interface OffsetContext {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
  readonly selection: SelectionModel;
}

/** The panel that shows who touches which bytes of a file when: one at a time, beside the source. */
export class OffsetPanel extends RecordingPanel<FromOffsetView, ToOffsetView> {
  private static current: OffsetPanel | undefined;
  private file: FileName | undefined;
  private facts: OffsetFileFacts | undefined;
  private files: OffsetFiles['files'] = [];
  private readonly answered = new Map<number, OffsetAccess>();
  private next = 1;
  private wantsOperations = false;
  private drawnAccesses: number | undefined;

  private constructor(
    panel: vscode.WebviewPanel,
    private readonly context: OffsetContext,
    recording: OpenRecording,
  ) {
    super(panel, context.extension, context.recordings, recording, KIND);
    this.subscriptions.push(
      context.selection.onDidChange(({ selection: selected, origin }) => {
        const named = origin === 'offsets' ? undefined : selected.find(({ kind }) => kind === 'file');
        if (named?.kind === 'file' && named.path !== this.file?.path) void this.show({ host: '', path: named.path });
        else this.tell();
      }),
    );
  }

  /** Shows a file of a recording; without one the user chooses in the view. */
  static show(context: OffsetContext, recording: OpenRecording, file?: FileName): OffsetPanel {
    const { current } = OffsetPanel;
    if (current?.reveals(recording) === true) {
      if (file !== undefined) void current.show(file);
      return current;
    }
    current?.close();
    const panel = newPanel(context.extension, OFFSET_VIEW_TYPE, vscode.l10n.t('Offsets over Time'));
    const made = new OffsetPanel(panel, context, recording);
    OffsetPanel.current = made;
    if (file !== undefined) void made.show(file);
    return made;
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(panel: vscode.WebviewPanel, context: OffsetContext, state: unknown): Promise<void> {
    const kept = isOffsetViewState(state) ? state : undefined;
    const recording = await openAgain(context.recordings, kept?.paths ?? []);
    if (kept === undefined || recording === undefined) {
      panel.dispose();
      return;
    }
    OffsetPanel.current?.close();
    const made = new OffsetPanel(panel, context, recording);
    OffsetPanel.current = made;
    if (kept.file !== null) await made.show(kept.file);
  }

  /** The file that is on the screen now, and how many of its accesses; for tests. */
  static get shown(): { readonly file: FileName | undefined; readonly accesses: number } | undefined {
    const { current } = OffsetPanel;
    return current?.drawnAccesses === undefined ? undefined : { file: current.file, accesses: current.drawnAccesses };
  }

  /** Brings the tables of operations into sight. */
  showOperations(): void {
    this.wantsOperations = true;
    this.tell();
  }

  private async show(file: FileName | undefined): Promise<void> {
    const generation = ++this.generation;
    const { session } = this.context.recordings;
    const facts = file === undefined ? undefined : await this.trying(session.offsets.facts(this.recording.id, file));
    if (generation !== this.generation) return;
    if (file !== undefined && facts === undefined)
      this.post({ kind: 'said', message: vscode.l10n.t('Nothing is read or written in {0}.', file.path) });
    this.facts = facts;
    this.file = facts?.file;
    this.answered.clear();
    const name = this.file?.path.split('/').at(-1);
    this.panel.title = name === undefined ? vscode.l10n.t('Offsets over Time') : vscode.l10n.t('Offsets of {0}', name);
    this.tell();
  }

  /** What cannot be answered is said instead. */
  private async trying<Value>(answer: Promise<Value>): Promise<Value | undefined> {
    return answer.catch((error: unknown) => {
      this.post({ kind: 'said', message: messageOf(error) });
      return undefined;
    });
  }

  protected override renew(): void {
    void this.show(this.file);
  }

  private tell(): void {
    if (!this.ready) return;
    const span = this.context.selection.current.find(({ kind }) => kind === 'span');
    this.post({
      kind: 'subject',
      protocol: OFFSET_PROTOCOL,
      subject: {
        recording: this.recording.name,
        paths: this.recording.paths,
        facts: this.facts ?? null,
        span: span?.kind === 'span' ? { fromNs: span.fromNs, toNs: span.toNs } : null,
      },
    });
    if (this.wantsOperations) this.post({ kind: 'showOperations' });
    this.wantsOperations = false;
  }

  protected override async receive(message: FromOffsetView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        this.tell();
        break;
      case 'drawn':
        this.drawnAccesses = message.accesses;
        break;
      case 'question':
        await this.answer(message.request, message.question);
        break;
      case 'chooseFile':
        if (this.files[message.index] !== undefined) await this.show(this.files[message.index]);
        break;
      case 'selectSpan':
        this.select({ kind: 'span', fromNs: message.fromNs, toNs: message.toNs });
        break;
      case 'select':
      case 'openSource':
      case 'openRecording': {
        const access = this.answered.get(message.number);
        if (access === undefined) break;
        if (message.kind === 'select') this.selectOf(access, message.what);
        else await this.open(access, message).catch(notThere);
        break;
      }
      case 'picture':
        await savePicture(this.recording, `offsets.${this.file?.path.split('/').at(-1) ?? ''}`, message);
        break;
    }
  }

  private async answer(request: number, question: OffsetQuestion): Promise<void> {
    try {
      const answer = await this.answerTo(question);
      if (answer !== undefined) this.post({ kind: 'answer', request, answer });
      else this.post({ kind: 'problem', request, message: vscode.l10n.t('Choose a file first.') });
    } catch (error) {
      this.post({ kind: 'problem', request, message: messageOf(error) });
    }
  }

  private async answerTo(question: OffsetQuestion): Promise<OffsetAnswer | undefined> {
    const { offsets } = this.context.recordings.session;
    const { id } = this.recording;
    if (question.ask === 'files') {
      const value = await offsets.files(id, question.filter, MOST_FILES);
      this.files = value.files;
      return { ask: 'files', value };
    }
    if (question.ask === 'operations') {
      const [value] = await this.context.recordings.session.timeline.summary([id]);
      return { ask: 'operations', value: value! };
    }
    const { file } = this;
    if (file === undefined) return undefined;
    if (question.ask === 'window') {
      const { choices, area, columns, rows } = question;
      const selection = this.context.selection.current;
      return { ask: 'window', value: await offsets.window(id, { file, choices, area, columns, rows, selection }) };
    }
    const { choices, ...at } = question;
    const access = await offsets.accessAt(id, file, choices, at);
    return { ask: 'access', value: access === undefined ? null : this.remember(access) };
  }

  private remember(access: OffsetAccess): Extract<OffsetAnswer, { ask: 'access' }>['value'] {
    const number = this.next++;
    this.answered.set(number, access);
    if (this.answered.size > MOST_REMEMBERED) this.answered.delete(this.answered.keys().next().value!);
    const { rawText, recordingFile } = access.event;
    const hasRecordingLine = rawText !== '' && !COMPRESSED.test(recordingFile);
    return { ...access, number, hasSource: this.sourceOf(access) !== undefined, hasRecordingLine };
  }

  /** The call site of an access, where it is on this machine. */
  private sourceOf({ event: { site } }: OffsetAccess): { file: string; line: number } | undefined {
    if (site === undefined || site.line === 0) return undefined;
    const here = this.recording.sites.some(({ file, isHere }) => isHere && file === site.file);
    return here ? site : undefined;
  }

  private selectOf({ event }: OffsetAccess, what: OffsetSelected): void {
    switch (what) {
      case 'file':
        this.select({ kind: 'file', path: event.path });
        break;
      case 'process':
        if (event.rank !== null) this.select({ kind: 'rank', rank: event.rank });
        else this.select({ kind: 'process', host: event.host, process: event.process });
        break;
      case 'line':
        if (event.site !== undefined) this.select({ kind: 'line', file: event.site.file, line: event.site.line });
        break;
    }
  }

  private select(part: SelectionPart): void {
    this.context.selection.select(part, 'offsets');
    this.tell();
  }

  private async open(
    access: OffsetAccess,
    message: Extract<FromOffsetView, { kind: 'openSource' | 'openRecording' }>,
  ): Promise<void> {
    const { event } = access;
    if (message.kind === 'openRecording') {
      await openRecorded(event.recordingFile, event.recordingLine, sourceColumn(this.panel));
      return;
    }
    const source = this.sourceOf(access);
    if (source === undefined) return;
    const line = this.context.recordings.lines.now(this.recording, source.file, source.line);
    await openLine(source.file, line, message.stay, sourceColumn(this.panel));
  }

  override dispose(): void {
    if (OffsetPanel.current === this) OffsetPanel.current = undefined;
    super.dispose();
  }
}

function notThere(error: unknown): void {
  const reason = messageOf(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
}
