import type { DarshanTraceBuilder } from '../darshan/darshan-trace-builder.ts';

/**
 * The tables `# DXT-POSIX address to line mapping` and `# DXT-MPIIO address to line mapping` of the fork that records
 * stacks: lines of `0x4012f2, /src/a.c:19 (discriminator 3)`.
 */
export class AddressTables {
  private readonly texts = { POSIX: '', MPIIO: '' };
  private layer: 'POSIX' | 'MPIIO' = 'POSIX';

  /** Takes the heading of a table; returns whether it is one. */
  readHeading(text: string): boolean {
    const heading = /^DXT-(POSIX|MPIIO) address to line mapping$/.exec(text);
    if (heading !== null) this.layer = heading[1] as 'POSIX' | 'MPIIO';
    return heading !== null;
  }

  /** Takes a line of a table; returns whether it is one. */
  readLine(text: string): boolean {
    if (!/^0x[\da-f]{1,16}, ./.test(text)) return false;
    this.texts[this.layer] += `${text}\n`;
    return true;
  }

  /**
   * Gives the tables to the trace.
   * @param hasStacks the log is of the fork, whose tables may be empty; other logs have none.
   */
  place(builder: DarshanTraceBuilder, hasStacks: boolean): void {
    if (hasStacks || this.texts.POSIX + this.texts.MPIIO !== '')
      builder.setLineTables(this.texts.POSIX, this.texts.MPIIO);
  }

  /** Addresses for which no line was found (`??:?`). */
  get unnamed(): Set<number> {
    const lines = (this.texts.POSIX + this.texts.MPIIO).split('\n').filter((line) => line.includes(', ??:'));
    return new Set(lines.map((line) => Number.parseInt(line, 16)));
  }
}
