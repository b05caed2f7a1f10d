import { layOutWorkflow } from '../../src/drawing/workflow/workflow-layout.ts';
import type { WorkflowPicture } from '../../src/drawing/workflow/workflow-picture.ts';
import type { WorkflowDocument, WorkflowLine, WorkflowViewState } from '../../src/features/workflow/protocol.ts';
import { currentAppearance } from '../kit/appearance.ts';
import type { PageEnd } from '../kit/page-end.ts';
import { PanZoom } from '../kit/pan-zoom.ts';
import { pictureOf } from '../kit/svg-file.ts';
import { make } from '../kit/dom.ts';
import { drawWorkflow } from './drawing.ts';
import { InfoView, type TabName } from './info-view.ts';
import { WorkflowItems } from './items.ts';
import { legendDrawing, legendList } from './legend.ts';
import { fillToolbar } from './toolbar.ts';
import type { Place } from './walk.ts';
import { countText, secondsText } from './words.ts';

const KEYS =
  'Left and right arrow keys walk along the dependencies, up and down to the box there, N and P to the steps; Enter selects, Ctrl+Enter or a double click on a step opens its recording. The wheel zooms, dragging moves.';

/** The graph of a workflow, and what is known of the part that is selected. */
export class WorkflowView {
  private state: WorkflowViewState;
  private document: WorkflowDocument | undefined;
  private picture: WorkflowPicture | undefined;
  private selected: Place | undefined;
  private marked: readonly Place[] = [];
  private file: number | undefined;
  private readonly parts: Record<'status' | 'heading' | 'toolbar' | 'legend' | 'info', HTMLElement>;
  private readonly stage: SVGSVGElement;
  private readonly canvas: SVGGElement;
  private readonly panZoom: PanZoom;
  private readonly items: WorkflowItems;
  private readonly info: InfoView;

  constructor(
    room: HTMLElement,
    private readonly page: PageEnd<WorkflowLine>,
  ) {
    this.state = page.kept ?? { folder: '', mode: 'dependency', tab: 'workflow' };
    const find = (id: string): HTMLElement => room.querySelector<HTMLElement>(`#${id}`)!;
    const [status, heading, bar, legend, info] = ['status', 'heading', 'toolbar', 'legend', 'info'].map(find);
    this.parts = { status: status!, heading: heading!, toolbar: bar!, legend: legend!, info: info! };
    find('keys').textContent = KEYS;
    this.stage = room.querySelector<SVGSVGElement>('#stage')!;
    this.canvas = room.querySelector<SVGGElement>('#canvas')!;
    this.panZoom = new PanZoom(this.stage, this.canvas);
    const open = (job: number, step: number): void => {
      const hasRecording = (this.document?.jobs[job]?.steps[step]?.recording.length ?? 0) > 0;
      if (hasRecording) page.say('openRecording', { job, step, as: 'findings' });
      else this.say('Nothing that could be opened was recorded of this step.');
    };
    this.items = new WorkflowItems(this.canvas, this.stage, this.panZoom, {
      select: (place) => this.select(place),
      open,
      selectArrow: (arrow) => this.selectArrow(arrow),
    });
    this.info = new InfoView(this.parts.info, this.infoActions(), (tab) => this.change({ tab }));
    this.fillTools();
    new ResizeObserver(() => {
      if (!this.panZoom.wasMoved) this.showAll();
    }).observe(this.stage);
  }

  private infoActions(): ConstructorParameters<typeof InfoView>[1] {
    return {
      select: (place) => {
        this.select(place);
        this.items.reveal(place);
      },
      chooseFile: (file) => this.chooseFile(file),
      mark: (jobs) => this.mark(jobs.map((job) => ({ job, step: null }))),
      open: (job, step, as) => this.page.say('openRecording', { job, step, as }),
    };
  }

  private fillTools(): void {
    fillToolbar(this.parts.toolbar, this.state.mode, {
      choose: (mode) => {
        this.change({ mode });
        this.arrange();
      },
      zoom: (factor) => this.panZoom.zoomBy(factor),
      fit: () => this.panZoom.fit(),
      readAgain: () => this.page.say('readAgain'),
      save: (format) => void this.save(format),
    });
  }

  say(message: string, isError = false): void {
    this.parts.status.textContent = message;
    this.parts.status.className = isError ? 'error' : '';
  }

