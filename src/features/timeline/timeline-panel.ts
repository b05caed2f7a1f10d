import * as vscode from 'vscode';
import type { SelectionPart } from '../../analysis/selection/selection.ts';
import type { TimelineEvent, TimelineRows } from '../../analysis/timeline/timeline.ts';
import { keptState } from '../../base/page-line.ts';
import { PagePanel, PanelPlace, type PanelKind } from '../editor/page-panel.ts';
import type { PanelAnswers, PanelHears } from '../editor/panel-end.ts';
import { openLine, sourceColumn } from '../editor/places.ts';
import { openAgain } from '../editor/recording-panel.ts';
import { savePicture } from '../editor/save-picture.ts';
import { openRecorded } from '../lines/recorded-calls.ts';
import type { OpenRecording, Recordings } from '../recordings/recordings.ts';
import { partLabel } from '../selection/selection-text.ts';
import type { SelectionModel } from '../selection/selection.ts';
import {
  FROM_TIMELINE,
  TIMELINE,
  type Chosen,
  type TimelineLine,
  type ViewEvent,
  type ViewTotals,
} from './protocol.ts';
import { messageOf } from '../../base/error-message.ts';

const KIND: PanelKind<TimelineLine> = {
  ends: TIMELINE,
  from: FROM_TIMELINE,
  page: {
    name: 'timeline',
    title: 'Timeline',
    body: '',
    // A drawing becomes a PNG by way of an image.
    policy: ['img-src blob:'],
  },
  icon: 'timeline',
};

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
export class TimelinePanel extends PagePanel<TimelineLine> {
  private static readonly place = new PanelPlace<TimelinePanel>('iolens.timeline');
  private drawn: { readonly rows: number; readonly firstPaintMs?: number } | undefined;
  private readonly rows = new Kept<TimelineRows>();
  private readonly events = new Kept<TimelineEvent>();
  private readonly totals = new Kept<ViewTotals['totals']>();

  override readonly answers: PanelAnswers<TimelineLine> = {
    rows: async (choices) => {
      const ids = this.shownRecordings.map(({ id }) => id);
      const rows = await this.timeline.rows(ids, { ...choices, selection: this.sources.selection.current });
      this.rows.put(rows, rows.token);
      return rows;
    },
    window: ({ token, window }) => this.timeline.window(token, window),
    event: async ({ token, row, timeNs, toleranceNs }) =>
      this.viewEvent(await this.timeline.eventAt(token, row, timeNs, toleranceNs)),
    totals: async ({ token, fromNs, toNs }) => {
      const totals = await this.timeline.totals(token, fromNs, toNs);
      return { number: this.totals.put(totals), totals };
    },
    search: async ({ token, text, fromNs, direction }) =>
      this.viewEvent(await this.timeline.search(token, text, fromNs, direction)),
    linked: async ({ token, recording, event, step }) =>
      this.viewEvent(await this.timeline.linked(token, recording, event, step)),
  };
  override readonly hears: PanelHears<TimelineLine> = {
    drawn: (drawn) => {
      this.drawn = { ...this.drawn, ...drawn };
    },
    select: ({ chosen, narrow }) => {
      const { selection } = this.sources;
      const part = this.partOf(chosen);
      if (part !== undefined && narrow) selection.narrow(part, 'timeline');
      else if (part !== undefined) selection.select(part, 'timeline');
    },
    clearSpan: () => {
      const { selection } = this.sources;
      selection.select(
        selection.current.filter(({ kind }) => kind !== 'span'),
        'timeline',
      );
    },
    back: () => this.sources.selection.back(),
    clear: () => this.sources.selection.clear(),
    openSource: ({ number }) => this.openSource(this.events.get(number)),
    openRecording: async ({ number }) => {
      const event = this.events.get(number);
      if (event !== undefined && event.recordingFile !== '')
        await openRecorded(event.recordingFile, event.recordingLine, sourceColumn(this.panel));
    },
    picture: (picture) => savePicture(this.shownRecordings[0]!, 'timeline', picture),
  };

  private constructor(
    panel: vscode.WebviewPanel,
    private readonly sources: TimelineSources,
    private shownRecordings: readonly OpenRecording[],
  ) {
    super(panel, sources.extension, KIND);
    this.subscriptions.push(
      sources.recordings.onDidChange(() => this.follow()),
      sources.selection.onDidChange(() => this.update()),
    );
    this.name();
  }

  /** Shows the timeline of recordings; several stand on one axis, each from its own beginning. */
  static show(sources: TimelineSources, shown: readonly OpenRecording[]): void {
    const { place } = TimelinePanel;
    const { current } = place;
    if (current === undefined) {
      const title = vscode.l10n.t('I/O Timeline');
      place.open(title, (panel) => new TimelinePanel(panel, sources, shown));
      return;
    }
    current.reveal();
    if (!isSame(current.shownRecordings, shown)) current.take(shown);
  }

  /** Fills a panel that survived a reload of the window; its recordings are opened again. */
  static async restore(panel: vscode.WebviewPanel, sources: TimelineSources, state: unknown): Promise<void> {
    const shown: OpenRecording[] = [];
    for (const paths of keptState(TIMELINE, state)?.paths ?? []) {
      const recording = await openAgain(sources.recordings, paths);
      if (recording !== undefined) shown.push(recording);
    }
    if (shown.length === 0) panel.dispose();
    else TimelinePanel.place.take(panel, () => new TimelinePanel(panel, sources, shown));
  }

  /** What is on the screen now; for tests. */
  static get shown(): ShownTimeline | undefined {
    const { current } = TimelinePanel.place;
    return current?.drawn && { ...current.drawn, recordings: current.shownRecordings };
  }

  private get timeline(): Recordings['session']['timeline'] {
    return this.sources.recordings.session.timeline;
  }

  private take(shown: readonly OpenRecording[]): void {
    this.shownRecordings = shown;
    this.name();
    this.update();
  }

  private name(): void {
    const names = this.shownRecordings.map(({ name }) => name.split('/').at(-1)!);
    this.panel.title = vscode.l10n.t('Timeline: {0}', names.join(', '));
  }

  /** A recording was read anew, or is open no more. */
  private follow(): void {
    const open = this.shownRecordings.flatMap(({ paths }) => this.sources.recordings.withPaths(paths) ?? []);
    if (open.length === 0) this.close();
    else if (!isSame(open, this.shownRecordings)) this.take(open);
  }

  /** What is shown and what is selected; the view then asks for its rows. */
  override present(): void {
    const { current } = this.sources.selection;
    const span = current.find((part) => part.kind === 'span');
    this.say('recordings', {
      recordings: {
        names: this.shownRecordings.map(({ name }) => name),
        paths: this.shownRecordings.map(({ paths }) => paths),
      },
      selection: {
        parts: current.map(partLabel),
        ...(span && { span: { fromNs: span.fromNs, toNs: span.toNs } }),
      },
    });
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
