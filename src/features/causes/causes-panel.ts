import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { keptState } from '../../base/page-line.ts';
import type { DirectionCauses, RecordingCauses } from '../../export/fleet/causes-document.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { PanelPlace, type PanelKind } from '../editor/page-panel.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { openAgain, RecordingPanel } from '../editor/recording-panel.ts';
import { savePicture } from '../editor/save-picture.ts';
import { OffsetPanel, type OffsetContext } from '../offsets/offset-panel.ts';
import type { OpenRecording } from '../recordings/recordings.ts';
import {
  CAUSES,
  FROM_CAUSES,
  type CausesLine,
  type CauseAction,
  type CauseFileName,
  type CauseLine,
} from './protocol.ts';

const KIND: PanelKind<CausesLine> = {
  ends: CAUSES,
  from: FROM_CAUSES,
  page: { name: 'causes', title: 'Root Causes' },
  icon: 'causes',
};
/** Files of each direction that the view is given: nobody scrolls through more. */
const MOST_FILES = 5_000;
/** Source lines of a file. */
const MOST_LINES = 50;

/** What a panel needs of the window. */
export interface CausesContext extends OffsetContext {
  readonly showReport: (recording: OpenRecording) => Promise<void>;
}

/** The panel that shows why a recording reads and writes slowly: one at a time, beside the source. */
export class CausesPanel extends RecordingPanel<CausesLine> {
  private static readonly place = new PanelPlace<CausesPanel>('iolens.causes');
  private causes: RecordingCauses | undefined;
  private lines: readonly CauseLine[] = [];
  private drawnFiles: number | undefined;

  override readonly answers: PanelAnswers<CausesLine> = {
    lines: async (file, { signal }) => {
      const lines = await this.linesOf(file);
      if (!signal.aborted) this.lines = lines;
      return lines;
    },
  };
  override readonly hears: PanelHears<CausesLine> = {
    drawn: ({ files }) => {
      this.drawnFiles = files;
    },
    act: (wanted) => this.act(wanted),
    openSource: ({ line }) => this.openSource(this.lines[line]),
    picture: (picture) => savePicture(this.recording, 'causes', picture),
  };

  private constructor(
    panel: vscode.WebviewPanel,
    private readonly context: CausesContext,
    recording: OpenRecording,
  ) {
    super(panel, context.extension, context.recordings, recording, KIND);
    this.renew();
  }

  static show(context: CausesContext, recording: OpenRecording): void {
    const { place } = CausesPanel;
    if (place.current?.reveals(recording) === true) return;
    const title = vscode.l10n.t('Root Causes');
    place.open(title, (panel) => new CausesPanel(panel, context, recording));
  }

  /** Fills a panel that survived a reload of the window; its recording is opened again. */
  static async restore(panel: vscode.WebviewPanel, context: CausesContext, state: unknown): Promise<void> {
    const recording = await openAgain(context.recordings, keptState(CAUSES, state)?.paths ?? []);
    if (recording === undefined) panel.dispose();
    else CausesPanel.place.take(panel, () => new CausesPanel(panel, context, recording));
  }

  /** How many files are on the screen now; for tests. */
  static get shown(): number | undefined {
    return CausesPanel.place.current?.drawnFiles;
  }

  protected override renew(): void {
    void this.find();
  }

  private async find(): Promise<void> {
    const signal = this.newest.begin();
    try {
      const causes = await this.context.recordings.session.causes.find(this.recording.id, MOST_FILES);
      if (signal.aborted) return;
      this.causes = causes;
      this.panel.title = vscode.l10n.t('Root Causes of {0}', this.recording.name);
      this.update();
    } catch (error) {
      if (!signal.aborted) this.say('said', messageOf(error));
    }
  }

  override present(): void {
    const { causes, recording } = this;
    if (causes === undefined) return;
    const { name, paths } = recording;
    this.say('subject', { recording: name, paths, causes });
  }

  private pathOf({ direction, file }: CauseFileName): string | undefined {
    const found: DirectionCauses | undefined = this.causes?.[direction];
    return found?.files[file]?.path;
  }

  private async linesOf(name: CauseFileName): Promise<CauseLine[]> {
    const path = this.pathOf(name);
    if (path === undefined) return [];
    const { session } = this.context.recordings;
    const selected = await session.selection.selected(this.recording.id, [{ kind: 'file', path }]);
    return selected.lines.first
      .slice(0, MOST_LINES)
      .map(({ file, line, function: called, events, bytes, timeNs, isHere }) => {
        return { file, line, function: called, events, bytes, timeNs, isHere };
      });
  }

  private async act({ action, ...file }: CauseFileName & { readonly action: CauseAction }): Promise<void> {
    const path = this.pathOf(file);
    if (path === undefined) return;
    const { context, recording } = this;
    if (action === 'offsets') OffsetPanel.show(context, recording, { host: '', path });
    else {
      context.selection.select({ kind: 'file', path }, 'causes');
      if (action === 'report') await context.showReport(recording);
    }
  }

  private async openSource(place: CauseLine | undefined): Promise<void> {
    if (place?.isHere !== true || place.line === 0) return;
    const line = this.context.recordings.lines.now(this.recording, place.file, place.line);
    await openLine(place.file, line, false, sourceColumn(this.panel));
  }
}
