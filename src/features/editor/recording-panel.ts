import type * as vscode from 'vscode';
import type { PageLine } from '../../base/page-line.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { PagePanel, type PageFrame, type PanelKind } from './page-panel.ts';

/** A panel that shows a recording, and follows it when it is read anew. */
export abstract class RecordingPanel<
  Line extends PageLine,
  Frame extends PageFrame = vscode.WebviewPanel,
> extends PagePanel<Line, Frame> {
  protected constructor(
    panel: Frame,
    extension: vscode.Uri,
    protected readonly recordings: Recordings,
    protected recording: OpenRecording,
    kind: PanelKind<Line>,
  ) {
    super(panel, extension, kind);
    this.subscriptions.push(recordings.onDidChange(() => this.follow()));
  }

  /** `recording` was read anew, or its sources were found elsewhere. */
  protected abstract renew(): void;

  /** Recordings were opened or closed, or the current one is another. */
  protected othersChanged(): void {
    // Most panels are about theirs alone.
  }

  /** Whether the panel shows a recording; then it comes to the front. */
  reveals({ id }: OpenRecording): boolean {
    if (this.recording.id !== id) return false;
    this.reveal();
    return true;
  }

  private follow(): void {
    const open = this.recordings.withPaths(this.recording.paths);
    if (open === undefined) this.close();
    else if (open === this.recording) this.othersChanged();
    else {
      this.recording = open;
      this.renew();
    }
  }
}

/** The recording of a panel that survived a reload of the window: it is opened again, and does not become the current one. */
export async function openAgain(recordings: Recordings, paths: readonly string[]): Promise<OpenRecording | undefined> {
  return paths.length === 0 ? undefined : recordings.bringBack(paths);
}
