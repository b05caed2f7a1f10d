import { OPEN_MODE } from '../../trace/events.ts';
import type { ReplayCall } from '../backends/backend.ts';
import { barrierKey } from './barriers.ts';
import { BufferedStreams } from './buffered-streams.ts';
import { fileKey } from './content.ts';
import { errorCode } from './file-calls.ts';
import { fopenMode, TaskFile, TaskFiles, StreamBuffer } from './task-files.ts';
import type { PoolFiles } from './pool-files.ts';
import { RandomNumbers } from './random-numbers.ts';
import { ReplayError } from './replay-error.ts';
import type { ContentReport, TaskSurroundings } from './surroundings.ts';
import type { BoundOperation } from './task-program.ts';
import { checkPlace, Transfers } from './transfers.ts';

type OperationOf<Name extends BoundOperation['operation'], Of = BoundOperation> = Of extends { operation: infer Its }
  ? [Extract<Its, Name>] extends [never]
    ? never
    : Of
  : never;
type Opening = OperationOf<'open' | 'fopen' | 'poolopen' | 'poolrandom'>;

/** Does the operations of one task, one behind the other. */
export class TaskRun {
  private readonly files = new TaskFiles();
  private readonly transfers: Transfers;
  private readonly streams: BufferedStreams;

  constructor(private readonly around: TaskSurroundings) {
    this.transfers = new Transfers(around);
    const sizeOf = (file: TaskFile): number => around.calls.sizeOf(file.descriptor);
    this.streams = new BufferedStreams(this.transfers, sizeOf, new RandomNumbers(around.rank + 1));
  }

  get content(): ContentReport {
    return this.transfers.content;
  }

  /**
   * @throws ReplayError for operations that make no sense here, DeadlockError, StoppedError, and what the system says.
   */
  do(operation: BoundOperation): void {
    switch (operation.operation) {
      case 'open':
      case 'fopen':
      case 'poolopen':
      case 'poolrandom':
        this.open(operation);
        break;
      case 'close':
      case 'fclose':
        this.close(operation.operation, operation.slot);
        break;
      case 'duplicate':
        this.duplicate(operation);
        break;
      case 'read':
      case 'write':
        this.transfer(operation, undefined);
        break;
      case 'pread':
      case 'pwrite':
        this.transfer(operation, operation.offset);
        break;
      case 'buf_read':
      case 'buf_write':
      case 'buf_read_random':
        this.stream(operation);
        break;
      case 'buf_seek':
      case 'seek':
        this.seek(operation);
        break;
      case 'sync':
      case 'truncate':
        this.change(operation);
        break;
      default:
        this.other(operation);
    }
  }

  /** Closes what is still open, as the end of a process does. */
  finish(): void {
    for (const file of this.files.all()) this.closeFile(file);
  }

  /** Makes a file that is there before the replay begins. */
  prepare(path: string, bytes: number): void {
    const { calls, contentNames, size } = this.around;
    const descriptor = this.withFolders(path, () => calls.open(path, 1 | OPEN_MODE.create | OPEN_MODE.truncate));
    try {
      const key = contentNames === undefined ? undefined : fileKey(path);
      const file = new TaskFile(descriptor, path, 1, key, undefined);
      const piece = Math.min(bytes, 1 << 20);
      const memory = this.transfers.atLeast(piece);
      for (let at = 0; at < bytes; at += piece) {
        const length = Math.min(piece, bytes - at);
        this.transfers.fill(file, memory, length, at, size);
        this.transfers.raw(file, 'write', memory, length, at);
      }
    } finally {
      calls.close(descriptor);
    }
  }

