import { closeSync, mkdtempSync, openSync, readSync, rmdirSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../base/error-message.ts';
import type { EventSpill } from '../machine/machine.ts';
import type { MemoryBudget } from './memory-budget.ts';

/**
 * Chunks of one event table that go beyond the budget, in a temporary file that loses its name once it is open: it
 * goes away with the process, however that ends, and nobody else can open it. It lies in the system's folder for
 * temporary files (`TMPDIR`).
 */
export class SpillFile implements EventSpill {
  /** Why chunks stay in memory although there is no room; '' when all is well. */
  problem = '';
  private taken = 0;
  private file: number | undefined;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly folder: string = tmpdir(),
  ) {}

  keeps(bytes: number): boolean {
    if (!this.budget.take(bytes)) return false;
    this.taken += bytes;
    return true;
  }

  write(position: number, bytes: Uint8Array): boolean {
    if (this.problem !== '') return false;
    try {
      this.file ??= openWithoutName(this.folder);
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.file, bytes, done, bytes.length - done, position + done);
      }
      return true;
    } catch (error) {
      this.problem = messageOf(error);
      return false;
    }
  }

  read(position: number, target: Uint8Array): void {
    if (this.file === undefined) throw new Error('the temporary file with events is closed');
    readFully(this.file, position, target, 'the temporary file with events');
  }

  close(): void {
    this.budget.giveBack(this.taken);
    this.taken = 0;
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

/** @throws Error when the file ends before `target` is full. */
export function readFully(file: number, position: number, target: Uint8Array, name: string): void {
  for (let done = 0; done < target.length;) {
    const got = readSync(file, target, done, target.length - done, position + done);
    if (got === 0) throw new Error(`${name} is shorter than it was`);
    done += got;
  }
}

function openWithoutName(folder: string): number {
  const own = mkdtempSync(path.join(folder, 'iolens-'));
  const name = path.join(own, 'events');
  try {
    const file = openSync(name, 'wx+', 0o600);
    unlinkSync(name);
    return file;
  } finally {
    rmdirSync(own);
  }
}
