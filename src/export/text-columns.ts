/** Cells below each other: numbers to the right, texts to the left. */
export class Columns {
  private readonly widths: readonly number[];

  constructor(
    private readonly head: readonly string[],
    private readonly rows: readonly (readonly string[])[],
  ) {
    this.widths = head.map((title, i) => rows.reduce((width, row) => Math.max(width, row[i]!.length), title.length));
  }

  /** The head and the rows; the last two columns are texts. */
  get lines(): string[] {
    const texts = this.head.length - 2;
    const cell = (text: string, i: number): string => {
      if (i < texts) return text.padStart(this.widths[i]!);
      return i === texts ? text.padEnd(this.widths[i]!) : text;
    };
    return [this.head, ...this.rows].map((row) => row.map(cell).join('  '));
  }
}