  private other(operation: BoundOperation): void {
    switch (operation.operation) {
      case 'lock':
        this.lock(operation);
        break;
      case 'unlock':
        this.plain('unlock', () => this.release(this.files.at(operation.slot)));
        break;
      case 'unlink':
      case 'mkdir':
      case 'rmdir':
      case 'stat':
      case 'rename':
      case 'poolunlink':
        this.name(operation);
        break;
      case 'send_sync':
      case 'recv_sync':
      case 'barrier':
      case 'sleep':
        this.wait(operation);
        break;
      default:
        throw new ReplayError(`${operation.operation} is a call of MPI, which this engine has not`);
    }
  }

  private plain(operation: string, act: () => void, effect: ReplayCall['effect'] = 'none'): void {
    this.transfers.measured({ operation, direction: 'none', bytes: 0, effect, isIo: true }, () => {
      act();
      return 0;
    });
  }

  private open(operation: Opening): void {
    const { calls, contentNames } = this.around;
    const isStream = operation.operation === 'fopen';
    const mode = isStream ? fopenMode(operation.mode) : operation.mode;
    if (mode === undefined) throw new ReplayError(`"${operation.mode}" is no mode of fopen`);
    const path = this.pathOf(operation);
    const creates = (mode & OPEN_MODE.create) !== 0;
    let descriptor = -1;
    const open = (): void =>
      this.plain(operation.operation, () => (descriptor = calls.open(path, mode)), creates ? 'create' : 'none');
    if (creates) this.withFolders(path, open);
    else open();
    if ((mode & OPEN_MODE.append) !== 0) contentNames?.appendedTo(path);
    const origin = contentNames?.originOf(path);
    const key = origin === undefined ? undefined : fileKey(origin);
    try {
      const buffer = isStream ? new StreamBuffer() : undefined;
      this.files.add(operation.slot, new TaskFile(descriptor, path, mode, key, buffer));
    } catch (error) {
      calls.close(descriptor);
      throw error;
    }
  }

  private pathOf(operation: Opening): string {
    if (operation.operation === 'open' || operation.operation === 'fopen') return operation.path;
    const pool = this.pool(operation.pool);
    return operation.operation === 'poolopen' ? pool.next() : pool.any();
  }

  private pool(name: string): PoolFiles {
    const pool = this.around.pools.get(name);
    if (pool === undefined) throw new ReplayError(`there is no pool "${name}"`);
    return pool;
  }

