import * as vscode from 'vscode';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { TimelineEvent, TimelineRows } from '../../analysis/timeline/timeline.ts';
import {
  isFromTimelineView,
  isTimelineViewState,
  TIMELINE_PROTOCOL,
  type Chosen,
  type FromTimelineView,
  type TimelineAnswer,
  type TimelineQuestion,
  type ToTimelineView,
  type ViewEvent,
  type ViewTotals,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { openRecorded } from '../lines/recorded-calls.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { partLabel } from '../selection/selection-text.ts';
import type { SelectionModel } from '../selection/selection.ts';
import { savePicture } from '../editor/save-picture.ts';
import { panelColumn, webviewOptions, webviewPage } from '../editor/webview-page.ts';

const TIMELINE_VIEW_TYPE = 'iolens.timeline';

/** Answers that the view may still refer to. */
const MOST_KEPT = 64;

/** What a timeline is made of; the same for all panels of a window. */
interface TimelineSources {
  readonly extension: vscode.Uri;
  readonly recordings: Recordings;
  readonly selection: SelectionModel;
}

/** What a timeline has on the screen. */
interface ShownTimeline {
  readonly recordings: readonly OpenRecording[];
  readonly rows: number;
  readonly firstPaintMs?: number;
}

/** The panel with the timeline of one recording, or of several on one axis. One at a time, beside the source. */
export class TimelinePanel implements vscode.Disposable {
  private static current: TimelinePanel | undefined;
  private isReady = false;
  private drawn: { readonly rows: number; readonly firstPaintMs?: number } | undefined;
  private readonly rows = new Kept<TimelineRows>();
  private readonly events = new Kept<TimelineEvent>();
  private readonly totals = new Kept<ViewTotals['totals']>();
  private readonly subscriptions: vscode.Disposable[] = [];

  private constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly sources: TimelineSources,
    private shownRecordings: readonly OpenRecording[],
  ) {
    const { extension, recordings, selection } = sources;
    panel.webview.html = webviewPage(panel.webview, extension, {
      title: 'Timeline',
      name: 'timeline',
      body: '',
      // A drawing becomes a PNG by way of an image.
      policy: () => ['img-src blob:'],
    });
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(extension, 'media', `timeline-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromTimelineView(message)) void this.receive(message);
      }),
      panel.onDidDispose(() => this.dispose()),
      recordings.onDidChange(() => this.follow()),
      selection.onDidChange(() => this.tell()),
    );
    this.name();
  }

  /** Shows the timeline of recordings; several stand on one axis, each from its own beginning. */
  static show(sources: TimelineSources, shown: readonly OpenRecording[]): TimelinePanel {
    const { current } = TimelinePanel;
    if (current !== undefined) {
      current.panel.reveal(undefined, true);
      if (!isSame(current.shownRecordings, shown)) current.take(shown);
      return current;
    }
    const panel = vscode.window.createWebviewPanel(
      TIMELINE_VIEW_TYPE,
      vscode.l10n.t('I/O Timeline'),
      { viewColumn: panelColumn(), preserveFocus: true },
      webviewOptions(sources.extension),
    );
    TimelinePanel.current = new TimelinePanel(panel, sources, shown);
    return TimelinePanel.current;
  }

  /** Fills a panel that survived a reload of the window; its recordings are opened again. */
  static async restore(panel: vscode.WebviewPanel, sources: TimelineSources, state: unknown): Promise<void> {
    const { recordings } = sources;
    const shown: OpenRecording[] = [];
    for (const paths of isTimelineViewState(state) ? state.paths : []) {
      const recording = recordings.withPaths(paths) ?? (await recordings.add(paths));
      if (recording !== undefined) shown.push(recording);
    }
    if (shown.length === 0) {
      panel.dispose();
      return;
    }
    TimelinePanel.current?.panel.dispose();
    panel.webview.options = webviewOptions(sources.extension);
    TimelinePanel.current = new TimelinePanel(panel, sources, shown);
  }

  /** What is on the screen now; for tests. */
  static get shown(): ShownTimeline | undefined {
    const { current } = TimelinePanel;
    return current?.drawn && { ...current.drawn, recordings: current.shownRecordings };
  }

  private take(shown: readonly OpenRecording[]): void {
    this.shownRecordings = shown;
    this.name();
    this.tell();
  }

  private name(): void {
    const names = this.shownRecordings.map(({ name }) => name.split('/').at(-1)!);
    this.panel.title = vscode.l10n.t('Timeline: {0}', names.join(', '));
  }

  /** A recording was read anew, or is open no more. */
  private follow(): void {
    const open = this.shownRecordings.flatMap(({ paths }) => this.sources.recordings.withPaths(paths) ?? []);
    if (open.length === 0) this.panel.dispose();
    else if (!isSame(open, this.shownRecordings)) this.take(open);
  }

  /** What is shown and what is selected; the view then asks for its rows. */
  private tell(): void {
    if (!this.isReady) return;
    const { selection } = this.sources;
    const span = selection.current.find((part) => part.kind === 'span');
    this.post({
      kind: 'recordings',
      protocol: TIMELINE_PROTOCOL,
      recordings: {
        names: this.shownRecordings.map(({ name }) => name),
        paths: this.shownRecordings.map(({ paths }) => paths),
      },
      selection: {
        parts: selection.current.map(partLabel),
        ...(span && { span: { fromNs: span.fromNs, toNs: span.toNs } }),
      },
    });
  }

  private async receive(message: FromTimelineView): Promise<void> {
    const { selection } = this.sources;
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        this.tell();
        break;
      case 'question':
        await this.answer(message.request, message.question);
        break;
      case 'drawn':
        this.drawn = { ...this.drawn, ...message };
        break;
      case 'select': {
        const part = this.partOf(message.chosen);
        if (part !== undefined && message.narrow) selection.narrow(part, 'timeline');
        else if (part !== undefined) selection.select(part, 'timeline');
        break;
      }
      case 'clearSpan':
        selection.select(
          selection.current.filter(({ kind }) => kind !== 'span'),
          'timeline',
        );
        break;
      case 'back':
        selection.back();
        break;
      case 'clear':
        selection.clear();
        break;
      case 'openSource':
        await this.openSource(this.events.get(message.number));
        break;
      case 'openRecording': {
        const event = this.events.get(message.number);
        if (event !== undefined && event.recordingFile !== '')
          await openRecorded(event.recordingFile, event.recordingLine, sourceColumn(this.panel));
        break;
      }
      case 'picture':
        await savePicture(this.shownRecordings[0]!, 'timeline', message);
        break;
    }
  }

  private async answer(request: number, question: TimelineQuestion): Promise<void> {
    try {
      this.post({ kind: 'answer', request, answer: await this.ask(question) });
    } catch (error) {
      const message = messageOf(error);
      const isStale = error instanceof Error && error.name === 'StaleRowsError';
      this.post({ kind: 'problem', request, message, isStale });
    }
  }

  private async ask(question: TimelineQuestion): Promise<TimelineAnswer> {
    const { timeline } = this.sources.recordings.session;
    switch (question.ask) {
      case 'rows': {
        const ids = this.shownRecordings.map(({ id }) => id);
        const rows = await timeline.rows(ids, { ...question.choices, selection: this.sources.selection.current });
        this.rows.put(rows, rows.token);
        return { ask: 'rows', value: rows };
      }
      case 'window':
        return { ask: 'window', value: await timeline.window(question.token, question.window) };
      case 'event': {
        const { token, row, timeNs, toleranceNs } = question;
        return { ask: 'event', value: this.viewEvent(await timeline.eventAt(token, row, timeNs, toleranceNs)) };
      }
      case 'totals': {
        const totals = await timeline.totals(question.token, question.fromNs, question.toNs);
        return { ask: 'totals', value: { number: this.totals.put(totals), totals } };
      }
      case 'search': {
        const { token, text, fromNs, direction } = question;
        return { ask: 'search', value: this.viewEvent(await timeline.search(token, text, fromNs, direction)) };
      }
      case 'linked': {
        const { token, recording, event, step } = question;
        return { ask: 'linked', value: this.viewEvent(await timeline.linked(token, recording, event, step)) };
      }
    }
  }

  private viewEvent(event: TimelineEvent | undefined): ViewEvent | null {
    if (event === undefined) return null;
    const { site, recording } = event;
    const sites = this.shownRecordings[recording]?.sites ?? [];
    const hasSource = site !== undefined && sites.some(({ file, isHere }) => isHere && file === site.file);
    return { number: this.events.put(event), event, hasSource };
  }

  /** What the user chose, by the answer that the view was given: it names nothing itself. */
  private partOf(chosen: Chosen): SelectionPart | undefined {
    switch (chosen.what) {
      case 'row':
        return this.rows.get(chosen.token)?.rows[chosen.row]?.selects;
      case 'category':
        return this.rows.get(chosen.token)?.categories[chosen.category]?.selects;
      case 'share':
        return this.totals.get(chosen.number)?.[chosen.list][chosen.index]?.selects;
      case 'event': {
        const site = this.events.get(chosen.number)?.site;
        return site === undefined || site.line <= 0 ? undefined : { kind: 'line', file: site.file, line: site.line };
      }
      case 'below': {
        const event = this.events.get(chosen.number);
        if (event === undefined) return undefined;
        const { call, host, process, thread, recordingFile, recordingLine } = event;
        return { kind: 'below', call, host, process, thread, file: recordingFile, line: recordingLine };
      }
      case 'span':
        return { kind: 'span', fromNs: chosen.fromNs, toNs: chosen.toNs };
    }
  }

  private async openSource(event: TimelineEvent | undefined): Promise<void> {
    const recording = event === undefined ? undefined : this.shownRecordings[event.recording];
    if (event?.site === undefined || recording === undefined || this.viewEvent(event)?.hasSource !== true) return;
    const { file, line } = event.site;
    try {
      const now = this.sources.recordings.lines.now(recording, file, line);
      await openLine(file, now, false, sourceColumn(this.panel));
    } catch (error) {
      const reason = messageOf(error);
      void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the source cannot be opened: {0}', reason));
    }
  }

  private post(message: ToTimelineView): void {
    void this.panel.webview.postMessage(message);
  }

  dispose(): void {
    if (TimelinePanel.current === this) TimelinePanel.current = undefined;
    for (const subscription of this.subscriptions.splice(0)) subscription.dispose();
  }
}

/** The last answers by their numbers. */
class Kept<Value> {
  private readonly values = new Map<number, Value>();
  private last = 0;

  /** @returns the number by which it is found again, while it is kept. */
  put(value: Value, number = ++this.last): number {
    this.values.set(number, value);
    if (this.values.size > MOST_KEPT) this.values.delete(this.values.keys().next().value!);
    return number;
  }

  get(number: number): Value | undefined {
    return this.values.get(number);
  }
}

function isSame(one: readonly OpenRecording[], other: readonly OpenRecording[]): boolean {
  return one.length === other.length && one.every((recording, at) => recording === other[at]);
}
