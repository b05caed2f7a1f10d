import type { Questions } from '../../src/base/page-line.ts';
import type { OffsetArea, OffsetChoices, OffsetsLine, OffsetWindow } from '../../src/features/offsets/protocol.ts';

/** Pixels of the screen that a cell has in each direction, and the most cells of a picture. */
const CELL_PIXELS = 2;
const MOST_CELLS = 400_000;

type WindowQuestion = Questions<OffsetsLine>['window'];

/** Asks for one window at a time: while an answer is awaited only the latest wish is remembered. */
export class WindowAsking {
  private isWaiting = false;
  private next: WindowQuestion | undefined;

  constructor(
    private readonly ask: (question: WindowQuestion) => Promise<OffsetWindow>,
    private readonly receive: (window: OffsetWindow) => void,
    private readonly fail: (error: Error) => void,
  ) {}

  /** @param width, height of the plot in CSS pixels; `scale` pixels of the screen each. */
  want(choices: OffsetChoices, area: OffsetArea | null, width: number, height: number, scale: number): void {
    const cell = Math.max(CELL_PIXELS / scale, Math.sqrt((width * height) / MOST_CELLS));
    const columns = Math.max(1, Math.floor(width / cell));
    const rows = Math.max(1, Math.floor(height / cell));
    this.next = { choices, area, columns, rows };
    if (!this.isWaiting) void this.run();
  }

  private async run(): Promise<void> {
    this.isWaiting = true;
    while (this.next !== undefined) {
      const question = this.next;
      this.next = undefined;
      try {
        this.receive(await this.ask(question));
      } catch (error) {
        this.fail(error as Error);
      }
    }
    this.isWaiting = false;
  }
}
