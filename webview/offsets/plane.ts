import type { OffsetArea } from '../../src/features/offsets/protocol.ts';
import {
  byteAt,
  clampedArea,
  movedArea,
  positionAt,
  zoomedArea,
  type PlotBox,
} from '../../src/drawing/offsets/offset-plane.ts';
import { make } from '../kit/dom.ts';

/** What the plane needs of the view around it. */
export interface PlaneOwner {
  readonly area: OffsetArea;
  readonly extent: OffsetArea;
  readonly axis: 'time' | 'order';
  readonly plot: PlotBox;
  /** Another area is to be seen. */
  look(area: OffsetArea): void;
  /** The pointer rests at a point; undefined when it left. */
  point(at: PlanePoint | undefined): void;
  /** A click, or the Enter key. */
  pick(at: PlanePoint): void;
  redraw(): void;
}

/** A point of the plane, where it is on the canvas, and how far around it something is meant, in its own units. */
export interface PlanePoint {
  readonly x: number;
  readonly y: number;
  readonly position: number;
  readonly byte: number;
  readonly reachPosition: number;
  readonly reachBytes: number;
}

/** A step of the wheel or of a key. */
const ZOOM = 1.3;
const STEP = 0.12;
/** Pixels around the pointer. */
const REACH = 6;
/** Of the keyboard, whose point is the middle of what is seen. */
const FAR_REACH = 60;
/** A shorter movement is a click. */
const CLICK_PIXELS = 4;

const KEYS =
  'Arrows move; W and S, or plus and minus, zoom; Shift with W or S zooms along the file only, Alt along the time only; 0 shows everything; Enter tells what is in the middle.';

/** The canvas with the keys, the wheel and the pointer: what they do is told to the owner. */
export class Plane {
  readonly canvas = make('canvas', {
    tabindex: '0',
    role: 'application',
    'aria-roledescription': 'chart',
    'aria-label': `Accesses to the file by time and offset. ${KEYS} The same numbers are in the table below.`,
  });
  private drag:
    | { readonly x: number; readonly y: number; readonly area: OffsetArea; readonly picks: boolean }
    | undefined;
  /** Corners of the part that is being chosen, pixels. */
  private picked: { readonly x1: number; readonly y1: number; readonly x2: number; readonly y2: number } | undefined;
  private hasKeyboard = false;

