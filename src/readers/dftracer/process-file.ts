import { NONE } from '../../trace/events.ts';
import { modeOfFlags, modeOfStream } from '../open-files/open-modes.ts';
import { ByteNames } from '../text/byte-names.ts';
import { BLANK, isDigit, NEWLINE, RETURN } from '../text/bytes.ts';
import type { DfTracerBuilder } from './dftracer-builder.ts';
import { EventBuffer } from './event-buffer.ts';
import { EventLine, jsonText, type ArgumentField } from './event-line.ts';
import { FileRows, type ProcessFacts } from './file-rows.ts';
import { HashedNames } from './path-names.ts';

const COMMA = 44;
const LIST = 91;
const LIST_END = 93;
const OPEN = 123;
const COMPLETE_EVENT = 88;
const METADATA = 77;

/** Microseconds since 1970 that a recording can have been made at: up to the year 2200. */
const LATEST = 7.3e15;
/** Microseconds that a call can take: a year. */
const LONGEST = 3.2e13;

/** Reads the lines of one file. Hashes and identifiers are its own. */
export class ProcessFile {
  line = 0;
  private readonly fields = new EventLine();
  private readonly buffer = new EventBuffer();
  private readonly paths = new HashedNames();
  private readonly hosts = new HashedNames();
  private readonly strings = new HashedNames();
  private readonly categories = new ByteNames();
  private readonly names = new ByteNames();
  /** By category and name. */
  private readonly calls = new Map<number, number>();
  private readonly callNames: { category: string; name: string }[] = [];
  private readonly threads = new Map<string, number>();
  private readonly threadNumbers: { pid: number; tid: number }[] = [];
  private readonly processes = new Map<number, ProcessFacts>();
  private program = NONE;

  /** @param part index of the file among the parts. */
  constructor(
    private readonly builder: DfTracerBuilder,
    private readonly part: number,
    private readonly name: string,
  ) {}

  get events(): number {
    return this.buffer.length;
  }

