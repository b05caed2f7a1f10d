import { NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import type { LoopOptions } from './loop-options.ts';
import type { NumberedFiles } from './numbered-files.ts';
import type { AffineNumber, CallPattern, NumberedPath, Pattern, StreamPattern } from './pattern.ts';
import { streamNumbers } from './stream-numbers.ts';
import { mix, TupleTable } from './tuple-table.ts';

interface FoundStream {
  readonly stream: StreamIndex;
  readonly number: number;
  readonly patterns: readonly Pattern[];
  readonly length: number;
}

/** One stream's outline: line by line what must be the same in streams of one group, and what may differ. */
interface StreamOutline extends FoundStream {
  /** Of each line, loops before their bodies. */
  readonly lines: Int32Array;
  /** Two for each line: number of the file, and offset or peer. */
  readonly values: Float64Array;
}

const VALUES = 2;
/** What must be the same of a line: see `describe…`. */
const LINE_WIDTH = 14;
/**
 * Streams with the same lines whose numbers differ otherwise than those of the first: so often another one is taken as
 * the first of a group. The rest stays alone: each try compares all.
 */
const MOST_TRIES = 32;

/** Takes streams together that do the same, with numbers that differ by a multiple of the streams' numbers (SPMD). */
export class StreamGrouping {
  private readonly found: FoundStream[] = [];
  private readonly lineKinds = new TupleTable(LINE_WIDTH);
  private readonly stepKinds = new TupleTable(2);
  private readonly names = new NameTable();
  private readonly line = new Float64Array(LINE_WIDTH);
  private readonly step = new Float64Array(2);
  private readonly numbers: readonly number[];

  constructor(
    private readonly trace: Trace,
    private readonly files: NumberedFiles,
    private readonly options: LoopOptions,
  ) {
    this.numbers = streamNumbers(trace.streams);
  }

  add(stream: StreamIndex, patterns: readonly Pattern[], length: number): void {
    this.found.push({ stream, number: this.numbers[stream]!, patterns, length });
  }

  /** The groups in the order of their first streams. */
  groups(): StreamPattern[] {
    const { found } = this;
    if (found.length === 1) return found.map((stream) => alone(stream, sizeOf(stream.patterns)));
    const alike = new Map<number, StreamOutline[][]>();
    for (const stream of found) {
      const outline = this.outlineOf(stream);
      const hash = outline.lines.reduce(mix, outline.lines.length);
      const candidates = alike.get(hash) ?? [];
      if (candidates.length === 0) alike.set(hash, candidates);
      const same = candidates.find(([first]) => isEqual(first!.lines, outline.lines));
      if (same === undefined) candidates.push([outline]);
      else same.push(outline);
    }
    const groups = [...alike.values()].flat().flatMap((outlines) => divide(outlines));
    return groups.sort((a, b) => a[0]!.stream - b[0]!.stream).map((group) => this.patternOf(group));
  }

  private outlineOf(stream: FoundStream): StreamOutline {
    const lines: number[] = [];
    const values: number[] = [];
    this.describe(stream.patterns, lines, values);
    return { ...stream, lines: Int32Array.from(lines), values: Float64Array.from(values) };
  }

  private describe(patterns: readonly Pattern[], lines: number[], values: number[]): void {
    for (const pattern of patterns) {
      this.line.fill(0);
      if (pattern.kind === 'call') this.describeCall(pattern, values);
      else if (pattern.kind === 'loop') {
        this.line.set([2, pattern.count, pattern.body.length]);
        values.push(0, 0);
      } else {
        const steps = this.stepsOf(pattern.peer);
        const has = pattern.peer === undefined ? 0 : 1;
        this.line.set([1, pattern.count, this.names.intern(pattern.operation), pattern.communicator, has, steps]);
        values.push(0, pattern.peer?.base ?? 0);
      }
      lines.push(this.lineKinds.intern(this.line));
      if (pattern.kind === 'loop') this.describe(pattern.body, lines, values);
    }
  }

  private describeCall(pattern: CallPattern, values: number[]): void {
    const { offset, follows, requested, argument, file, stack } = pattern;
    const steps = [offset, requested, typeof file === 'number' ? undefined : file.number].map((number) =>
      this.stepsOf(number),
    );
    const has = [offset !== undefined, requested !== undefined, argument !== undefined, follows];
    const bits = has.reduce((sum, one, bit) => sum + (one ? 1 << bit : 0), 0);
    const named = this.nameOf(file);
    this.line.set([0, pattern.count, pattern.call, pattern.layer, pattern.slot, pattern.flags, pattern.error, bits]);
    const site = stack === NONE ? NONE : (this.options.siteOfNode?.[stack] ?? NONE);
    this.line.set([requested?.base ?? 0, argument ?? 0, site, named.name, this.names.intern(steps.join())], 8);
    values.push(named.number, offset?.base ?? 0);
  }

  /** A file by what it may have in common with those of other streams. */
  private nameOf(file: FileIndex | NumberedPath): { name: number; number: number } {
    if (typeof file !== 'number') {
      return { name: this.names.intern(`${file.before}\0${file.after}`), number: file.number.base };
    }
    if (file === NONE) return { name: NONE, number: 0 };
    const group = this.files.groupOf[file]!;
    if (group === NONE) return { name: this.names.intern(this.trace.files.at(file).path), number: 0 };
    const { before, after } = this.files.groups[group]!;
    return { name: this.names.intern(`${before}\0${after}`), number: this.files.numberOf[file]! };
  }

  /** Equal lists of steps have one number. */
  private stepsOf(number: AffineNumber | undefined): number {
    let last = NONE;
    for (const step of number?.steps ?? []) {
      this.step[0] = last;
      this.step[1] = step;
      last = this.stepKinds.intern(this.step);
    }
    return last;
  }

  private patternOf(group: readonly StreamOutline[]): StreamPattern {
    const first = group[0]!;
    const { length, lines } = first;
    if (group.length === 1) return alone(first, lines.length);
    const streams = group.map(({ stream }) => stream);
    const numbers = group.map(({ number }) => number);
    return { streams, numbers, patterns: new GroupPatterns(group, this.files).join(), length, size: lines.length };
  }
}

function alone({ stream, number, patterns, length }: FoundStream, size: number): StreamPattern {
  return { streams: [stream], numbers: [number], patterns, length, size };
}

function sizeOf(patterns: readonly Pattern[]): number {
  return patterns.reduce((size, pattern) => size + 1 + (pattern.kind === 'loop' ? sizeOf(pattern.body) : 0), 0);
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Divides outlines of the same lines into groups whose numbers differ by multiples of the streams' numbers. */
function divide(outlines: readonly StreamOutline[]): StreamOutline[][] {
  const groups: StreamOutline[][] = [];
  let rest = outlines;
  for (let attempt = 0; attempt < MOST_TRIES && rest.length > 0; attempt++) {
    const [first, ...others] = rest;
    const bySlope = new Map<number, StreamOutline[]>();
    for (const other of others) {
      const slopes = slopesHash(first!, other);
      if (slopes === undefined) continue;
      const same = bySlope.get(slopes);
      if (same === undefined) bySlope.set(slopes, [other]);
      else if (hasSameSlopes(first!, same[0]!, other)) same.push(other);
    }
    const most = [...bySlope.values()].reduce<StreamOutline[]>((a, b) => (b.length > a.length ? b : a), []);
    groups.push([first!, ...most]);
    const taken = new Set(most);
    rest = others.filter((other) => !taken.has(other));
  }
  return [...groups, ...rest.map((outline) => [outline])];
}

/** By how much a value grows with each stream from the first to another one. */
function slope(first: StreamOutline, other: StreamOutline, value: number): number {
  return (other.values[value]! - first.values[value]!) / (other.number - first.number);
}

/** undefined where a stream in between would have broken numbers. */
function slopesHash(first: StreamOutline, other: StreamOutline): number | undefined {
  let hash = 0;
  for (let value = 0; value < first.values.length; value++) {
    const grows = slope(first, other, value);
    if (!Number.isSafeInteger(grows)) return undefined;
    hash = mix(hash, grows);
  }
  return hash;
}

function hasSameSlopes(first: StreamOutline, a: StreamOutline, b: StreamOutline): boolean {
  return first.values.every((_, value) => slope(first, a, value) === slope(first, b, value));
}

/** The patterns of a group's first stream, with what all of its streams cost and what grows from stream to stream. */
class GroupPatterns {
  private line = 0;

  constructor(
    private readonly group: readonly StreamOutline[],
    private readonly files: NumberedFiles,
  ) {}

  join(): Pattern[] {
    return this.joinLists(this.group.map(({ patterns }) => patterns));
  }

  private joinLists(lists: readonly (readonly Pattern[])[]): Pattern[] {
    return lists[0]!.map((_, i) => this.joinOne(lists.map((list) => list[i]!)));
  }

  private joinOne(all: readonly Pattern[]): Pattern {
    const pattern = all[0]!;
    const line = this.line++;
    const place = this.slope(line * VALUES + 1);
    if (pattern.kind === 'synchronisation') {
      return { ...pattern, peer: pattern.peer && withSlope(pattern.peer, place) };
    }
    const costs = { events: 0, bytes: 0, timeNs: 0 };
    for (const other of all) {
      if (other.kind === 'synchronisation') continue;
      costs.events += other.events;
      costs.bytes += other.bytes;
      costs.timeNs += other.timeNs;
    }
    if (pattern.kind === 'loop') {
      const bodies = all.map((other) => (other.kind === 'loop' ? other.body : []));
      return { ...pattern, ...costs, body: this.joinLists(bodies) };
    }
    const file = this.withFileSlope(pattern.file, this.slope(line * VALUES));
    return { ...pattern, ...costs, file, offset: pattern.offset && withSlope(pattern.offset, place) };
  }

  private slope(value: number): number {
    return slope(this.group[0]!, this.group[1]!, value);
  }

  private withFileSlope(file: FileIndex | NumberedPath, grows: number): FileIndex | NumberedPath {
    if (grows === 0) return file;
    if (typeof file !== 'number') return { ...file, number: withSlope(file.number, grows) };
    const { before, digits, after } = this.files.groups[this.files.groupOf[file]!]!;
    return { before, number: { base: this.files.numberOf[file]!, steps: [], perStream: grows }, digits, after };
  }
}

function withSlope(number: AffineNumber, perStream: number): AffineNumber {
  return perStream === 0 ? number : { ...number, perStream };
}
