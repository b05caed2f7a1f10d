import { printable } from '../export/report-text.ts';

/** Shows how far a load is, on standard error: a bar on a terminal, lines with `plain`, nothing otherwise. */
export class Progress {
  private lastPercent = -1;
  private shown = false;
  private readonly label: string;

  constructor(
    private readonly mode: 'never' | 'auto' | 'plain',
    label: string,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {
    this.label = printable(label);
  }

  update(share: number | undefined): void {
    const percent = share === undefined ? NaN : Math.floor(share * 100);
    if (percent === this.lastPercent || this.mode === 'never') return;
    this.lastPercent = percent;
    if (this.mode === 'plain') {
      if (percent % 10 === 0) this.stream.write(`${this.label}: ${percent} %\n`);
      return;
    }
    if (!this.stream.isTTY) return;
    const filled = Number.isNaN(percent) ? 0 : Math.round(percent / 5);
    const text = Number.isNaN(percent) ? '' : ` ${percent} %`;
    this.stream.write(`\r${this.label} [${'█'.repeat(filled)}${'░'.repeat(20 - filled)}]${text} `);
    this.shown = true;
  }

  /** Takes the bar away. */
  done(): void {
    if (this.shown) this.stream.write('\r\u001b[K');
  }
}
