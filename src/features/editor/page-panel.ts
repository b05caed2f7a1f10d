import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { Newest } from '../../base/newest.ts';
import type { PageLine, ToldPage } from '../../base/page-line.ts';
import { PanelEnd, type PanelAnswers, type PanelHears, type PanelSide } from './panel-end.ts';
import { panelColumn, WEBVIEW_OPTIONS, webviewPage, type WebviewPage } from './webview-page.ts';

/** What a kind of panel has of its own. */
export interface PanelKind<Line extends PageLine> {
  readonly ends: Line['ends'];
  readonly from: Line['from'];
  readonly page: WebviewPage;
  /** The beginning of its pictures' names in media/; none for that of all files. */
  readonly icon?: string;
}

/** What a page is shown in: a panel, an editor of files, or a view of a side bar (`viewFrame`). */
export interface PageFrame extends Pick<vscode.WebviewPanel, 'webview' | 'visible' | 'options' | 'iconPath'> {
  readonly onDidChangeViewState: vscode.Event<unknown>;
  readonly onDidDispose: vscode.Event<void>;
  reveal(column: undefined, preserveFocus: boolean): void;
  dispose(): unknown;
}

/** A view for one page: when that is closed the view stays, for another one. */
export function viewFrame(view: vscode.WebviewView): PageFrame {
  const gone = new vscode.EventEmitter<void>();
  const subscription = view.onDidDispose(() => gone.fire());
  return {
    webview: view.webview,
    get visible() {
      return view.visible;
    },
    options: {},
    onDidChangeViewState: view.onDidChangeVisibility,
    onDidDispose: gone.event,
    reveal: (_, preserveFocus) => view.show(preserveFocus),
    dispose: () => {
      subscription.dispose();
      gone.fire();
    },
  };
}

/** Milliseconds in which a page is ready: on an idle machine one second. Each time it is loaded again it has twice as long. */
const FIRST_PATIENCE = 4_000;
const LAST_PATIENCE = 64_000;

/** A panel, an editor of files, or a view, that shows a page. */
export abstract class PagePanel<Line extends PageLine, Frame extends PageFrame = vscode.WebviewPanel>
  implements PanelSide<Line>, vscode.Disposable
{
  abstract readonly answers: PanelAnswers<Line>;
  abstract readonly hears: PanelHears<Line>;
  /** Of what is shown only the latest counts. */
  protected readonly newest = new Newest();
  protected readonly subscriptions: { dispose(): unknown }[] = [];
  private readonly end: PanelEnd<Line>;
  private isClosed = false;
  private reloading: ReturnType<typeof setTimeout> | undefined;

  protected constructor(
    protected readonly panel: Frame,
    protected readonly extension: vscode.Uri,
    { ends, from, page, icon }: PanelKind<Line>,
  ) {
    if (icon !== undefined) {
      const at = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `${icon}-${theme}.svg`);
      panel.iconPath = { light: at('light'), dark: at('dark') };
    }
    panel.webview.options = WEBVIEW_OPTIONS;
    this.end = new PanelEnd<Line>(panel.webview, ends, from, this);
    void this.load(() => webviewPage(extension, page), FIRST_PATIENCE);
    this.subscriptions.push(
      this.end,
      panel.onDidChangeViewState(() => {
        if (panel.options.retainContextWhenHidden !== true) this.end.seen(panel.visible);
      }),
      panel.onDidDispose(() => this.dispose()),
    );
  }

  /** Loads the page, and again where it does not come to life: see webview-page.ts. */
  private async load(page: () => Promise<string>, patience: number): Promise<void> {
    try {
      const html = await page();
      if (this.isClosed) return;
      this.panel.webview.html = html;
      this.reloading = setTimeout(() => {
        const isBlank = !this.end.isReady && this.panel.visible;
        if (isBlank && patience < LAST_PATIENCE) void this.load(page, 2 * patience);
      }, patience);
    } catch (error) {
      this.failed(error);
    }
  }

  abstract present(): void;

  failed(error: unknown): void {
    void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: that cannot be shown: {0}', messageOf(error)));
  }

  /** What is to be seen is another. */
  protected update(): void {
    this.end.present();
  }

  protected say<Name extends keyof ToldPage<Line>>(name: Name, value: ToldPage<Line>[Name]): void {
    this.end.say(name, value);
  }

  /** Brings the panel to the front; the focus stays where it is. */
  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  close(): void {
    this.panel.dispose();
  }

  dispose(): void {
    this.isClosed = true;
    clearTimeout(this.reloading);
    this.newest.stop();
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}

/** The place of the one panel of a kind. */
export class PanelPlace<Panel extends { close(): void }> {
  current: Panel | undefined;

  /** @param type as in package.json. */
  constructor(private readonly type: string) {}

  /** Opens a panel beside the source, or with the panels that there are. */
  open(title: string, fill: (panel: vscode.WebviewPanel) => Panel): Panel {
    return this.take(newPanel(this.type, title), fill);
  }

  /** Fills a panel, one that survived a reload of the window too; the one before it is closed. */
  take(panel: vscode.WebviewPanel, fill: (panel: vscode.WebviewPanel) => Panel): Panel {
    this.current?.close();
    const made = fill(panel);
    this.current = made;
    panel.onDidDispose(() => {
      if (this.current === made) this.current = undefined;
    });
    return made;
  }
}

/** A panel beside the source, or with the panels that there are. */
export function newPanel(type: string, title: string, preserveFocus = true): vscode.WebviewPanel {
  const column = { viewColumn: panelColumn(), preserveFocus };
  return vscode.window.createWebviewPanel(type, title, column, WEBVIEW_OPTIONS);
}
