import type { Box, WorkflowPicture } from '../../src/drawing/workflow/workflow-picture.ts';
import type { PanZoom } from '../kit/pan-zoom.ts';
import { walk, type Place } from './walk.ts';

interface ItemEvents {
  readonly select: (place: Place) => void;
  /** Opens the recording of a step. */
  readonly open: (job: number, step: number) => void;
  readonly selectArrow: (arrow: number) => void;
}

type Item = HTMLElement & SVGElement;
const ITEM = '.job, .step';

/** Jobs and steps on the stage: clicks, and the keyboard's way from one to the next. */
export class WorkflowItems {
  private picture: WorkflowPicture | undefined;

  constructor(
    private readonly canvas: SVGGElement,
    stage: SVGSVGElement,
    private readonly panZoom: PanZoom,
    private readonly events: ItemEvents,
  ) {
    canvas.addEventListener('click', (event) => {
      if (!panZoom.wasDragged) this.use(event.target as Element);
    });
    canvas.addEventListener('dblclick', (event) => this.openAt(event.target as Element));
    stage.addEventListener('keydown', (event) => {
      if (this.onKey(event)) event.preventDefault();
    });
    canvas.addEventListener('focusin', (event) => {
      const item = (event.target as Element).closest<Item>(ITEM);
      const box = item === null ? undefined : this.boxOf(placeOf(item));
      if (box !== undefined) panZoom.reveal(box.x, box.y, box.width, box.height);
    });
  }

  /** Shows another drawing; the focus stays on what it was on. */
  replace(drawing: SVGElement, picture: WorkflowPicture): void {
    const focused = document.activeElement;
    const kept = focused instanceof SVGElement && this.canvas.contains(focused) ? placeOf(focused as Item) : undefined;
    this.canvas.replaceChildren(drawing);
    this.picture = picture;
    const item = kept === undefined ? undefined : this.itemOf(kept);
    (item ?? this.canvas.querySelector<Item>('.job'))?.setAttribute('tabindex', '0');
    item?.focus();
  }

  /** @param selected is outlined. @param marked jobs and steps belong to it, such as the users of a file. */
  mark(selected: Place | undefined, marked: readonly Place[]): void {
    const keys = new Set(marked.map(keyOf));
    for (const item of this.canvas.querySelectorAll<Item>(ITEM)) {
      const place = placeOf(item);
      const isSelected = selected !== undefined && keyOf(place) === keyOf(selected);
      item.classList.toggle('selected', isSelected);
      if (isSelected) item.setAttribute('aria-current', 'true');
      else item.removeAttribute('aria-current');
      item.classList.toggle('marked', keys.has(keyOf(place)));
    }
  }

  reveal(place: Place): void {
    const box = this.boxOf(place);
    if (box !== undefined) this.panZoom.reveal(box.x, box.y, box.width, box.height);
  }

  private onKey(event: KeyboardEvent): boolean {
    if (event.metaKey || event.altKey) return false;
    const item = (event.target as Element).closest<Item>(ITEM);
    if (item !== null && event.key === 'Enter' && event.ctrlKey) this.openAt(item);
    else if (event.ctrlKey) return false;
    else if (item !== null && (event.key === 'Enter' || event.key === ' ')) this.use(item);
    else if (item !== null && this.moveFocus(item, event.key)) return true;
    else return this.panZoom.onKey(event.key);
    return true;
  }

  private use(target: Element): void {
    const arrow = target.closest<HTMLElement>('.arrow')?.dataset['arrow'];
    if (arrow !== undefined) this.events.selectArrow(Number(arrow));
    const item = target.closest<Item>(ITEM);
    if (item !== null) this.events.select(placeOf(item));
  }

  private openAt(target: Element): void {
    const item = target.closest<Item>('.step');
    const place = item === null ? undefined : placeOf(item);
    if (place !== undefined && place.step !== null) this.events.open(place.job, place.step);
  }

  private moveFocus(from: Item, key: string): boolean {
    const next = this.picture === undefined ? undefined : walk(placeOf(from), key, this.picture);
    const item = next === undefined ? undefined : this.itemOf(next);
    if (item === undefined) return false;
    // One of them at a time is in the order of the tab key.
    for (const other of this.canvas.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    item.setAttribute('tabindex', '0');
    item.focus({ preventScroll: true });
    return true;
  }

  private itemOf({ job, step }: Place): Item | undefined {
    const part = step === null ? `.job[data-job="${job}"]` : `.step[data-job="${job}"][data-step="${step}"]`;
    return this.canvas.querySelector<Item>(part) ?? undefined;
  }

  private boxOf({ job, step }: Place): Box | undefined {
    const box = this.picture?.boxes[job];
    return step === null ? box : (box?.steps.find((each) => each.step === step) ?? box);
  }
}

function placeOf({ dataset }: Item): Place {
  const { job, step } = dataset;
  return { job: Number(job), step: step === undefined ? null : Number(step) };
}

function keyOf({ job, step }: Place): string {
  return `${job} ${step ?? ''}`;
}
