import { bindNumber, type Names } from '../expressions/evaluate.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { bindPath } from '../expressions/path-template.ts';
import type { FilePool } from '../program.ts';
import { RandomNumbers } from './random-numbers.ts';

/** Files of a pool: more names than this are a mistake. */
const MOST_FILES = 1e8;

/** A pool as one task sees it. */
export class PoolFiles {
  readonly files: number;
  private readonly filesPerFolder: number;
  private readonly least: number;
  private readonly most: number;
  private readonly path: string;
  /** A pool whose path depends on RANK is the task's own. */
  private readonly isOwn: boolean;
  private opened = 0;
  private removed = 0;
  private readonly random: RandomNumbers;

  /**
   * @throws ExpressionError for numbers that make no pool.
   */
  constructor(
    readonly pool: FilePool,
    private readonly names: Names,
  ) {
    const number = (what: string, text: number | string, least: number, most: number): number => {
      const value = bindNumber(text, names)([]);
      if (value >= least && value <= most) return value;
      throw new ExpressionError(`the pool ${pool.name}: ${what} is ${value}, where ${least} to ${most} is allowed`);
    };
    this.files = number('the number of files', pool.files, 1, MOST_FILES);
    this.filesPerFolder = number('the number of files in a folder', pool.filesPerFolder, 1, Number.MAX_SAFE_INTEGER);
    this.least = number('the least size', pool.leastBytes, 0, Number.MAX_SAFE_INTEGER);
    this.most = number('the greatest size', pool.mostBytes, this.least, Number.MAX_SAFE_INTEGER);
    this.path = bindPath(pool.path, names)([]);
    this.isOwn = /\{[^{}]*\bRANK\b/.test(pool.path);
    this.random = new RandomNumbers(names.rank + 1);
  }

  /** Of a shared pool task r opens files r, r + SIZE, …, and begins again behind the last; of its own pool all in order. */
  next(): string {
    return this.nameOf(this.turn(this.opened++));
  }

  /** The next file to be removed. */
  nextRemoved(): string {
    return this.nameOf(this.turn(this.removed++));
  }

  any(): string {
    return this.nameOf(this.random.below(this.files));
  }

  /** The files that this task makes before the replay, with their sizes in bytes. */
  *toMake(): Generator<{ readonly path: string; readonly bytes: number }> {
    if (!this.pool.create) return;
    const step = this.isOwn ? 1 : this.names.size;
    for (let file = this.isOwn ? 0 : this.names.rank; file < this.files; file += step) {
      // The size follows from the file, not from who makes it.
      const bytes = this.least + new RandomNumbers(file + 1).below(this.most - this.least + 1);
      yield { path: this.nameOf(file), bytes };
    }
  }

  private turn(times: number): number {
    return (this.isOwn ? times : this.names.rank + times * this.names.size) % this.files;
  }

  private nameOf(file: number): string {
    const folder = Math.floor(file / this.filesPerFolder);
    return `${this.path}/${String(folder).padStart(4, '0')}/${String(file).padStart(8, '0')}`;
  }
}
