import { mpiPosition, type JointCalls, type JointFile } from '../../analysis/dependencies/joint-calls.ts';
import { FILE_EFFECT } from '../../analysis/dependencies/file-effects.ts';
import { OPEN_MODE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { MpiOperation } from '../program.ts';
import { FORM } from './call-forms.ts';
import type { OpenSlots } from './open-slots.ts';
import type { RecordedStep } from './recorded-replay.ts';
import type { BuilderMeans } from './task-builder.ts';

/** What a replay of MPI-IO calls needs beside the calls, and what it counts for the user. */
export interface MpiMeans {
  readonly joint: JointCalls;
  /** Name of each call by its index. */
  readonly names: readonly string[];
  /** Task of a stream. */
  readonly rankOf: (stream: number) => number;
  /** Number of tasks. */
  readonly size: number;
  readonly unsaid: MpiUnsaid;
}

/** What the recording does not say of MPI-IO calls. */
export class MpiUnsaid {
  /** Calls that set a view: of what it is made is not recorded. */
  views = 0;
  /** Transfers whose place is not known. */
  places = 0;
  /** Files whose collective calls are made alone. */
  readonly alone = new Set<JointFile>();
  /** Files that nobody was seen to open. */
  unopened = 0;

  notes(): string[] {
    const notes: string[] = [];
    if (this.views > 0)
      notes.push(
        `${this.views} views of MPI-IO files were set, and what they leave out is not recorded: transfers are contiguous from their first byte`,
      );
    if (this.places > 0)
      notes.push(
        `${this.places} transfers of MPI-IO stand where their view puts them, which is not recorded: they follow each other at the pointer of their process`,
      );
    if (this.alone.size > 0)
      notes.push(
        `${this.alone.size} files of MPI-IO are opened by each process alone: not all of their communicator were recorded with the same collective calls`,
      );
    if (this.unopened > 0)
      notes.push(
        `${this.unopened} times a process used a file of MPI-IO whose open is not recorded: it opens it alone, and its calls are not collective`,
      );
    return notes;
  }
}

interface OpenMpiFile {
  readonly slot: number;
  /** Undefined when the open was not recorded. */
  readonly joint: JointFile | undefined;
  /** When each of the transfers was over that were begun and not waited for, in nanoseconds. */
  pending: number[];
}

/** Makes the MPI operations of one task. */
export class MpiCalls {
  private readonly open = new Map<string, OpenMpiFile>();

  constructor(
    private readonly means: BuilderMeans,
    private readonly mpi: MpiMeans,
    private readonly stream: number,
    private readonly slots: OpenSlots,
    private readonly steps: RecordedStep[],
  ) {}

  /** @returns whether the call is one of MPI-IO's own; others are repeated as those of POSIX are. */
  call(k: number): boolean {
    this.waitUntil(this.means.events.start[k]!);
    switch (this.means.forms[this.means.columns.call[k]!]!) {
      case FORM.open:
        this.openFile(k);
        return true;
      case FORM.close:
        this.close(k);
        return true;
      case FORM.transfer:
      case FORM.positioned:
        this.transfer(k);
        return true;
      case FORM.seek:
        // Transfers that do not follow each other name their place.
        return true;
      case FORM.sync:
      case FORM.dataSync:
        this.steps.push(this.step(k, { operation: 'sync', slot: this.opened(k).slot, dataOnly: false }));
        return true;
      case FORM.truncate:
        this.setSize(k);
        return true;
      case FORM.remove:
        this.add(k, { operation: 'mpi_fdelete', path: this.means.paths.at(this.means.events.file[k]!) });
        return true;
      default:
        return false;
    }
  }

  /** What was begun is done before others are told so. */
  waitForAll(startNs: number): void {
    for (const opened of this.open.values()) this.wait(opened, startNs);
  }

  /** Closes what was left open: all members in the same order. */
  end(startNs: number): void {
    const { files } = this.mpi.joint;
    const place = ({ joint }: OpenMpiFile): number => (joint === undefined ? -1 : files.indexOf(joint));
    for (const opened of [...this.open.values()].sort((a, b) => place(a) - place(b))) this.addClose(opened, startNs);
    this.open.clear();
  }

  private step(k: number, operation: RecordedStep['operation'], place = NaN): RecordedStep {
    return { operation, startNs: this.means.events.start[k]!, place };
  }

  private add(k: number, operation: MpiOperation, place = NaN): void {
    this.steps.push(this.step(k, operation, place));
  }

  /** The program waited for a transfer no later than this: mpi_wait waits for all of the file. */
  private waitUntil(startNs: number): void {
    for (const opened of this.open.values())
      if (opened.pending.some((end) => end <= startNs)) this.wait(opened, startNs);
  }

  private wait(opened: OpenMpiFile, startNs: number): void {
    if (opened.pending.length === 0) return;
    opened.pending = [];
    this.steps.push({ operation: { operation: 'mpi_wait', slot: opened.slot }, startNs, place: NaN });
  }

  private keyOf(k: number): string {
    return `${this.means.columns.handle[k]!} ${this.means.events.file[k]!}`;
  }

  private openFile(k: number): OpenMpiFile {
    const { events, columns, uses, paths } = this.means;
    const file = events.file[k]!;
    const key = this.keyOf(k);
    const before = this.open.get(key);
    if (before !== undefined) this.addClose(before, events.start[k]!);
    const opened = { slot: this.slots.free(), joint: this.mpi.joint.fileOf(k), pending: [] };
    this.open.set(key, opened);
    const isOpen = events.effect[k] === FILE_EFFECT.open;
    const recorded = isOpen ? events.argument[k]! : NaN;
    const guessed = uses.isWritten(this.stream, columns.handle[k]!, file) ? 2 | OPEN_MODE.create : 0;
    const communicator = this.communicatorOf(opened.joint);
    // Several that open it alone cannot all be the one that makes it.
    const mode = modeWords(
      Number.isNaN(recorded) ? guessed : recorded,
      communicator !== 'self' || this.isLonely(opened),
    );
    const operation: MpiOperation = { operation: 'mpi_fopen', slot: opened.slot, path: paths.at(file), mode };
    this.add(k, communicator === undefined ? operation : { ...operation, communicator });
    if (opened.joint === undefined) this.mpi.unsaid.unopened++;
    else if (!opened.joint.isConsistent) this.mpi.unsaid.alone.add(opened.joint);
    return opened;
  }

  private isLonely({ joint }: OpenMpiFile): boolean {
    return joint?.isConsistent === true && joint.members.length === 1;
  }

  private communicatorOf(joint: JointFile | undefined): 'self' | readonly number[] | undefined {
    if (joint?.isConsistent !== true || joint.members.length === 1) return 'self';
    if (joint.members.length === this.mpi.size) return undefined;
    return joint.members.map(this.mpi.rankOf).sort((a, b) => a - b);
  }

  private opened(k: number): OpenMpiFile {
    return this.open.get(this.keyOf(k)) ?? this.openFile(k);
  }

  private close(k: number): void {
    const opened = this.open.get(this.keyOf(k));
    if (opened === undefined) return;
    this.open.delete(this.keyOf(k));
    this.addClose(opened, this.means.events.start[k]!);
  }

  private addClose(opened: OpenMpiFile, startNs: number): void {
    this.wait(opened, startNs);
    this.steps.push({ operation: { operation: 'mpi_fclose', slot: opened.slot }, startNs, place: NaN });
    this.slots.release(opened.slot);
  }

  private transfer(k: number): void {
    const { events, columns } = this.means;
    const { joint, names, unsaid } = this.mpi;
    const opened = this.opened(k);
    const together = opened.joint?.isConsistent === true;
    const position = this.positionOf(k, mpiPosition(names[columns.call[k]!]!), opened);
    const place = joint.placeOf(k);
    if (position !== 'explicit' && Number.isNaN(place)) unsaid.places++;
    const blocking = !joint.isNonBlocking(k);
    this.add(
      k,
      {
        operation: events.effect[k] === FILE_EFFECT.read ? 'mpi_read' : 'mpi_write',
        slot: opened.slot,
        position,
        blocking,
        collective: together && joint.isCollective(k),
        ...(position === 'explicit' && { offset: place }),
        count: events.bytes[k]!,
        datatype: 'MPI_BYTE',
      },
      place,
    );
    if (!blocking) opened.pending.push(events.end[k]!);
  }

  /** All members of a collective call take the same: it is another function of MPI otherwise. */
  private positionOf(
    k: number,
    called: 'explicit' | 'individual' | 'shared',
    { joint }: OpenMpiFile,
  ): 'explicit' | 'individual' | 'shared' {
    if (called === 'shared' && joint?.isConsistent === true) return 'shared';
    const calls = this.mpi.joint.membersOf(k) ?? [k];
    if (calls.some((member) => Number.isNaN(this.mpi.joint.placeOf(member)))) return 'individual';
    return called === 'individual' && joint?.isContiguous === true ? 'individual' : 'explicit';
  }

  /** One of those that set the size together does it, before any goes on. */
  private setSize(k: number): void {
    const { events, columns, paths } = this.means;
    const length = events.argument[k]!;
    if (!(length >= 0) || /preallocate/i.test(this.mpi.names[columns.call[k]!]!)) {
      this.means.leaveOut(columns.call[k]!);
      return;
    }
    const joint = this.mpi.joint.fileOf(k);
    const isTogether = this.mpi.joint.membersOf(k) !== undefined;
    const tasks = isTogether ? joint!.members.map(this.mpi.rankOf).sort((a, b) => a - b) : undefined;
    if (tasks !== undefined) this.steps.push(this.step(k, { operation: 'barrier', tasks }));
    if (tasks === undefined || tasks[0] === this.mpi.rankOf(this.stream)) {
      const slot = this.slots.free();
      this.steps.push(
        this.step(k, { operation: 'open', slot, path: paths.at(events.file[k]!), mode: 1 }),
        this.step(k, { operation: 'truncate', slot, length }),
        this.step(k, { operation: 'close', slot }),
      );
      this.slots.release(slot);
    }
    if (tasks !== undefined) this.steps.push(this.step(k, { operation: 'barrier', tasks }));
  }
}

/** How often a recording sets views. */
export function viewsSet({ events, calls }: Trace): number {
  const sets = calls.names.map((name) => /^p?mpi_file_set_view/i.test(name));
  let views = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) if (sets[chunk.call[i]!] === true) views++;
  });
  return views;
}

/** Words of MPI_MODE_… for bits of OPEN_MODE. @param makesAlone whether it may insist that the file is new. */
function modeWords(mode: number, makesAlone: boolean): string {
  const access = ['rdonly', 'wronly', 'rdwr', 'rdwr'][mode & OPEN_MODE.access]!;
  // MPI refuses to make a file that is read only.
  const creates = access !== 'rdonly' && (mode & OPEN_MODE.create) !== 0;
  return [
    access,
    ...(creates ? ['create'] : []),
    ...(creates && makesAlone && (mode & OPEN_MODE.exclusive) !== 0 ? ['excl'] : []),
    ...((mode & OPEN_MODE.append) !== 0 ? ['append'] : []),
  ].join(' ');
}
