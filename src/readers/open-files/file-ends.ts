import { NONE } from '../../trace/events.ts';

/**
 * Where files end, as far as it is known: from emptying or making them, from a look at them, and from writes behind that.
 * Files are indices into the trace's files.
 */
export class FileEnds {
  private readonly ends: number[] = [];

  /** In bytes; NaN when unknown. */
  get(file: number): number {
    return this.ends[file] ?? NaN;
  }

  set(file: number, end: number): void {
    if (file !== NONE) this.ends[file] = end;
  }

  forget(file: number): void {
    this.set(file, NaN);
  }

  /** A write ended here. An end that is not known stays so: there may be more behind it. */
  written(file: number, end: number): void {
    if (end > this.get(file)) this.ends[file] = end;
  }
}