  /** A recorded program found its folders made: those that are missing are made, outside of the time that is measured. */
  private withFolders<Result>(path: string, act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      this.around.calls.makeFoldersFor(path);
      return act();
    }
  }

  private close(operation: string, slot: number): void {
    const file = this.files.at(slot);
    if (!this.files.remove(slot)) return;
    this.plain(operation, () => this.closeFile(file));
  }

  private closeFile(file: TaskFile): void {
    try {
      if (file.stream !== undefined) this.streams.flush(file, file.stream);
    } finally {
      this.release(file);
      this.around.calls.close(file.descriptor);
    }
  }

  private duplicate({ slot, to }: OperationOf<'duplicate'>): void {
    const file = this.files.at(slot);
    this.files.add(to, file);
    file.users++;
  }

  private transfer(operation: { operation: string; slot: number; bytes: number }, offset: number | undefined): void {
    const file = this.files.at(operation.slot);
    if (offset !== undefined) checkPlace(offset);
    this.settle(file);
    const direction = operation.operation.endsWith('read') ? 'read' : 'write';
    this.transfers.move(file, direction, operation.operation, operation.bytes, offset);
  }

  /** What a stream's buffer holds goes to the file before the file is used past the stream. */
  private settle(file: TaskFile): void {
    if (file.stream === undefined) return;
    this.streams.flush(file, file.stream);
    this.streams.forget(file, file.stream);
  }

  private stream({ operation, slot, bytes }: OperationOf<'buf_write'>): void {
    const { file, stream } = this.files.streamAt(slot);
    if (operation === 'buf_write') this.streams.write(file, stream, operation, bytes);
    else this.streams.read(file, stream, operation, bytes);
  }

  private seek({ operation, slot, offset, whence }: OperationOf<'seek' | 'buf_seek'>): void {
    const file = this.files.at(slot);
    this.plain(operation, () => {
      const base = whence === 0 ? 0 : whence === 1 ? file.position : this.sizeWithBuffer(file);
      checkPlace(base + offset);
      if (file.stream !== undefined) this.streams.seek(file, file.stream, base + offset);
      else {
        file.isSequential &&= file.position === base + offset;
        file.position = base + offset;
      }
    });
  }

  private sizeWithBuffer(file: TaskFile): number {
    if (file.stream !== undefined) this.streams.flush(file, file.stream);
    return this.around.calls.sizeOf(file.descriptor);
  }

  private change(operation: OperationOf<'sync' | 'truncate'>): void {
    const { calls } = this.around;
    const file = this.files.at(operation.slot);
    this.plain(operation.operation, () => {
      if (file.stream !== undefined) this.streams.flush(file, file.stream);
      if (operation.operation === 'sync') calls.sync(file.descriptor, operation.dataOnly);
      else calls.truncate(file.descriptor, operation.length);
    });
  }

  private name(operation: OperationOf<'unlink' | 'mkdir' | 'rmdir' | 'stat' | 'rename' | 'poolunlink'>): void {
    const { calls, contentNames } = this.around;
    switch (operation.operation) {
      case 'rename':
        this.withFolders(operation.to, () => this.plain('rename', () => calls.rename(operation.path, operation.to)));
        contentNames?.renamed(operation.path, operation.to);
        break;
      case 'unlink':
      case 'poolunlink': {
        const path = 'pool' in operation ? this.pool(operation.pool).nextRemoved() : operation.path;
        this.plain(operation.operation, () => calls.unlink(path), 'unlink');
        break;
      }
      case 'mkdir':
        this.withFolders(operation.path, () => this.plain('mkdir', () => calls.mkdir(operation.path)));
        break;
      case 'rmdir':
      case 'stat': {
        const { operation: call, path } = operation;
        this.plain(call, () => calls[call](path));
      }
    }
  }

  /** A lock of the whole file, among the tasks of this replay. */
  private lock({ slot, shared = false }: OperationOf<'lock'>): void {
    const file = this.files.at(slot);
    this.plain('lock', () => {
      this.release(file);
      this.around.synchronisation.lock(fileKey(file.path), shared);
      file.lock = shared ? 'shared' : 'exclusive';
    });
  }

  private release(file: TaskFile): void {
    if (file.lock === undefined) return;
    this.around.synchronisation.unlock(fileKey(file.path), file.lock === 'shared');
    file.lock = undefined;
  }

  /** Waiting is no I/O: it is told to the back ends, but its time does not count as theirs. */
  private wait(operation: OperationOf<'send_sync' | 'recv_sync' | 'barrier' | 'sleep'>): void {
    const call: ReplayCall = {
      operation: operation.operation,
      direction: 'none',
      bytes: 0,
      effect: 'none',
      isIo: false,
    };
    this.transfers.measured(call, () => {
      this.waitFor(operation);
      return 0;
    });
  }

  private waitFor(operation: OperationOf<'send_sync' | 'recv_sync' | 'barrier' | 'sleep'>): void {
    const { clock, synchronisation, size, rank, barriers } = this.around;
    if (operation.operation === 'sleep') {
      clock.sleep(operation.seconds);
      return;
    }
    if (operation.operation === 'barrier') {
      const { number, tasks } = barriers.get(barrierKey(operation.tasks))!;
      if (!tasks.includes(rank)) throw new ReplayError(`task ${rank} is none of those of the barrier`);
      synchronisation.meet(number);
      return;
    }
    const { peer } = operation;
    if (peer >= size || peer === rank) throw new ReplayError(`${peer} is no other task of ${size}`);
    if (operation.operation === 'send_sync') synchronisation.send(peer);
    else synchronisation.receive(peer);
  }
}
