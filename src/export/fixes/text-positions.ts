interface TextPosition {
  /** Both from 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** Positions of a text as numbers of units, and as lines and columns. A line ends behind its line feed. */
export class TextPositions {
  private readonly starts: number[] = [0];

  constructor(private readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  at(offset: number): TextPosition {
    let low = 0;
    for (let high = this.starts.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.starts[low]! + 1 };
  }

  /** @returns undefined when the text has no such place. */
  offset({ line, column }: TextPosition): number | undefined {
    const start = this.starts[line - 1];
    if (start === undefined || column < 1) return undefined;
    const offset = start + column - 1;
    const end = this.starts[line] ?? this.text.length + 1;
    return offset < end ? offset : undefined;
  }
}
