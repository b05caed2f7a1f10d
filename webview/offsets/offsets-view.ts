import {
  DEFAULT_OFFSET_CHOICES,
  type OffsetArea,
  type OffsetChoices,
  type OffsetsLine,
  type OffsetSubject,
  type OffsetViewState,
  type OffsetWindow,
  type ViewAccess,
} from '../../src/features/offsets/protocol.ts';
import { categoryText, drawOffsets, plotOf, type OffsetPicture } from '../../src/drawing/offsets/offset-picture.ts';
import { SvgSurface } from '../../src/drawing/offsets/surface.ts';
import { cssColour } from '../../src/drawing/timeline/category-colours.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { make } from '../kit/dom.ts';
import { accessDetails } from './access-details.ts';
import { accessLine, baseName, storageText, windowText } from './access-text.ts';
import { currentAppearance, directionColours } from '../kit/appearance.ts';
import { categoryColours } from './category-colours.ts';
import { CanvasSurface } from '../kit/canvas-surface.ts';
import { FileList } from './file-list.ts';
import { unlessOvertaken, type PageEnd } from '../kit/page-end.ts';
import { Operations } from './operations.ts';
import { Plane, type PlaneOwner, type PlanePoint } from './plane.ts';
import { pngOfCanvas } from '../kit/png.ts';
import { regionTable } from './region-table.ts';
import { toolbar } from './toolbar.ts';
import { WindowAsking } from './window-asking.ts';

const NOWHERE: OffsetArea = { from: 0, to: 1, fromByte: 0, toByte: 1 };
/** Milliseconds that the pointer rests before the access below it is asked for. */
const REST = 70;
const HINT = 'Point at a cell; click for the call. Drag moves, Shift and drag zooms to a part, the wheel zooms.';
/** Of a picture that is saved. */
const SAVED = { width: 1200, height: 720, scale: 2 };

/** Who touches which bytes of a file when. */
export class OffsetsView implements PlaneOwner {
  private state: OffsetViewState;
  private subject: OffsetSubject | undefined;
  private window: OffsetWindow | undefined;
  private readonly heading = make('div', { class: 'heading' });
  private readonly tools = make('div', {});
  private readonly chart = make('div', { class: 'chart' });
  private readonly said = make('p', { class: 'said', 'aria-live': 'polite' }, HINT);
  private readonly legend = make('div', { class: 'legend', role: 'group', 'aria-label': 'Legend' });
  private readonly details = make('div', {});
  private readonly regions = make('div', {});
  private readonly shown: HTMLElement;
  private readonly plane = new Plane(this);
  private readonly files: FileList;
  private readonly operations: Operations;
  private readonly asking: WindowAsking;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** Questions for points so far: only the latest is answered in words. */
  private points = 0;
  /** The question of the latest click: its details are shown though the pointer has moved on. */
  private click = 0;

  constructor(
    room: HTMLElement,
    private readonly page: PageEnd<OffsetsLine>,
    private readonly say: (message: string) => void,
  ) {
    this.state = page.kept ?? { paths: [], file: null, choices: DEFAULT_OFFSET_CHOICES, area: null };
    this.files = new FileList(
      (filter) => this.list(filter),
      (index) => page.say('chooseFile', { index }),
    );
    this.operations = new Operations(() => this.listOperations());
    this.asking = new WindowAsking(
      (wanted) => page.ask('window', wanted),
      (window) => this.receive(window),
      unlessOvertaken(say),
    );
    this.chart.append(this.plane.canvas);
    const table = make('details', {}, make('summary', {}, 'Busiest parts, as a table'), this.regions);
    this.shown = make('div', {}, this.tools, this.chart, this.said, this.legend, this.details, table);
    room.append(this.heading, this.files.element, this.shown, this.operations.element);
    new ResizeObserver(() => this.refresh()).observe(this.chart);
  }

  get area(): OffsetArea {
    return this.state.area ?? this.extent;
  }

  get extent(): OffsetArea {
    return this.window?.extent ?? NOWHERE;
  }

  get axis(): 'time' | 'order' {
    return this.state.choices.axis;
  }

  get plot(): PlaneOwner['plot'] {
    return plotOf(this.sized(this.chart.clientWidth, this.chart.clientHeight, ''));
  }

