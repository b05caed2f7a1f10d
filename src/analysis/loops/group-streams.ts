import { NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex, StreamIndex } from '../../trace/indices.ts';
import { divideStreams, VALUES, type CountedStream, type StreamOutline } from './divide-streams.ts';
import type { LoopOptions } from './loop-options.ts';
import { numberedPath, type NumberedFiles } from './numbered-files.ts';
import type { AffineNumber, CallPattern, NumberedPath, Pattern, StreamPattern } from './pattern.ts';
import { mix, TupleTable } from './tuple-table.ts';

interface FoundStream {
  readonly stream: StreamIndex;
  readonly patterns: readonly Pattern[];
  readonly length: number;
}

/** The texts of a path that counts. */
interface PathTexts {
  readonly outer?: { readonly before: string } | undefined;
  readonly before: string;
  readonly after: string;
}

/** What must be the same of a line: see `describe…`. */
const LINE_WIDTH = 12;
/** Takes streams together that do the same, with numbers that differ by a multiple of their ranks (SPMD). */
export class StreamGrouping {
  private readonly found: FoundStream[] = [];
  private readonly lineKinds = new TupleTable(LINE_WIDTH);
  private readonly stepKinds = new TupleTable(2);
  private readonly names = new NameTable();
  private readonly line = new Float64Array(LINE_WIDTH);
  private readonly step = new Float64Array(2);

  constructor(
    private readonly trace: Trace,
    private readonly files: NumberedFiles,
    private readonly options: LoopOptions,
  ) {}

  add(stream: StreamIndex, patterns: readonly Pattern[], length: number): void {
    this.found.push({ stream, patterns, length });
  }

  /** The groups in the order of their first streams. */
  groups(): StreamPattern[] {
    const { found } = this;
    if (found.length === 1)
      return found.map((stream) => alone(stream, this.rankOf(stream) ?? 0, sizeOf(stream.patterns)));
    // Launchers are no ranks, whatever they have in common with these.
    const alike = new Map<number, StreamOutline[][]>();
    for (const stream of found) {
      const outline = this.outlineOf(stream);
      const hash = outline.lines.reduce(mix, outline.rank === undefined ? 0 : 1);
      const candidates = alike.get(hash) ?? [];
      if (candidates.length === 0) alike.set(hash, candidates);
      const same = candidates.find(([first]) => isAlike(first!, outline));
      if (same === undefined) candidates.push([outline]);
      else same.push(outline);
    }
    const groups = [...alike.values()].flat().flatMap((outlines) => divideStreams(outlines));
    return groups.sort((a, b) => a[0]!.outline.stream - b[0]!.outline.stream).map((group) => this.patternOf(group));
  }

  private outlineOf(stream: FoundStream): StreamOutline {
    const lines: number[] = [];
    const values: number[] = [];
    this.describe(stream.patterns, lines, values);
    const { pid } = this.trace.streams[stream.stream]!;
    const rank = this.rankOf(stream);
    return { ...stream, pid, rank, lines: Int32Array.from(lines), values: Float64Array.from(values) };
  }

  private rankOf({ stream }: FoundStream): number | undefined {
    return this.trace.streams[stream]!.rank;
  }

  private describe(patterns: readonly Pattern[], lines: number[], values: number[]): void {
    for (const pattern of patterns) {
      this.line.fill(0);
      if (pattern.kind === 'call') this.describeCall(pattern, values);
      else if (pattern.kind === 'loop') {
        this.line.set([2, pattern.count, pattern.body.length]);
        values.push(0, 0, 0, 0);
      } else {
        const steps = this.stepsOf(pattern.peer);
        const has = pattern.peer === undefined ? 0 : 1;
        this.line.set([1, pattern.count, this.names.intern(pattern.operation), pattern.communicator, has, steps]);
        values.push(0, pattern.peer?.base ?? 0, 0, 0);
      }
      lines.push(this.lineKinds.intern(this.line));
      if (pattern.kind === 'loop') this.describe(pattern.body, lines, values);
    }
  }

