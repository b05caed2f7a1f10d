import { printable } from '../export/report/report-text.ts';

/** Shows how far a load is, on standard error: a bar on a terminal, lines with `plain`, nothing otherwise. */
export class Progress {
  private lastPercent = -1;
  private lastPace = '';
  private shown = false;
  private readonly label: string;

  constructor(
    private readonly mode: 'never' | 'auto' | 'plain',
    label: string,
    private readonly stream: NodeJS.WriteStream = process.stderr,
  ) {
    this.label = printable(label);
  }

  /** @param pace how fast it goes, in words. */
  update(share: number | undefined, pace = ''): void {
    const percent = share === undefined ? NaN : Math.floor(share * 100);
    if ((percent === this.lastPercent && pace === this.lastPace) || this.mode === 'never') return;
    if (this.mode === 'plain') {
      const isNew = percent !== this.lastPercent;
      this.lastPercent = percent;
      if (isNew && percent % 10 === 0) this.stream.write(`${this.label}: ${percent} %${pace && ` (${pace})`}\n`);
      return;
    }
    this.lastPercent = percent;
    this.lastPace = pace;
    if (!this.stream.isTTY) return;
    const filled = Number.isNaN(percent) ? 0 : Math.round(percent / 5);
    const text = (Number.isNaN(percent) ? '' : ` ${percent} %`) + (pace && ` ${pace}`);
    const erased = pace === '' ? '' : '\u001b[K';
    this.stream.write(`\r${this.label} [${'█'.repeat(filled)}${'░'.repeat(20 - filled)}]${text} ${erased}`);
    this.shown = true;
  }

  /** Takes the bar away. */
  done(): void {
    if (this.shown) this.stream.write('\r\u001b[K');
  }
}
