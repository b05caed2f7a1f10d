import type { FileTable } from '../../trace/files.ts';

/** Files that a note names. */
const MOST_NAMES = 3;

/** Files that programs map without knowing it. */
const SYSTEM_FILE = /^\/(usr|lib|lib64|etc|proc|sys|dev|var\/cache)\//;

/** Transfers that strace cannot show, so that nobody takes them for none. */
export class UnseenTransfers {
  private ringCalls = 0;
  private ringRequests = 0;
  private unlistedRequests = 0;
  private readonly mapped = new Set<number>();

  /** `io_uring_enter` handed requests to the kernel; what they are stands in memory. */
  ringSubmitted(requests: number): void {
    if (requests <= 0) return;
    this.ringCalls++;
    this.ringRequests += requests;
  }

  /** `io_submit` handed over more requests than strace lists. */
  unlisted(requests: number): void {
    this.unlistedRequests += requests;
  }

  /** A file was mapped into memory, by the program and not by the loader. */
  fileMapped(file: number): void {
    this.mapped.add(file);
  }

  notes(files: FileTable): string[] {
    const notes: string[] = [];
    if (this.ringRequests > 0) {
      const calls = this.ringCalls === 1 ? 'one call' : `${this.ringCalls} calls`;
      notes.push(
        `io_uring: ${this.ringRequests} requests were submitted in ${calls}; which files and how many bytes they moved, strace does not see`,
      );
    }
    if (this.unlistedRequests > 0) {
      notes.push(`io_submit: ${this.unlistedRequests} requests are not listed in the recording`);
    }
    const paths = [...this.mapped]
      .map((file) => files.at(file))
      .filter(({ path, kind }) => kind === 'regular' && !SYSTEM_FILE.test(path))
      .map(({ path }) => path);
    if (paths.length > 0) {
      const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : '';
      const names = `${paths.slice(0, MOST_NAMES).join(', ')}${more}`;
      notes.push(`mapped into memory: ${names}; what is read and written through a mapping, strace does not see`);
    }
    return notes;
  }
}