  private describeCall(pattern: CallPattern, values: number[]): void {
    const { offset, follows, requested, argument, file, stack } = pattern;
    const ofFile = typeof file === 'number' ? [undefined, undefined] : [file.number, file.outer?.number];
    const steps = [offset, requested, ...ofFile].map((number) => this.stepsOf(number));
    const has = [offset !== undefined, requested !== undefined, argument !== undefined, follows];
    const bits = has.reduce((sum, one, bit) => sum + (one ? 1 << bit : 0), 0);
    const named = this.nameOf(file);
    this.line.set([0, pattern.count, pattern.call, pattern.layer, pattern.slot, pattern.flags, pattern.error, bits]);
    const site = stack === NONE ? NONE : (this.options.siteOfNode?.[stack] ?? NONE);
    this.line.set([argument ?? 0, site, named.name, this.names.intern(steps.join())], 8);
    values.push(named.number, offset?.base ?? 0, requested?.base ?? 0, named.outer);
  }

  /** A file by what it may have in common with those of other streams. */
  private nameOf(file: FileIndex | NumberedPath): { name: number; number: number; outer: number } {
    const textOf = ({ outer, before, after }: PathTexts): number =>
      this.names.intern(`${outer?.before ?? ''}\0${before}\0${after}`);
    if (typeof file !== 'number')
      return { name: textOf(file), number: file.number.base, outer: file.outer?.number.base ?? 0 };
    if (file === NONE) return { name: NONE, number: 0, outer: 0 };
    const group = this.files.groupOf[file]!;
    if (group === NONE) return { name: this.names.intern(this.trace.files.at(file).path), number: 0, outer: 0 };
    const { numberOf, outerOf, groups } = this.files;
    return { name: textOf(groups[group]!), number: numberOf[file]!, outer: outerOf[file]! };
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

  private patternOf(group: readonly CountedStream[]): StreamPattern {
    const [{ outline, number }] = group as readonly [CountedStream, ...CountedStream[]];
    const { length, lines } = outline;
    if (group.length === 1) return alone(outline, number, lines.length);
    const streams = group.map((counted) => counted.outline.stream);
    const numbers = group.map((counted) => counted.number);
    return { streams, numbers, patterns: new GroupPatterns(group, this.files).join(), length, size: lines.length };
  }
}

function alone({ stream, patterns, length }: FoundStream, number: number, size: number): StreamPattern {
  return { streams: [stream], numbers: [number], patterns, length, size };
}

function sizeOf(patterns: readonly Pattern[]): number {
  return patterns.reduce((size, pattern) => size + 1 + (pattern.kind === 'loop' ? sizeOf(pattern.body) : 0), 0);
}

function isAlike(a: StreamOutline, b: StreamOutline): boolean {
  if ((a.rank === undefined) !== (b.rank === undefined) || a.lines.length !== b.lines.length) return false;
  return a.lines.every((value, i) => value === b.lines[i]);
}

/** The patterns of a group's first stream, with what all of its streams cost and what grows from stream to stream. */
class GroupPatterns {
  private line = 0;
  private readonly first: CountedStream;
  /** One of another number; threads of one rank have the same. */
  private readonly other: CountedStream | undefined;

  constructor(
    private readonly group: readonly CountedStream[],
    private readonly files: NumberedFiles,
  ) {
    this.first = group[0]!;
    this.other = group.find(({ number }) => number !== this.first.number);
  }

  join(): Pattern[] {
    return this.joinLists(this.group.map(({ outline }) => outline.patterns));
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
    const file = this.withFileSlope(pattern.file, this.slope(line * VALUES), this.slope(line * VALUES + 3));
    const offset = pattern.offset && withSlope(pattern.offset, place);
    const requested = pattern.requested && withSlope(pattern.requested, this.slope(line * VALUES + 2));
    return { ...pattern, ...costs, file, offset, requested };
  }

  private slope(value: number): number {
    const { first, other } = this;
    if (other === undefined) return 0;
    return (other.outline.values[value]! - first.outline.values[value]!) / (other.number - first.number);
  }

  private withFileSlope(file: FileIndex | NumberedPath, grows: number, outerGrows: number): FileIndex | NumberedPath {
    if (grows === 0 && outerGrows === 0) return file;
    if (typeof file !== 'number') {
      const outer = file.outer && { ...file.outer, number: withSlope(file.outer.number, outerGrows) };
      return { ...file, number: withSlope(file.number, grows), ...(outer && { outer }) };
    }
    const { numberOf, outerOf, groups, groupOf } = this.files;
    const counted = (base: number, perStream: number): AffineNumber => withSlope({ base, steps: [] }, perStream);
    const numbers = [counted(numberOf[file]!, grows), counted(outerOf[file]!, outerGrows)] as const;
    return numberedPath(groups[groupOf[file]!]!, ...numbers);
  }
}

function withSlope(number: AffineNumber, perStream: number): AffineNumber {
  return perStream === 0 ? number : { ...number, perStream };
}
