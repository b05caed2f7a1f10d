/** Milliseconds between two drawings of a view while its recording grows: people look at it meanwhile. */
const CALM = 3000;

/** Draws a view anew when its recording changed: at once, but at a calm pace while the recording grows. */
export class CalmUpdates {
  private waiting: NodeJS.Timeout | undefined;
  private last = 0;

  constructor(
    private readonly update: () => void,
    private readonly now: () => number = Date.now,
  ) {}

  ask(isLive: boolean): void {
    if (!isLive) this.draw();
    else {
      this.waiting ??= setTimeout(() => this.draw(), Math.max(0, this.last + CALM - this.now()));
    }
  }

  private draw(): void {
    this.dispose();
    this.last = this.now();
    this.update();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.waiting = undefined;
  }
}
