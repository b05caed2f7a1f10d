import type { RecordedReplay, RecordedStep } from '../from-recording/recorded-replay.ts';

/** Steps that fio cannot repeat, by operation. */
export type Unsaid = Map<string, number>;

/** Lines that are handed out at once. */
const LINES = 1000;

/**
 * What one task does as an iolog of version 3: a time in microseconds, a file, an action. fio knows files that are added
 * and opened, reads, writes and syncs at offsets; everything else is counted in `unsaid`. The first action stands at 1:
 * fio 3.33 ignores the first pause after times of 0.
 *
 * @param folder where the files stand, as an absolute path without blanks.
 * @param origin when the first task begins, in nanoseconds of the recording.
 * @param timeScale by what times are multiplied.
 */
export function* iolog(
  steps: readonly RecordedStep[],
  nameOf: (at: number) => string | undefined,
  place: { readonly folder: string; readonly origin: number; readonly timeScale: number },
  unsaid: Unsaid,
): Generator<string, void, undefined> {
  const log = new Iolog(place.folder, unsaid);
  let latest = 1;
  yield 'fio version 3 iolog\n';
  for (const [at, step] of steps.entries()) {
    const time = Math.floor(((step.startNs - place.origin) / 1000) * place.timeScale) + 1;
    if (time > latest) latest = time;
    log.add(step, nameOf(at), latest);
    if (log.lines.length >= LINES) yield log.take();
  }
  yield log.take();
}

class Iolog {
  lines: string[] = [];
  private readonly fileOf = new Map<number, string>();
  private readonly added = new Set<string>();
  /** How often a file is open: fio has it open once. */
  private readonly users = new Map<string, number>();

  constructor(
    private readonly folder: string,
    private readonly unsaid: Unsaid,
  ) {}

  take(): string {
    const text = this.lines.join('');
    this.lines = [];
    return text;
  }

  add({ operation, place }: RecordedStep, name: string | undefined, time: number): void {
    switch (operation.operation) {
      case 'open':
      case 'fopen':
        this.open(operation.slot, name ?? operation.path, time);
        break;
      case 'close':
      case 'fclose':
        this.close(operation.slot, time);
        break;
      case 'read':
      case 'write':
      case 'pread':
      case 'pwrite':
      case 'buf_read':
      case 'buf_write':
        this.transfer(operation.operation.endsWith('read'), operation.slot, place, Number(operation.bytes), time);
        break;
      case 'sync':
        this.line(time, operation.slot, operation.dataOnly ? 'datasync 0 0' : 'sync 0 0');
        break;
      case 'seek':
      case 'buf_seek':
        // Every request names its offset.
        break;
      case 'sleep':
        // The times of the next actions say it.
        break;
      default:
        this.count(operation.operation);
    }
  }

  private count(what: string): void {
    this.unsaid.set(what, (this.unsaid.get(what) ?? 0) + 1);
  }

  private line(time: number, slot: number, action: string): void {
    const name = this.fileOf.get(slot);
    if (name !== undefined) this.lines.push(`${time} ${this.folder}/${name} ${action}\n`);
  }

  private open(slot: number, name: string, time: number): void {
    this.fileOf.set(slot, name);
    const users = this.users.get(name) ?? 0;
    this.users.set(name, users + 1);
    if (!this.added.has(name)) this.line(time, slot, 'add');
    this.added.add(name);
    if (users === 0) this.line(time, slot, 'open');
  }

  private close(slot: number, time: number): void {
    const name = this.fileOf.get(slot);
    if (name === undefined) return;
    const users = (this.users.get(name) ?? 1) - 1;
    this.users.set(name, users);
    if (users === 0) this.line(time, slot, 'close');
    this.fileOf.delete(slot);
  }

  private transfer(reads: boolean, slot: number, place: number, bytes: number, time: number): void {
    if (bytes === 0) this.count(`${reads ? 'read' : 'write'} of no bytes`);
    else if (Number.isNaN(place)) this.count(`${reads ? 'read' : 'write'} at an unknown offset`);
    else this.line(time, slot, `${reads ? 'read' : 'write'} ${place} ${bytes}`);
  }
}

/** When the first step of all tasks begins. */
export function originOf({ tasks }: RecordedReplay): number {
  let origin = Infinity;
  for (const { steps } of tasks) for (const { startNs } of steps) if (startNs < origin) origin = startNs;
  return origin === Infinity ? 0 : origin;
}
