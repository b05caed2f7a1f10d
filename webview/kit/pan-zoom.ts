interface Transform {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const SMALLEST = 0.05;
const LARGEST = 4;
const STEP = 40;
/** Smaller than this the text of a node can hardly be read. */
const READABLE = 0.75;

/** Moves and scales a drawing by wheel, drag and keys. */
export class PanZoom {
  private transform: Transform = { x: 0, y: 0, scale: 1 };
  private content = { x: 0, y: 0, width: 0, height: 0 };
  private dragged = false;
  private touched = false;

  constructor(
    private readonly stage: SVGSVGElement,
    private readonly moved: SVGElement,
  ) {
    stage.addEventListener('wheel', (event) => this.onWheel(event));
    stage.addEventListener('pointerdown', (event) => this.onPointerDown(event));
  }

  /** The user moved or scaled the drawing since it was shown. */
  get wasMoved(): boolean {
    return this.touched;
  }

  /** A click that ends a drag is none. */
  get wasDragged(): boolean {
    return this.dragged;
  }

  /** The drawing's corner and size; where it stands on the screen does not change. */
  setContent(x: number, y: number, width: number, height: number): void {
    this.content = { x, y, width, height };
  }

  /** Shows everything. */
  fit(): void {
    const { width, height } = this.stage.getBoundingClientRect();
    if (width === 0 || this.content.width === 0) return;
    const scale = this.fittingScale(width, height);
    this.set({
      scale,
      x: (width - this.content.width * scale) / 2 - this.content.x * scale,
      y: Math.max(12, (height - this.content.height * scale) / 2) - this.content.y * scale,
    });
  }

  /** Shows everything where the text stays readable; else as much as can be read, around a point. */
  show(x: number, y: number): void {
    this.touched = false;
    this.fit();
    const { width, height } = this.stage.getBoundingClientRect();
    if (width === 0 || this.fittingScale(width, height) >= READABLE) return;
    const { content } = this;
    // What fits in one direction is centred there.
    const place = (view: number, corner: number, size: number, point: number): number =>
      size * READABLE <= view ? (view - size * READABLE) / 2 - corner * READABLE : view / 2 - point * READABLE;
    this.set({
      scale: READABLE,
      x: place(width, content.x, content.width, x),
      y: place(height, content.y, content.height, y),
    });
  }

  /** Shows everything where the text stays readable; else the drawing's upper left corner. */
  showBeginning(): void {
    const { width, height } = this.stage.getBoundingClientRect();
    const half = (size: number): number => (size / 2 - 12) / READABLE;
    this.show(this.content.x + half(width), this.content.y + half(height));
  }

  private fittingScale(width: number, height: number): number {
    return Math.min(1.2, (width - 24) / this.content.width, (height - 24) / this.content.height);
  }

  zoomBy(factor: number, x?: number, y?: number): void {
    const { width, height } = this.stage.getBoundingClientRect();
    const centre = { x: x ?? width / 2, y: y ?? height / 2 };
    const { transform } = this;
    const scale = Math.min(LARGEST, Math.max(SMALLEST, transform.scale * factor));
    const ratio = scale / transform.scale;
    this.touched = true;
    this.set({ scale, x: centre.x - (centre.x - transform.x) * ratio, y: centre.y - (centre.y - transform.y) * ratio });
  }

  panBy(x: number, y: number): void {
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
    if (dx !== 0 || dy !== 0) this.panBy(dx, dy);
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