  /** Shows a workflow; what was selected of the same folder before stays so. */
  show(document: WorkflowDocument): void {
    const isSame = this.document?.folder === document.folder;
    const at = this.selected;
    const job = at === undefined ? undefined : this.document?.jobs[at.job]?.id;
    const kept = isSame && job !== undefined ? document.jobs.findIndex(({ id }) => id === job) : -1;
    this.document = document;
    this.selected = at !== undefined && kept >= 0 ? { job: kept, step: at.step } : undefined;
    this.file = undefined;
    this.marked = [];
    this.change({ folder: document.folder });
    this.fillHeading(document);
    this.arrange();
    this.info.tell(this.subject(document), ['workflow', 'job', 'step', 'files']);
    this.info.show(this.state.tab);
  }

  private fillHeading({ folder, jobs, start, end }: WorkflowDocument): void {
    const name = folder.replace(/\/+$/, '').split('/').at(-1) ?? folder;
    const time = start === null || end === null ? '' : `, ${secondsText(end - start)} from start to end`;
    const text = `${folder}: ${countText(jobs.length)} ${jobs.length === 1 ? 'job' : 'jobs'}${time}`;
    this.parts.heading.replaceChildren(make('h1', {}, `Workflow ${name}`), make('p', { class: 'soft' }, text));
  }

  private arrange(): void {
    const { document } = this;
    if (document === undefined) return;
    this.picture = layOutWorkflow(document, this.state.mode);
    const { arrowsLeftOut } = this.picture;
    this.redraw();
    this.showAll();
    this.say(
      arrowsLeftOut === 0 ? '' : `${countText(arrowsLeftOut)} dependencies are not drawn: the tables have them.`,
    );
    this.page.say('drawn', { jobs: document.jobs.length, mode: this.state.mode });
  }

  /** Everything; where it is too large to be read, its beginning. */
  private showAll(): void {
    if (this.picture !== undefined) this.panZoom.showBeginning();
  }

  /** In the colours of the theme as it is now. */
  recolour(): void {
    this.redraw();
    this.info.recolour();
  }

  private redraw(): void {
    const { document, picture } = this;
    if (document === undefined || picture === undefined) return;
    this.items.replace(drawWorkflow(document, picture, currentAppearance().theme), picture);
    this.items.mark(this.selected, this.marked);
    this.parts.legend.replaceChildren(legendList(picture));
  }

  private select(place: Place): void {
    this.selected = place;
    this.items.mark(place, this.marked);
    this.tell(['job', 'step'], place.step === null ? 'job' : 'step');
  }

  /** All who use a file are marked. */
  private chooseFile(file: number | undefined): void {
    this.file = file;
    const users = file === undefined ? [] : (this.document?.files[file]?.users ?? []);
    this.mark(users);
    this.tell(['files'], 'files');
  }

  private mark(places: readonly Place[]): void {
    this.marked = places;
    this.items.mark(this.selected, places);
    const [first] = places;
    if (first !== undefined) this.items.reveal(first);
  }

  /** Both jobs are marked, and what they share is told: the file, or the job that waits. */
  private selectArrow(at: number): void {
    const arrow = this.picture?.arrows[at];
    if (arrow === undefined) return;
    const file = arrow.dependencies.flatMap((index) => this.document?.dependencies[index]?.files ?? [])[0];
    if (file !== undefined) this.chooseFile(file);
    else this.select({ job: arrow.to, step: null });
    this.mark([arrow.from, arrow.to].map((job) => ({ job, step: null })));
  }

  private tell(changed: readonly TabName[], tab: TabName): void {
    if (this.document === undefined) return;
    this.info.tell(this.subject(this.document), changed);
    this.info.show(tab);
    this.change({ tab });
  }

  private subject(document: WorkflowDocument): Parameters<InfoView['tell']>[0] {
    return { document, selected: this.selected, file: this.file };
  }

  private change(state: Partial<WorkflowViewState>): void {
    this.state = { ...this.state, ...state };
    if (this.state.folder !== '') this.page.keep(this.state);
  }

  private async save(format: 'png' | 'svg'): Promise<void> {
    const { picture } = this;
    if (picture === undefined) return;
    // A picture has to explain itself.
    const legend = legendDrawing(picture);
    this.canvas.append(legend);
    try {
      this.page.say('picture', await pictureOf(this.stage, format));
    } catch (error) {
      this.say(`The picture cannot be made: ${String(error)}`, true);
    } finally {
      legend.remove();
    }
  }
}
