/** Where a line stands after a file was edited. */
interface MovedLine {
  /** Counted from 1. */
  readonly line: number;
  /** The line itself was changed or removed: `line` is where its successor stands. */
  readonly changed: boolean;
}

/** A change of a file: `oldCount` lines from `oldStart` became `newCount` lines from `newStart`. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** How the lines of a file moved from one version to another. */
export class LineShift {
  private constructor(private readonly hunks: readonly Hunk[]) {}

  /** Reads the hunk headers of `git diff -U0`: `@@ -12,2 +12,5 @@`, a count of 1 left out. */
  static fromDiff(diff: string): LineShift {
    const hunks = [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map((match) => ({
      oldStart: Number(match[1]),
      oldCount: Number(match[2] ?? 1),
      newStart: Number(match[3]),
      newCount: Number(match[4] ?? 1),
    }));
    return new LineShift(hunks);
  }

  /** @param hunks in the order of the file. */
  static fromHunks(hunks: readonly Hunk[]): LineShift {
    return new LineShift(hunks);
  }

  get isEmpty(): boolean {
    return this.hunks.length === 0;
  }

  place(line: number): MovedLine {
    let moved = line;
    for (const { oldStart, oldCount, newStart, newCount } of this.hunks) {
      // Without old lines the hunk stands behind its line, with some it begins at it.
      const first = oldCount === 0 ? oldStart + 1 : oldStart;
      if (line < first) break;
      if (line < first + oldCount) {
        const within = Math.min(line - first, newCount - 1);
        return { line: newCount === 0 ? newStart + 1 : newStart + within, changed: true };
      }
      moved += newCount - oldCount;
    }
    return { line: moved, changed: false };
  }
}