  /** Reads whole lines. */
  read(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      const newline = bytes.indexOf(NEWLINE, at);
      const isCut = newline < 0 || newline >= end;
      const stop = isCut ? end : newline;
      this.line++;
      this.readLine(bytes, at, stop, isCut);
      at = stop + 1;
    }
  }

  report(kind: 'unreadable-line' | 'cut-line' | 'long-line' | 'file', what: string, lost: string): void {
    this.builder.damage.add(kind, `${this.name}, line ${this.line}`, what, lost);
  }

  /** The file was read: its events become rows. */
  finish(): void {
    const { builder, buffer, callNames, threadNumbers, paths, hosts, processes } = this;
    builder.program ||= this.strings.name(this.program) ?? '';
    const hostOf = (pid: number): string => hosts.name(processes.get(pid)?.host ?? NONE) ?? '';
    new FileRows(builder, this.part, buffer, { callNames, threadNumbers, paths, processes, hostOf }).add();
  }

  private readLine(bytes: Uint8Array, start: number, stop: number, isCut: boolean): void {
    let [from, end] = [start, stop];
    // Older writers put a blank or a comma in front, others behind; the brackets of the list may stand in the same line.
    while (from < end && (bytes[from] === BLANK || bytes[from] === COMMA || bytes[from] === LIST)) from++;
    while (end > from && isTail(bytes[end - 1]!)) end--;
    if (from === end) return;
    if (bytes[from] === OPEN && this.fields.read(bytes, from, end)) this.understand();
    else if (isCut) this.report('cut-line', 'the line breaks off', 'the last event');
    else this.report('unreadable-line', 'this is no event of DFTracer', 'this line');
  }

  private understand(): void {
    const { event } = this.fields;
    const phase = event.bytes[event.fromOf('ph')];
    if (event.fromOf('ph') < 0 || (phase !== COMPLETE_EVENT && phase !== METADATA)) {
      this.report('unreadable-line', 'the event is of no known phase ("X" or "M")', 'this line');
      return;
    }
    this.builder.understood++;
    if (phase === METADATA) this.explain();
    else this.addEvent();
  }

  /** A line of metadata: what hashes mean, and who the process is. */
  private explain(): void {
    const { event, arguments: given } = this.fields;
    const [from, end] = [given.fromOf('value'), given.endOf('value')];
    const name = given.text('name');
    const of = event.text('name');
    if (of === 'FH') this.paths.explain(given.bytes, from, end, name);
    else if (of === 'HH') this.hosts.explain(given.bytes, from, end, name);
    else if (of === 'SH') this.strings.explain(given.bytes, from, end, name);
    const rank = of === 'PR' && name === 'rank' ? given.number('value') : rankIn(of, name);
    if (rank >= 0) this.process(event.number('pid')).rank = rank;
  }

  private addEvent(): void {
    const { event, arguments: given } = this.fields;
    const start = event.number('ts');
    const duration = event.number('dur');
    const pid = event.number('pid');
    if (!(start >= 0 && start < LATEST) || !(pid >= 0) || !event.has('name') || !event.has('cat')) {
      this.report('unreadable-line', 'the event has no time, process, name or category', 'this event');
      return;
    }
    const call = this.callOf();
    if (this.callNames[call]!.category === 'dftracer') {
      if (given.has('cmd_hash'))
        this.program = this.strings.hash(given.bytes, given.fromOf('cmd_hash'), given.endOf('cmd_hash'));
      this.noteHost(pid);
      return;
    }
    this.noteHost(pid);
    const { buffer } = this;
    buffer.start.push(start);
    buffer.duration.push(duration >= 0 && duration < LONGEST ? duration : NaN);
    buffer.id.push(event.number('id'));
    const parent = given.number('p_idx');
    buffer.parentId.push(parent >= 0 ? parent : NaN);
    buffer.result.push(given.number('ret'));
    buffer.count.push(given.number('count'));
    buffer.elementSize.push(given.number('size'));
    buffer.offset.push(given.number('offset'));
    buffer.argument.push(this.argument());
    buffer.call.push(call);
    buffer.thread.push(this.threadOf(pid, event.number('tid')));
    buffer.path.push(this.pathOf());
    buffer.other.push(this.textNumber('newpath'));
    buffer.line.push(this.line);
  }

  private callOf(): number {
    const { event } = this.fields;
    const category = this.categories.intern(event.bytes, event.fromOf('cat'), event.endOf('cat'));
    const name = this.names.intern(event.bytes, event.fromOf('name'), event.endOf('name'));
    const key = category * 2 ** 26 + name;
    let call = this.calls.get(key);
    if (call === undefined) {
      const texts = { category: jsonText(this.categories.view(category)), name: jsonText(this.names.view(name)) };
      call = this.callNames.push(texts) - 1;
      this.calls.set(key, call);
    }
    return call;
  }

  private threadOf(pid: number, tid: number): number {
    const key = `${pid} ${tid}`;
    let thread = this.threads.get(key);
    if (thread === undefined) {
      thread = this.threadNumbers.push({ pid, tid: tid >= 0 ? tid : pid }) - 1;
      this.threads.set(key, thread);
    }
    return thread;
  }

  private process(pid: number): ProcessFacts {
    let facts = this.processes.get(pid);
    if (facts === undefined) {
      facts = { host: NONE, rank: NaN };
      this.processes.set(pid, facts);
    }
    return facts;
  }

  private noteHost(pid: number): void {
    const facts = this.process(pid);
    if (facts.host !== NONE) return;
    const { arguments: given } = this.fields;
    if (given.has('hostname'))
      facts.host = this.hosts.text(given.bytes, given.fromOf('hostname'), given.endOf('hostname'));
    else if (given.has('hhash')) facts.host = this.hosts.hash(given.bytes, given.fromOf('hhash'), given.endOf('hhash'));
  }

  private pathOf(): number {
    const { arguments: given } = this.fields;
    if (given.has('fhash')) return this.paths.hash(given.bytes, given.fromOf('fhash'), given.endOf('fhash'));
    return given.has('fname') ? this.textNumber('fname') : this.textNumber('pathname');
  }

  private textNumber(field: ArgumentField): number {
    const { arguments: given } = this.fields;
    return given.has(field) ? this.paths.text(given.bytes, given.fromOf(field), given.endOf(field)) : NONE;
  }

  private argument(): number {
    const { arguments: given } = this.fields;
    if (given.has('flags')) return modeOfFlags(given.number('flags'));
    if (given.has('whence')) return given.number('whence');
    if (given.has('length')) return given.number('length');
    if (given.has('cmd')) return given.number('cmd');
    // The mode of fopen is a word, that of mkdir a number.
    return given.has('mode') && !isDigit(given.bytes[given.fromOf('mode')]!) ? modeOfStream(given.text('mode')) : NaN;
  }
}

function isTail(byte: number): boolean {
  return byte === BLANK || byte === COMMA || byte === RETURN || byte === LIST_END;
}

/** `process_name` of an MPI process says `Rank 3`. */
function rankIn(of: string, name: string): number {
  const rank = of === 'process_name' ? /^Rank (\d{1,8})$/i.exec(name) : null;
  return rank === null ? NaN : Number(rank[1]);
}