  constructor(private readonly owner: PlaneOwner) {
    const { canvas } = this;
    canvas.addEventListener('wheel', (event) => this.wheel(event));
    canvas.addEventListener('pointerdown', (event) => this.begin(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.end(event));
    canvas.addEventListener('pointerleave', () => owner.point(undefined));
    canvas.addEventListener('dblclick', () => owner.look(owner.extent));
    canvas.addEventListener('keydown', (event) => this.key(event));
    canvas.addEventListener('blur', () => this.setKeyboard(false));
  }

  /** The part that is being chosen. */
  get chosen(): OffsetArea | undefined {
    return this.picked === undefined ? undefined : this.areaOf(this.picked);
  }

  /** Whether a mark in the middle shows what Enter asks for. */
  get showsMiddle(): boolean {
    return this.hasKeyboard;
  }

  zoomBy(factor: number): void {
    const { area } = this.owner;
    this.look(zoomedArea(area, factor, factor, (area.from + area.to) / 2, (area.fromByte + area.toByte) / 2));
  }

  private look(area: OffsetArea): void {
    this.owner.look(clampedArea(area, this.owner.extent, this.owner.axis));
  }

  private pointOf(x: number, y: number, reach: number): PlanePoint {
    const { area, plot } = this.owner;
    return {
      x,
      y,
      position: positionAt(x, area, plot),
      byte: byteAt(y, area, plot),
      reachPosition: ((area.to - area.from) / plot.width) * reach,
      reachBytes: ((area.toByte - area.fromByte) / plot.height) * reach,
    };
  }

  private isInside(x: number, y: number): boolean {
    const { left, top, width, height } = this.owner.plot;
    return x >= left && x <= left + width && y >= top && y <= top + height;
  }

  /** Over an axis only that axis is zoomed. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { area, plot } = this.owner;
    const { offsetX: x, offsetY: y } = event;
    const factor = ZOOM ** (-event.deltaY / 100);
    const onlyAcross = event.shiftKey || x < plot.left;
    const onlyAlong = event.altKey || y > plot.top + plot.height || y < plot.top;
    // With Shift some systems turn the wheel sideways.
    const turned = event.deltaY === 0 ? ZOOM ** (-event.deltaX / 100) : factor;
    const at = this.pointOf(x, y, 0);
    this.look(zoomedArea(area, onlyAcross ? 1 : turned, onlyAlong && !onlyAcross ? 1 : turned, at.position, at.byte));
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.setKeyboard(false);
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { x: event.offsetX, y: event.offsetY, area: this.owner.area, picks: event.shiftKey };
  }

  private move(event: PointerEvent): void {
    const { drag, owner } = this;
    const { offsetX: x, offsetY: y } = event;
    if (drag === undefined) {
      owner.point(this.isInside(x, y) ? this.pointOf(x, y, REACH) : undefined);
      return;
    }
    if (Math.hypot(x - drag.x, y - drag.y) < CLICK_PIXELS) return;
    owner.point(undefined);
    if (drag.picks) {
      this.picked = { x1: drag.x, y1: drag.y, x2: x, y2: y };
      owner.redraw();
    } else {
      const { width, height } = owner.plot;
      this.look(movedArea(drag.area, (drag.x - x) / width, (y - drag.y) / height));
    }
  }

  private end(event: PointerEvent): void {
    const { drag, picked, owner } = this;
    this.drag = undefined;
    this.picked = undefined;
    if (drag === undefined) return;
    const { offsetX: x, offsetY: y } = event;
    if (picked !== undefined) this.look(this.areaOf(picked));
    else if (Math.hypot(x - drag.x, y - drag.y) < CLICK_PIXELS && this.isInside(x, y))
      owner.pick(this.pointOf(x, y, REACH));
  }

  private areaOf({ x1, y1, x2, y2 }: NonNullable<Plane['picked']>): OffsetArea {
    const [one, other] = [this.pointOf(x1, y1, 0), this.pointOf(x2, y2, 0)];
    return {
      from: Math.min(one.position, other.position),
      to: Math.max(one.position, other.position),
      fromByte: Math.min(one.byte, other.byte),
      toByte: Math.max(one.byte, other.byte),
    };
  }

  private key(event: KeyboardEvent): void {
    const { owner } = this;
    const { area, plot } = owner;
    const byKey: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.look(movedArea(area, -STEP, 0)),
      ArrowRight: () => this.look(movedArea(area, STEP, 0)),
      ArrowUp: () => this.look(movedArea(area, 0, STEP)),
      ArrowDown: () => this.look(movedArea(area, 0, -STEP)),
      '+': () => this.zoomByKey(ZOOM, event),
      '-': () => this.zoomByKey(1 / ZOOM, event),
      '0': () => owner.look(owner.extent),
      Enter: () => owner.pick(this.pointOf(plot.left + plot.width / 2, plot.top + plot.height / 2, FAR_REACH)),
    };
    const same: Readonly<Record<string, string>> = {
      a: 'ArrowLeft',
      d: 'ArrowRight',
      w: '+',
      s: '-',
      '=': '+',
      _: '-',
      Home: '0',
    };
    const action = byKey[same[event.key.length === 1 ? event.key.toLowerCase() : event.key] ?? event.key];
    if (action === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.setKeyboard(true);
    action();
  }

  /** With Shift along the file only, with Alt along the time only. */
  private zoomByKey(factor: number, { shiftKey, altKey, key }: KeyboardEvent): void {
    const { area } = this.owner;
    // A plus sign needs Shift on many keyboards: the letters do not.
    const across = shiftKey && /[ws]/i.test(key);
    const middle = [(area.from + area.to) / 2, (area.fromByte + area.toByte) / 2] as const;
    this.look(zoomedArea(area, across ? 1 : factor, altKey && !across ? 1 : factor, ...middle));
  }

  private setKeyboard(hasKeyboard: boolean): void {
    if (hasKeyboard === this.hasKeyboard) return;
    this.hasKeyboard = hasKeyboard;
    this.owner.redraw();
  }
}