  /** The recording, the file or what is selected changed. */
  show(subject: OffsetSubject): void {
    const { facts } = subject;
    const before = this.subject;
    this.subject = subject;
    const isOther = facts?.file.path !== this.state.file?.path || facts?.file.host !== this.state.file?.host;
    if (before?.recording !== subject.recording) {
      this.files.forget();
      this.operations.forget();
    }
    if (isOther) {
      // What was asked of the file before is no longer answered.
      this.page.overtake('window');
      this.click = ++this.points;
      clearTimeout(this.resting);
      this.window = undefined;
      this.details.replaceChildren();
      this.change({ file: facts?.file ?? null, area: null, choices: { ...this.state.choices, only: '', layer: '' } });
      this.files.open(facts === null);
    } else if (before === undefined && facts === null) this.files.open(true);
    this.change({ paths: subject.paths });
    if (facts !== null && !facts.hasTimes && this.axis === 'time') this.choose({ axis: 'order' });
    this.shown.hidden = facts === null;
    this.fillHeading();
    this.fillTools();
    this.refresh();
  }

  private fillHeading(): void {
    const facts = this.subject?.facts ?? null;
    if (facts === null) {
      const text = 'Choose a file below to see who reads and writes which bytes of it when.';
      this.heading.replaceChildren(make('h1', {}, 'Offsets over Time'), make('p', { class: 'soft' }, text));
      return;
    }
    const { path, host } = facts.file;
    this.heading.replaceChildren(
      make('h1', {}, baseName(path)),
      make(
        'p',
        { class: 'soft' },
        `${path}${host === '' ? '' : ` on ${host}`}, ${this.subject?.recording ?? ''}: ${storageText(facts)}`,
      ),
      ...facts.notes.map((note) => make('p', { class: 'note', role: 'note' }, note)),
    );
  }

  private fillTools(): void {
    const facts = this.subject?.facts ?? null;
    if (facts === null) return;
    this.tools.replaceChildren(
      toolbar(this.state.choices, facts, {
        choose: (choices) => {
          this.choose(choices);
          this.fillTools();
        },
        zoom: (factor) => this.plane.zoomBy(factor),
        whole: () => this.look(this.extent),
        selectSpan: () => this.page.say('selectSpan', { fromNs: Math.max(0, this.area.from), toNs: this.area.to }),
        save: (format) => this.save(format),
      }),
    );
  }

  private choose(choices: Partial<OffsetChoices>): void {
    const before = this.state.choices;
    const next = { ...before, ...choices };
    // Another axis has other positions; of the file the same part is seen.
    const area = next.axis === before.axis ? this.state.area : null;
    this.change({ choices: next, area });
    this.refresh();
  }

  private change(state: Partial<OffsetViewState>): void {
    this.state = { ...this.state, ...state };
    if (this.state.paths.length > 0) this.page.keep(this.state);
  }

  look(area: OffsetArea): void {
    const { extent } = this;
    const isWhole = (['from', 'to', 'fromByte', 'toByte'] as const).every((end) => area[end] === extent[end]);
    this.change({ area: isWhole ? null : area });
    this.refresh();
  }

  /** Draws what there is, and asks for what is missing. */
  private refresh(): void {
    if (this.subject?.facts === undefined || this.subject.facts === null || this.chart.clientWidth === 0) return;
    this.redraw();
    const { width, height } = this.plot;
    this.asking.want(this.state.choices, this.state.area, width, height, window.devicePixelRatio);
  }

  private receive(answer: OffsetWindow): void {
    this.window = answer;
    this.redraw();
    this.fillLegend(answer);
    this.regions.replaceChildren(regionTable(answer, this.axis, (area) => this.look(area)));
    if (this.said.textContent === '' || this.said.dataset['kind'] !== 'access')
      this.tell(windowText(answer, this.axis), 'window');
    this.say('');
    this.page.say('drawn', { accesses: answer.accesses });
  }

  private sized(
    width: number,
    height: number,
    title: string,
  ): Pick<OffsetPicture, 'width' | 'height' | 'title' | 'window'> {
    return { width, height, title, window: this.window };
  }

  private picture(width: number, height: number, title: string): OffsetPicture {
    const look = currentAppearance();
    const { read, write } = directionColours(look);
    const facts = this.subject!.facts!;
    const labels = this.window?.categories.map(({ label }) => label) ?? [];
    const chosen = this.plane.chosen;
    return {
      ...this.sized(width, height, title),
      area: this.area,
      axis: this.axis,
      facts,
      colours: categoryColours(this.state.choices.colourBy, labels, look),
      readColour: read,
      writeColour: write,
      text: look.text,
      softText: look.softText,
      background: look.background,
      rule: look.rule,
      ...(chosen !== undefined && title === '' && { chosen }),
    };
  }

