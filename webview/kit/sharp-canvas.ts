/** A canvas that is as sharp as the screen. */
export class SharpCanvas {
  readonly element: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** Pixels of the screen for one of CSS. */
  ratio = 1;
  width = 0;
  height = 0;

  constructor(element: HTMLCanvasElement) {
    this.element = element;
    this.context = element.getContext('2d')!;
  }

  /** Empties it, with one unit for a pixel of CSS. */
  begin(width: number, height: number): CanvasRenderingContext2D {
    const { element, context } = this;
    this.ratio = window.devicePixelRatio;
    this.width = width;
    this.height = height;
    const wide = Math.max(1, Math.round(width * this.ratio));
    const high = Math.max(1, Math.round(height * this.ratio));
    if (element.width !== wide || element.height !== high) {
      element.width = wide;
      element.height = high;
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }

  /** The middle of the nearest pixel of the screen: a line there is sharp. */
  crisp(at: number): number {
    return (Math.floor(at * this.ratio) + 0.5) / this.ratio;
  }
}
