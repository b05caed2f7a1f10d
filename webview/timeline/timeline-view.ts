import { wholeRun, moved } from '../../src/drawing/timeline/visible-span.ts';
import type {
  Chosen,
  ShownSelection,
  TimelineChoices,
  TimelineLine,
  TimelineRecordings,
} from '../../src/features/timeline/protocol.ts';
import { messageOf } from '../../src/base/error-message.ts';
import type { Picture } from '../../src/base/page-values.ts';
import { make } from '../kit/dom.ts';
import type { PageEnd } from '../kit/page-end.ts';
import { Choosing } from './choosing.ts';
import { Details } from './details.ts';
import { Fetching } from './fetching.ts';
import { Help } from './help.ts';
import { onKey, onRowsKey, type KeyActions } from './keys.ts';
import { Legend } from './legend.ts';
import { TimelineModel } from './model.ts';
import { nothingLeft } from './nothing-left.ts';
import { makePage, type PageParts } from './page.ts';
import { pictureOf } from './picture.ts';
import { pngOfSvg } from '../kit/png.ts';
import { Pointer } from './pointer.ts';
import { Screen } from './screen.ts';
import { Toolbar } from './toolbar.ts';
import { Tooltip } from './tooltip.ts';

/** Of more rows only the outer groups are unfolded at first. */
const MOST_UNFOLDED = 500;

/** The timeline with its controls: what happens in one of its parts goes to the others from here. */
export class TimelineView {
  private readonly model = new TimelineModel();
  private readonly parts: PageParts;
  private readonly fetching: Fetching;
  private readonly screen: Screen;
  private readonly toolbar: Toolbar;
  private readonly legend: Legend;
  private readonly details: Details;
  private readonly choosing: Choosing;
  private readonly help: Help;
  private isFresh: boolean;
  /** Of the rows that were on the screen last. */
  private drawnToken: number | undefined;
  private remembering: number | undefined;

  constructor(
    root: HTMLElement,
    private readonly page: PageEnd<TimelineLine>,
  ) {
    const { model } = this;
    this.parts = makePage(root);
    this.help = new Help(root);
    this.fetching = this.makeFetching();
    this.details = this.makeDetails();
    this.legend = new Legend(this.parts.legend, model, (category, narrow) => {
      if (model.rows !== undefined) this.select({ what: 'category', token: model.rows.token, category }, narrow);
    });
    this.screen = this.makeScreen();
    this.choosing = this.makeChoosing();
    this.toolbar = this.makeToolbar();
    this.listen();
    const { kept } = page;
    if (kept !== undefined) model.restore(kept);
    this.isFresh = kept === undefined;
    this.toolbar.show(model);
    if (kept !== undefined) this.screen.measure();
  }

  show(recordings: TimelineRecordings, selection: ShownSelection): void {
    this.model.recordings = recordings;
    this.model.selection = selection;
    this.choosing.takeSpan(selection.span);
    // Later there are older rows to look at meanwhile.
    if (this.model.rows === undefined) this.say('Working …', false);
    this.toolbar.show(this.model);
    this.fetching.rows();
  }

  say(message: string, isError: boolean): void {
    this.parts.status.textContent = message;
    this.parts.status.className = isError ? 'error' : '';
  }

  private makeFetching(): Fetching {
    const { timeline } = this.parts;
    return new Fetching(this.model, this.page, {
      drawn: () => this.screen.draw(),
      rowsChanged: () => this.rowsChanged(),
      failed: (message) => this.say(message, true),
      working: (isWorking) => {
        timeline.classList.toggle('working', isWorking);
        timeline.setAttribute('aria-busy', String(isWorking));
      },
    });
  }

  private makeScreen(): Screen {
    const labels = {
      fold: (row: number, isFolded: boolean): void => {
        this.screen.fold(row, isFolded);
        this.details.draw();
      },
      choose: (row: number, select: boolean, narrow: boolean): void => this.choosing.row(row, select, narrow),
      hover: (row: number): void => this.choosing.hoverRow(row),
    };
    return new Screen(this.parts, this.model, labels, {
      framed: () => this.framed(),
      recoloured: () => this.legend.draw(),
      moved: () => this.choosing.forgetHover(),
      appeared: () => this.fetching.overview(),
    });
  }

  private makeChoosing(): Choosing {
    return new Choosing(this.model, this.page, new Tooltip(this.parts.tooltip), this.details, {
      show: (visible) => this.screen.show(visible),
      draw: () => this.screen.draw(),
      select: (chosen, narrow) => this.select(chosen, narrow),
      reveal: (row) => this.screen.reveal(row),
      announce: (text) => {
        this.parts.announcement.textContent = text;
      },
      found: (text) => this.toolbar.say(text),
      clearSpan: () => this.page.say('clearSpan'),
      failed: (message) => this.say(message, true),
    });
  }

  private makeDetails(): Details {
    return new Details(this.parts.details, this.model, {
      openSource: (number) => this.page.say('openSource', { number }),
      openRecording: (number) => this.page.say('openRecording', { number }),
      zoomToEvent: () => this.choosing.zoomToEvent(),
      zoomToRange: () => this.choosing.zoomToRange(),
      clearRange: () => this.choosing.range(undefined, true),
      selectEvent: (number) => this.select({ what: 'event', number }, false),
      selectBelow: (number) => this.select({ what: 'below', number }, false),
      layer: (step) => this.choosing.layer(step),
      share: (number, list, index) => this.select({ what: 'share', number, list, index }, true),
      row: (index) => this.choosing.row(index, true, false),
    });
  }