  redraw(): void {
    const { clientWidth: width, clientHeight: height } = this.chart;
    if (this.subject?.facts === undefined || this.subject.facts === null || width === 0) return;
    const size = { width, height, scale: window.devicePixelRatio };
    const surface = new CanvasSurface(this.plane.canvas, size, currentAppearance());
    drawOffsets(surface, this.picture(width, height, ''));
    if (this.plane.showsMiddle) this.drawMiddle(surface);
  }

  /** The user took another theme. */
  recolour(): void {
    this.redraw();
    if (this.window !== undefined) this.fillLegend(this.window);
  }

  /** Where the Enter key asks. */
  private drawMiddle(surface: CanvasSurface): void {
    const { left, top, width, height } = this.plot;
    const { text } = currentAppearance();
    const [x, y] = [left + width / 2, top + height / 2];
    surface.line({ x: x - 10, y }, { x: x + 10, y }, text);
    surface.line({ x, y: y - 10 }, { x, y: y + 10 }, text);
  }

  private fillLegend({ categories }: OffsetWindow): void {
    const { colourBy, only } = this.state.choices;
    const colours = categoryColours(
      colourBy,
      categories.map(({ label }) => label),
      currentAppearance(),
    );
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset['label'] : undefined;
    const entries = categories.map((category, index) => {
      const { label } = category;
      const swatch = make('span', { class: 'swatch' });
      swatch.style.setProperty('--swatch', cssColour(colours[index]!));
      // Of cells that are read and written there is no access to show.
      const isKind = !(colourBy === 'direction' && index === 2);
      if (!isKind) return make('span', { class: 'entry' }, swatch, label);
      const pressed = only === label;
      const entry = make(
        'button',
        { type: 'button', class: 'entry', 'aria-pressed': String(pressed) },
        swatch,
        categoryText(category),
      );
      entry.dataset['label'] = label;
      entry.title = pressed ? 'Show all' : `Show only: ${label}`;
      entry.addEventListener('click', () => this.choose({ only: pressed ? '' : label }));
      return entry;
    });
    this.legend.replaceChildren(...entries);
    if (focused !== undefined) entries.find((entry) => entry.dataset['label'] === focused)?.focus();
  }

  private list(filter: string): void {
    this.page.askInstead('files', { filter }).then((files) => this.files.show(files), unlessOvertaken(this.say));
  }

  private listOperations(): void {
    this.page.ask('operations').then((operations) => this.operations.show(operations), this.fail);
  }

  showOperations(): void {
    this.operations.reveal();
  }

  private readonly fail = (error: unknown): void => this.say(messageOf(error));

  point(at: PlanePoint | undefined): void {
    clearTimeout(this.resting);
    this.points++;
    if (at === undefined) {
      this.tell(this.window === undefined ? HINT : windowText(this.window, this.axis), 'window');
      return;
    }
    this.resting = setTimeout(() => this.askAt(at, false), REST);
  }

  pick(at: PlanePoint): void {
    this.askAt(at, true);
  }

  private askAt(at: PlanePoint, isChosen: boolean): void {
    const question = ++this.points;
    if (isChosen) this.click = question;
    const { position, byte, reachPosition, reachBytes } = at;
    const { choices } = this.state;
    this.page
      .ask('access', { choices, position, byte, reachPosition, reachBytes })
      .then((access) => this.showAccess(question, access), this.fail);
  }

  private showAccess(question: number, access: ViewAccess | null): void {
    if (question === this.points)
      this.tell(access === null ? HINT : accessLine(access), access === null ? 'window' : 'access');
    if (question !== this.click) return;
    this.details.replaceChildren(...(access === null ? [] : [accessDetails(access, this.page)]));
    if (access?.hasSource === true) this.page.say('openSource', { number: access.number, stay: true });
  }

  private tell(text: string, kind: 'window' | 'access'): void {
    this.said.dataset['kind'] = kind;
    this.said.textContent = text;
  }

  private save(format: 'png' | 'svg'): void {
    const { width, height } = SAVED;
    const title = `${this.subject?.facts?.file.path ?? ''} (${this.subject?.recording ?? ''})`;
    const picture = this.picture(width, height, title);
    if (format === 'svg') {
      const surface = new SvgSurface();
      drawOffsets(surface, picture);
      this.page.say('picture', { format, content: surface.document(title, width, height, picture.background) });
      return;
    }
    const canvas = document.createElement('canvas');
    drawOffsets(new CanvasSurface(canvas, SAVED, currentAppearance()), picture);
    pngOfCanvas(canvas).then((content) => this.page.say('picture', { format, content }), this.fail);
  }
}
