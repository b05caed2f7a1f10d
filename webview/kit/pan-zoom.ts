interface Transform {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const SMALLEST = 0.05;
const LARGEST = 4;
/** Nothing is made larger than that to fill its stage. */
const LARGEST_FITTED = 1.2;
const STEP = 40;
/** The smallest letters of a drawing are 11 px high: smaller than drawn they can hardly be read. */
const READABLE = 1;
/** Between a drawing and the edge of its stage. */
const MARGIN = 12;

/** Moves and scales a drawing by wheel, drag and keys. */
export class PanZoom {
  private transform: Transform = { x: 0, y: 0, scale: 1 };
  private dragged = false;
  private touched = false;
  private shown = false;

  /** @param chosen is told when the user wants to see everything, or a part that they choose themselves. */
  constructor(
    private readonly stage: SVGSVGElement,
    private readonly moved: SVGGraphicsElement,
    private readonly chosen: (isWhole: boolean) => void = () => undefined,
  ) {
    stage.addEventListener('wheel', (event) => this.onWheel(event));
    stage.addEventListener('pointerdown', (event) => this.onPointerDown(event));
  }

  /** The stage had a size when something was to be shown. */
  get isShown(): boolean {
    return this.shown;
  }

  /** The user moved or scaled the drawing since it was shown. */
  get wasMoved(): boolean {
    return this.touched;
  }

  /** A click that ends a drag is none. */
  get wasDragged(): boolean {
    return this.dragged;
  }

  /** Shows everything, for the user asks for it. */
  fit(): void {
    this.chosen(true);
    this.showWhole();
  }

  /** Everything, however small it becomes. */
  showWhole(): void {
    this.touched = false;
    this.place(SMALLEST, { x: 0, y: 0 });
  }

  /** Shows everything where the text stays readable; else as much as can be read, around a point. */
  show(x: number, y: number): void {
    this.touched = false;
    this.place(READABLE, { x, y });
  }

  /** Shows everything where the text stays readable; else the drawing's upper left corner. */
  showBeginning(): void {
    this.show(-Infinity, -Infinity);
  }

  /** What fits in one direction is centred there; of the rest a point is, as far as no room beside the drawing is shown for it. */
  private place(least: number, point: { readonly x: number; readonly y: number }): void {
    const { width, height } = this.stage.getBoundingClientRect();
    const content = this.moved.getBBox();
    if (width === 0 || content.width === 0) return;
    const [wide, high] = [width - 2 * MARGIN, height - 2 * MARGIN];
    const scale = Math.max(least, Math.min(LARGEST_FITTED, wide / content.width, high / content.height));
    const along = (room: number, corner: number, size: number, wanted: number): number => {
      if (size * scale <= room) return MARGIN + (room - size * scale) / 2 - corner * scale;
      const first = MARGIN - corner * scale;
      const last = first + room - size * scale;
      return Math.min(first, Math.max(last, MARGIN + room / 2 - wanted * scale));
    };
    this.set({
      scale,
      x: along(wide, content.x, content.width, point.x),
      y: along(high, content.y, content.height, point.y),
    });
  }

  zoomBy(factor: number, x?: number, y?: number): void {
    const { width, height } = this.stage.getBoundingClientRect();
    const centre = { x: x ?? width / 2, y: y ?? height / 2 };
    const { transform } = this;
    const scale = Math.min(LARGEST, Math.max(SMALLEST, transform.scale * factor));
    const ratio = scale / transform.scale;
    this.touched = true;
    this.chosen(false);
    this.set({ scale, x: centre.x - (centre.x - transform.x) * ratio, y: centre.y - (centre.y - transform.y) * ratio });
  }

  private panBy(x: number, y: number): void {
    this.chosen(false);
    this.moveBy(x, y);
  }

  private moveBy(x: number, y: number): void {
    const { transform } = this;
    this.touched = true;
    this.set({ ...transform, x: transform.x + x, y: transform.y + y });
  }

  /** Moves the drawing so that a rectangle of it can be seen. */
  reveal(x: number, y: number, width: number, height: number): void {
    const { transform } = this;
    const view = this.stage.getBoundingClientRect();
    const left = x * transform.scale + transform.x;
    const top = y * transform.scale + transform.y;
    const right = left + width * transform.scale;
    const bottom = top + height * transform.scale;
    const dx = left < 0 ? 20 - left : right > view.width ? view.width - 20 - right : 0;
    const dy = top < 0 ? 20 - top : bottom > view.height ? view.height - 20 - bottom : 0;
    if (dx !== 0 || dy !== 0) this.moveBy(dx, dy);
  }

  /** Keys that move the view; true when the key was one of them. */
  onKey(key: string): boolean {
    switch (key) {
      case '+':
      case '=':
        this.zoomBy(1.25);
        return true;
      case '-':
        this.zoomBy(0.8);
        return true;
      case '0':
        this.fit();
        return true;
      case 'w':
        this.panBy(0, STEP);
        return true;
      case 's':
        this.panBy(0, -STEP);
        return true;
      case 'a':
        this.panBy(STEP, 0);
        return true;
      case 'd':
        this.panBy(-STEP, 0);
        return true;
      default:
        return false;
    }
  }

  private set(transform: Transform): void {
    this.transform = transform;
    this.shown = true;
    this.moved.setAttribute('transform', `translate(${transform.x} ${transform.y}) scale(${transform.scale})`);
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const { left, top } = this.stage.getBoundingClientRect();
    if (event.ctrlKey || !event.shiftKey)
      this.zoomBy(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
    else this.panBy(-event.deltaY, 0);
  }

  private onPointerDown(down: PointerEvent): void {
    if (down.button !== 0) return;
    this.dragged = false;
    let last = { x: down.clientX, y: down.clientY };
    const move = (event: PointerEvent): void => {
      const x = event.clientX - last.x;
      const y = event.clientY - last.y;
      if (!this.dragged && Math.hypot(x, y) < 4) return;
      if (!this.dragged) this.stage.setPointerCapture(down.pointerId);
      this.dragged = true;
      last = { x: event.clientX, y: event.clientY };
      this.panBy(x, y);
    };
    const up = (): void => {
      this.stage.removeEventListener('pointermove', move);
      this.stage.removeEventListener('pointerup', up);
    };
    this.stage.addEventListener('pointermove', move);
    this.stage.addEventListener('pointerup', up);
  }
}
