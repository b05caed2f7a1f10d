import { ArchiveWriter, type EventWriter } from './otf2/otf2-writer.ts';
import { writeSignatures, type Folder, type WrittenCall } from './recorder/recorder-writer.ts';

/** Calls of one process, told once and written as the recording of any tracer. Times in microseconds. */
export class ToldCalls {
  private readonly told: ToldCall[] = [];
  private now = 0;

  /** @param flags Linux's, of an open. */
  open(file: string, flags: number, lasts = 5): this {
    return this.add({ name: 'open', file, flags, lasts });
  }

  close(file: string, lasts = 2): this {
    return this.add({ name: 'close', file, lasts });
  }

  /** @param moved what a read got, where it is not all. */
  move(name: 'read' | 'write', file: string, bytes: number, lasts = 5, moved = bytes): this {
    return this.add({ name, file, bytes, moved, lasts });
  }

  sync(file: string, lasts: number): this {
    return this.add({ name: 'fsync', file, lasts });
  }

  ask(file: string, lasts = 5): this {
    return this.add({ name: 'stat', file, lasts });
  }

  copy(from: string, file: string, bytes: number, lasts = 5): this {
    return this.add({ name: 'sendfile', file, from, bytes, lasts });
  }

  wait(microseconds: number): this {
    this.now += microseconds;
    return this;
  }

  times(count: number, make: (calls: this, i: number) => void): this {
    for (let i = 0; i < count; i++) make(this, i);
    return this;
  }

  private add(call: Omit<ToldCall, 'at'>): this {
    this.told.push({ ...call, at: this.now });
    this.now += call.lasts + 1;
    return this;
  }

  /** As Recorder 2.5 has it: paths in place of descriptors, and no results. */
  recorder(): Folder {
    const calls = this.told.map((call): WrittenCall => {
      return {
        name: call.name === 'stat' ? '__xstat' : call.name,
        arguments: recorderArguments(call),
        start: call.at * 10,
        end: (call.at + call.lasts) * 10,
      };
    });
    const functions = ['open', 'close', 'read', 'write', 'fsync', '__xstat', 'sendfile'];
    return writeSignatures({ functions, ranks: [calls] }, '2.5.0');
  }

  /** As an archive has it: a handle for each open, and nothing of a question but its name. */
  otf2(): Map<string, Uint8Array> {
    const writer = new ArchiveWriter().processes(1).paradigms();
    REGIONS.forEach(([name, role], id) => writer.region(id, name, role, 0));
    const files = [...new Set(this.told.flatMap(({ file, from }) => (from === undefined ? [file] : [from, file])))];
    files.forEach((file, id) => writer.file(id, file));
    const handles = new Map<string, number>();
    let made = 0;
    const events = writer.location(0n, 0);
    this.told.forEach((call, matching) => {
      if (call.name === 'open') {
        handles.set(call.file, made);
        writer.handle(made++, files.indexOf(call.file), 0);
      }
      writeEvents(events, call, matching, handles);
    });
    return writer.finish();
  }
}

interface ToldCall {
  readonly name: 'open' | 'close' | 'read' | 'write' | 'fsync' | 'stat' | 'sendfile';
  readonly at: number;
  readonly lasts: number;
  readonly file: string;
  readonly from?: string;
  readonly flags?: number;
  readonly bytes?: number;
  readonly moved?: number;
}

const [IO, IO_METADATA] = [27, 38];
const REGIONS: readonly (readonly [ToldCall['name'], role: number])[] = [
  ['open', IO_METADATA],
  ['close', IO_METADATA],
  ['read', IO],
  ['write', IO],
  ['fsync', IO],
  ['stat', IO_METADATA],
  ['sendfile', IO],
];

function recorderArguments({ name, file, from = '', flags = 0, bytes = 0 }: ToldCall): (string | number)[] {
  switch (name) {
    case 'open':
      return [file, flags, 420];
    case 'read':
    case 'write':
      return [file, '%p', bytes];
    case 'stat':
      return [1, file, '%p'];
    case 'sendfile':
      return [file, from, '%p', bytes];
    case 'close':
    case 'fsync':
      return [file];
  }
}

/** OTF2's bits for Linux's flags of an open. */
const CREATION = [
  [0o100, 1],
  [0o1000, 2],
] as const;
const STATUS = [
  [0o2000, 1 << 1],
  [0o4000000, 1 << 4],
  [0o10000, 1 << 5],
  [0o40000, 1 << 6],
] as const;

const bitsOf = (flags: number, bits: readonly (readonly [linux: number, otf2: number])[]): number =>
  bits.reduce((sum, [linux, otf2]) => ((flags & linux) !== 0 ? sum | otf2 : sum), 0);

function writeEvents(
  events: EventWriter,
  call: ToldCall,
  matching: number,
  handles: ReadonlyMap<string, number>,
): void {
  const { name, file, from, flags = 0, bytes = 0, moved = bytes } = call;
  const region = REGIONS.findIndex(([each]) => each === name);
  const handle = (of: string): number => handles.get(of)!;
  const end = (call.at + call.lasts) * 1000;
  events.time(call.at * 1000).enter(region);
  if (name === 'close') events.destroy(handle(file));
  if (name === 'read' || name === 'write') events.begin(handle(file), name, 0, bytes, matching);
  if (name === 'fsync') events.begin(handle(file), 'flush', 0, 0, matching);
  if (name === 'sendfile') events.begin(handle(from!), 'read', 0, bytes, matching);
  events.time(end);
  if (name === 'open') events.create(handle(file), flags & 3, bitsOf(flags, CREATION), bitsOf(flags, STATUS));
  if (name === 'read' || name === 'write' || name === 'fsync') events.complete(handle(file), moved, matching);
  if (name === 'sendfile') {
    events.complete(handle(from!), bytes, matching);
    events.begin(handle(file), 'write', 0, bytes, matching).complete(handle(file), bytes, matching);
  }
  events.leave(region);
}
