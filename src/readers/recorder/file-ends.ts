import { NONE } from '../../trace/events.ts';

/** Where files end, as far as one process can know: from emptying or making them, and from its own writes behind that. */
export class FileEnds {
  private readonly ends = new Map<number, number>();

  /** NaN when unknown. */
  get(file: number): number {
    return this.ends.get(file) ?? NaN;
  }

  set(file: number, end: number): void {
    if (file !== NONE) this.ends.set(file, end);
  }

  forget(file: number): void {
    this.ends.delete(file);
  }

  /** A write ended here. An end that is not known stays so: there may be more behind it. */
  written(file: number, end: number): void {
    if (end > this.get(file)) this.ends.set(file, end);
  }
}
