import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { panelColumn, webviewOptions, webviewPage, type WebviewPage } from './webview-page.ts';

/** What a kind of panel has of its own. */
export interface PanelKind<FromView> {
  readonly page: WebviewPage;
  /** The beginning of its pictures' names in media/. */
  readonly icon: string;
  readonly isMessage: (value: unknown) => value is FromView;
}

/** A panel that shows a recording, and follows it when it is read anew. */
export abstract class RecordingPanel<FromView, ToView> implements vscode.Disposable {
  protected ready = false;
  /** Only the latest question is answered. */
  protected generation = 0;
  protected readonly subscriptions: vscode.Disposable[] = [];

  protected constructor(
    protected readonly panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    private readonly recordings: Recordings,
    protected recording: OpenRecording,
    kind: PanelKind<FromView>,
  ) {
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `${kind.icon}-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    panel.webview.options = webviewOptions(extension);
    panel.webview.html = webviewPage(panel.webview, extension, kind.page);
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (kind.isMessage(message)) void this.receive(message).catch(tell);
      }),
      panel.onDidDispose(() => this.dispose()),
      recordings.onDidChange(() => this.follow()),
    );
  }

  protected abstract receive(message: FromView): Promise<void>;
  /** `recording` was read anew, or its sources were found elsewhere. */
  protected abstract renew(): void;

  /** Whether the panel shows a recording; then it comes to the front. */
  protected reveals({ id }: OpenRecording): boolean {
    if (this.recording.id !== id) return false;
    this.panel.reveal(undefined, true);
    return true;
  }

  /** Closes the panel. */
  close(): void {
    this.panel.dispose();
  }

  protected post(message: ToView): void {
    void this.panel.webview.postMessage(message);
  }

  private follow(): void {
    const open = this.recordings.withPaths(this.recording.paths);
    if (open === undefined) this.close();
    else if (open !== this.recording) {
      this.recording = open;
      this.renew();
    }
  }

  dispose(): void {
    this.generation++;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}

/** A panel beside the source, or with the panels that there are. */
export function newPanel(extension: vscode.Uri, viewType: string, title: string): vscode.WebviewPanel {
  const column = { viewColumn: panelColumn(), preserveFocus: true };
  return vscode.window.createWebviewPanel(viewType, title, column, webviewOptions(extension));
}

/** The recording of a panel that survived a reload of the window: it is opened again. */
export async function openAgain(recordings: Recordings, paths: readonly string[]): Promise<OpenRecording | undefined> {
  return paths.length === 0 ? undefined : (recordings.withPaths(paths) ?? (await recordings.add(paths)));
}

function tell(error: unknown): void {
  void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: that cannot be shown: {0}', messageOf(error)));
}
