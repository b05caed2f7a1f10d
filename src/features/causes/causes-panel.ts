import * as vscode from 'vscode';
import type { DirectionCauses, RecordingCauses } from '../../export/fleet/causes-document.ts';
import {
  CAUSES_PROTOCOL,
  isCausesViewState,
  isFromCausesView,
  type CauseFileName,
  type CauseLine,
  type FromCausesView,
  type ToCausesView,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import { OffsetPanel, type OffsetContext } from '../offsets/offset-panel.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { newPanel, openAgain, RecordingPanel, type PanelKind } from '../editor/recording-panel.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import { savePicture } from '../editor/save-picture.ts';
import type { WebviewPage } from '../editor/webview-page.ts';

const PAGE: WebviewPage = {
  title: 'Root Causes',
  script: 'causes',
  style: 'causes-style',
  body: '<div id="status" role="status" aria-live="polite"></div>\n<main id="causes"></main>',
};
const KIND: PanelKind<FromCausesView> = { page: PAGE, icon: 'causes', isMessage: isFromCausesView };
const CAUSES_VIEW_TYPE = 'iolens.causes';
/** Files of each direction that the view is given: nobody scrolls through more. */
const MOST_FILES = 5_000;
/** Source lines of a file. */
const MOST_LINES = 50;

/** What a panel needs of the window. */
export interface CausesContext extends OffsetContext {
  readonly showReport: (recording: OpenRecording) => Promise<void>;
}

/** The panel that shows why a recording reads and writes slowly: one at a time, beside the source. */
export class CausesPanel extends RecordingPanel<FromCausesView, ToCausesView> {
  private static current: CausesPanel | undefined;
  private causes: RecordingCauses | undefined;
  private lines: readonly CauseLine[] = [];
  private drawnFiles: number | undefined;

  private constructor(
    panel: vscode.WebviewPanel,
    private readonly context: CausesContext,
    recording: OpenRecording,
  ) {
    super(panel, context.extension, context.recordings, recording, KIND);
    this.renew();
  }

  static show(context: CausesContext, recording: OpenRecording): void {
    const { current } = CausesPanel;
    if (current?.reveals(recording) === true) return;
    current?.close();
    const panel = newPanel(context.extension, CAUSES_VIEW_TYPE, vscode.l10n.t('Root Causes'));
    CausesPanel.current = new CausesPanel(panel, context, recording);
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(panel: vscode.WebviewPanel, context: CausesContext, state: unknown): Promise<void> {
    const recording = await openAgain(context.recordings, isCausesViewState(state) ? state.paths : []);
    if (recording === undefined) {
      panel.dispose();
      return;
    }
    CausesPanel.current?.close();
    CausesPanel.current = new CausesPanel(panel, context, recording);
  }

  /** How many files are on the screen now; for tests. */
  static get shown(): number | undefined {
    return CausesPanel.current?.drawnFiles;
  }

  protected override renew(): void {
    void this.find();
  }

  private async find(): Promise<void> {
    const generation = ++this.generation;
    try {
      const causes = await this.context.recordings.session.causes.find(this.recording.id, MOST_FILES);
      if (generation !== this.generation) return;
      this.causes = causes;
      this.panel.title = vscode.l10n.t('Root Causes of {0}', this.recording.name);
      this.tell();
    } catch (error) {
      this.post({ kind: 'said', message: messageOf(error) });
    }
  }

  private tell(): void {
    const { causes, recording } = this;
    if (!this.ready || causes === undefined) return;
    const { name, paths } = recording;
    this.post({ kind: 'subject', protocol: CAUSES_PROTOCOL, recording: name, paths, causes });
  }

  protected override async receive(message: FromCausesView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        this.tell();
        break;
      case 'drawn':
        this.drawnFiles = message.files;
        break;
      case 'chooseFile':
        await this.tellLines(message);
        break;
      case 'act':
        await this.act(message);
        break;
      case 'openSource':
        await this.openSource(this.lines[message.line]);
        break;
      case 'picture':
        await savePicture(this.recording, 'causes', message);
        break;
    }
  }

  private pathOf({ direction, file }: CauseFileName): string | undefined {
    const found: DirectionCauses | undefined = this.causes?.[direction];
    return found?.files[file]?.path;
  }

  private async tellLines({ direction, file }: CauseFileName): Promise<void> {
    const path = this.pathOf({ direction, file });
    if (path === undefined) return;
    const generation = ++this.generation;
    const { session } = this.context.recordings;
    const selected = await session.selection.selected(this.recording.id, [{ kind: 'file', path }]);
    if (generation !== this.generation) return;
    this.lines = selected.lines.first
      .slice(0, MOST_LINES)
      .map(({ file: source, line, function: name, events, bytes, timeNs, isHere }) => {
        return { file: source, line, function: name, events, bytes, timeNs, isHere };
      });
    this.post({ kind: 'lines', direction, file, lines: this.lines });
  }

  private async act(message: Extract<FromCausesView, { kind: 'act' }>): Promise<void> {
    const path = this.pathOf(message);
    if (path === undefined) return;
    const { context, recording } = this;
    if (message.action === 'offsets') OffsetPanel.show(context, recording, { host: '', path });
    else {
      context.selection.select({ kind: 'file', path }, 'causes');
      if (message.action === 'report') await context.showReport(recording);
    }
  }

  private async openSource(place: CauseLine | undefined): Promise<void> {
    if (place?.isHere !== true || place.line === 0) return;
    const line = this.context.recordings.lines.now(this.recording, place.file, place.line);
    await openLine(place.file, line, false, sourceColumn(this.panel));
  }

  override dispose(): void {
    if (CausesPanel.current === this) CausesPanel.current = undefined;
    super.dispose();
  }
}
