import * as vscode from 'vscode';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import { messageOf } from '../../base/error-message.ts';
import { keptState } from '../../base/page-line.ts';
import { PanelPlace, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { openAgain, RecordingPanel } from '../editor/recording-panel.ts';
import { savePicture } from '../editor/save-picture.ts';
import { openRecorded } from '../lines/recorded-calls.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import type { SelectionModel } from '../selection/selection.ts';
import type { OffsetAccess } from './methods.ts';
import {
  OFFSETS,
  FROM_OFFSETS,
  type OffsetsLine,
  type FileName,
  type OffsetFileFacts,
  type OffsetFiles,
  type OffsetSelected,
  type ViewAccess,
} from './protocol.ts';

const KIND: PanelKind<OffsetsLine> = {
  ends: OFFSETS,
  from: FROM_OFFSETS,
  page: { name: 'offsets', title: 'Offsets over Time' },
  icon: 'offsets',
};
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
export class OffsetPanel extends RecordingPanel<OffsetsLine> {
  private static readonly place = new PanelPlace<OffsetPanel>('iolens.offsets');
  private file: FileName | undefined;
  private facts: OffsetFileFacts | undefined;
  private files: OffsetFiles['files'] = [];
  private readonly answered = new Map<number, OffsetAccess>();
  private next = 1;
  private wantsOperations = false;
  private drawnAccesses: number | undefined;

  override readonly answers: PanelAnswers<OffsetsLine> = {
    files: async ({ filter }) => {
      const found = await this.session.offsets.files(this.recording.id, filter, MOST_FILES);
      this.files = found.files;
      return found;
    },
    operations: async () => {
      const [summary] = await this.session.timeline.summary([this.recording.id]);
      return summary!;
    },
    window: (wanted) => {
      const selection = this.context.selection.current;
      return this.session.offsets.window(this.recording.id, { file: this.chosen, ...wanted, selection });
    },
    access: async ({ choices, ...at }) => {
      const access = await this.session.offsets.accessAt(this.recording.id, this.chosen, choices, at);
      return access === undefined ? null : this.remember(access);
    },
  };
  override readonly hears: PanelHears<OffsetsLine> = {
    drawn: ({ accesses }) => {
      this.drawnAccesses = accesses;
    },
    chooseFile: async ({ index }) => {
      if (this.files[index] !== undefined) await this.show(this.files[index]);
    },
    selectSpan: (span) => this.select({ kind: 'span', ...span }),
    select: ({ number, what }) => this.selectOf(this.answered.get(number), what),
    openSource: ({ number, stay }) => this.openSource(this.answered.get(number), stay).catch(notThere),
    openRecording: ({ number }) => this.openRecorded(this.answered.get(number)).catch(notThere),
    picture: (picture) => savePicture(this.recording, `offsets.${this.file?.path.split('/').at(-1) ?? ''}`, picture),
  };

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
        else this.update();
      }),
    );
  }

  /** Shows a file of a recording; without one the user chooses in the view. */
  static show(context: OffsetContext, recording: OpenRecording, file?: FileName): OffsetPanel {
    const { place } = OffsetPanel;
    const isShown = place.current?.reveals(recording) === true;
    const title = vscode.l10n.t('Offsets over Time');
    const panel = isShown ? place.current! : place.open(title, (made) => new OffsetPanel(made, context, recording));
    if (file !== undefined) void panel.show(file);
    return panel;
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(panel: vscode.WebviewPanel, context: OffsetContext, state: unknown): Promise<void> {
    const kept = keptState(OFFSETS, state);
    const recording = await openAgain(context.recordings, kept?.paths ?? []);
    if (kept === undefined || recording === undefined) {
      panel.dispose();
      return;
    }
    const made = OffsetPanel.place.take(panel, () => new OffsetPanel(panel, context, recording));
    if (kept.file !== null) await made.show(kept.file);
  }

  /** The file that is on the screen now, and how many of its accesses; for tests. */
  static get shown(): { readonly file: FileName | undefined; readonly accesses: number } | undefined {
    const { current } = OffsetPanel.place;
    return current?.drawnAccesses === undefined ? undefined : { file: current.file, accesses: current.drawnAccesses };
  }

  /** Brings the tables of operations into sight. */
  showOperations(): void {
    this.wantsOperations = true;
    this.update();
  }

  private async show(file: FileName | undefined): Promise<void> {
    const signal = this.newest.begin();
    const { offsets } = this.session;
    const facts = file === undefined ? undefined : await this.trying(offsets.facts(this.recording.id, file));
    if (signal.aborted) return;
    if (file !== undefined && facts === undefined)
      this.say('said', vscode.l10n.t('Nothing is read or written in {0}.', file.path));
    this.facts = facts;
    this.file = facts?.file;
    this.answered.clear();
    const name = this.file?.path.split('/').at(-1);
    this.panel.title = name === undefined ? vscode.l10n.t('Offsets over Time') : vscode.l10n.t('Offsets of {0}', name);
    this.update();
  }

  /** What cannot be answered is said instead. */
  private async trying<Value>(answer: Promise<Value>): Promise<Value | undefined> {
    return answer.catch((error: unknown) => {
      this.say('said', messageOf(error));
      return undefined;
    });
  }

  protected override renew(): void {
    void this.show(this.file);
  }

  override present(): void {
    const span = this.context.selection.current.find(({ kind }) => kind === 'span');
    this.say('subject', {
      recording: this.recording.name,
      paths: this.recording.paths,
      facts: this.facts ?? null,
      span: span?.kind === 'span' ? { fromNs: span.fromNs, toNs: span.toNs } : null,
    });
    if (this.wantsOperations) this.say('showOperations', undefined);
    this.wantsOperations = false;
  }

  private get session(): Recordings['session'] {
    return this.context.recordings.session;
  }

  /** The file that is shown. */
  private get chosen(): FileName {
    if (this.file === undefined) throw new Error(vscode.l10n.t('Choose a file first.'));
    return this.file;
  }

  private remember(access: OffsetAccess): ViewAccess {
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

  private selectOf(access: OffsetAccess | undefined, what: OffsetSelected): void {
    if (access === undefined) return;
    const { event } = access;
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
    this.update();
  }

  private async openRecorded(access: OffsetAccess | undefined): Promise<void> {
    if (access === undefined) return;
    const { recordingFile, recordingLine } = access.event;
    await openRecorded(recordingFile, recordingLine, sourceColumn(this.panel));
  }

  private async openSource(access: OffsetAccess | undefined, stay: boolean): Promise<void> {
    const source = access && this.sourceOf(access);
    if (source === undefined) return;
    const line = this.context.recordings.lines.now(this.recording, source.file, source.line);
    await openLine(source.file, line, stay, sourceColumn(this.panel));
  }
}

function notThere(error: unknown): void {
  const reason = messageOf(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
}