  private makeToolbar(): Toolbar {
    const { model } = this;
    return new Toolbar(this.parts.toolbar, {
      choose: (choices) => this.choose(choices),
      search: (text, direction) => this.choosing.search(text, direction),
      zoom: (factor) => this.screen.zoom(factor),
      whole: () => this.screen.show(wholeRun(model.durationNs)),
      dragMoves: (moves) => {
        model.dragMoves = moves;
        this.screen.draw();
      },
      picture: (format) => {
        void this.picture(format);
      },
      back: () => this.page.say('back'),
      clear: () => this.page.say('clear'),
      help: () => this.help.show(),
    });
  }

  private listen(): void {
    const { parts, model, choosing, screen } = this;
    new Pointer(parts.head, parts.rows, model, {
      show: (visible) => screen.show(visible),
      range: (range, isDone) => choosing.range(range, isDone),
      hover: (row, timeNs, x, y) => choosing.hover(row, timeNs, x, y),
      leave: () => choosing.leave(),
      click: (row, timeNs, isDouble, narrow) => {
        parts.rows.focus({ preventScroll: true });
        choosing.click(row, timeNs, isDouble, narrow);
      },
      scrollBy: (y) => {
        parts.scroller.scrollTop += y;
      },
    });
    const actions = this.keyActions();
    document.addEventListener('keydown', (event) => {
      const target = event.target as HTMLElement;
      if (this.help.isOpen || event.defaultPrevented) return;
      if (target.matches('input, select') && event.key !== 'F3') return;
      if ((target === parts.rows && onRowsKey(event, actions)) || onKey(event, actions)) event.preventDefault();
    });
  }

  private keyActions(): KeyActions {
    const { model, choosing, screen } = this;
    return {
      zoom: (factor) => screen.zoom(factor),
      move: (share) => screen.move(share),
      whole: () => screen.show(wholeRun(model.durationNs)),
      toStart: () => screen.show(moved(model.visible, -model.durationNs, model.durationNs)),
      toEnd: () => screen.show(moved(model.visible, model.durationNs, model.durationNs)),
      event: (direction) => choosing.step(direction),
      row: (direction) => choosing.stepRow(direction),
      layer: (step) => choosing.layer(step),
      openSource: () => {
        if (model.event?.hasSource === true) this.page.say('openSource', { number: model.event.number });
      },
      openRecording: () => {
        if (model.event !== undefined && model.event.event.rawText !== '')
          this.page.say('openRecording', { number: model.event.number });
      },
      zoomToChosen: () => {
        if (model.event !== undefined) choosing.zoomToEvent();
        else choosing.zoomToRange();
      },
      mark: () => choosing.mark(),
      search: () => this.toolbar.focusSearch(),
      searchAgain: (direction) => this.toolbar.searchAgain(direction),
      escape: () => choosing.escape(),
      help: () => this.help.show(),
    };
  }

  private choose(choices: Partial<TimelineChoices>): void {
    this.model.choices = { ...this.model.choices, ...choices };
    this.toolbar.show(this.model);
    this.fetching.rows();
  }

  private select(chosen: Chosen, narrow: boolean): void {
    this.page.say('select', { chosen, narrow });
  }

  private rowsChanged(): void {
    const { model, parts } = this;
    const rows = model.rows!;
    if (this.isFresh && rows.rows.length > MOST_UNFOLDED) {
      for (const { isGroup, depth, key } of rows.rows) if (isGroup && depth > 0) model.folded.add(key);
      model.refold();
    }
    this.isFresh = false;
    this.say('', false);
    if (rows.rows.length === 0) parts.status.append(...nothingLeft(model, (choices) => this.choose(choices)));
    parts.notes.replaceChildren(...rows.notes.map((note) => make('p', {}, note)));
    this.screen.renew();
    this.legend.draw();
    this.choosing.rowsChanged();
    this.details.draw();
  }

  private framed(): void {
    const { model } = this;
    this.fetching.window();
    if (model.rows === undefined) return;
    this.remember();
    if (model.cells.lanes?.token !== model.rows.token || this.drawnToken === model.rows.token) return;
    const isFirst = this.drawnToken === undefined;
    this.drawnToken = model.rows.token;
    const rows = model.layout.visible.length;
    if (!isFirst) this.page.say('drawn', { rows });
    else {
      const { duration } = performance.measure('iolens.timeline.firstPaint', 'iolens.timeline.start');
      this.page.say('drawn', { rows, firstPaintMs: duration });
    }
  }

  /** Keeps the state, not more often than anybody could reload the window. */
  private remember(): void {
    this.remembering ??= window.setTimeout(() => {
      this.remembering = undefined;
      this.page.keep(this.model.state);
    }, 300);
  }

  private async picture(format: Picture['format']): Promise<void> {
    try {
      const svg = pictureOf(this.model);
      if (format === 'svg') this.page.say('picture', { format, content: svg });
      else this.page.say('picture', { format, content: await pngOfSvg(svg) });
    } catch (error) {
      this.say(`The picture could not be made: ${messageOf(error)}`, true);
    }
  }
}
