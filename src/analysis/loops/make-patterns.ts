import { NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { COUNTING, FOLLOWS, SHAPE, type CountingNumber } from './call-sequence.ts';
import type { OutlineMaker } from './fold-calls.ts';
import type { GatheredCalls } from './gather-calls.ts';
import { numberedPath } from './numbered-files.ts';
import type { AffineNumber, CallPattern, NumberedPath, Pattern, SynchronisationPattern } from './pattern.ts';

/** Makes patterns of what was folded. */
export class PatternMaker implements OutlineMaker<Pattern> {
  constructor(
    private readonly trace: Trace,
    private readonly gathered: GatheredCalls,
  ) {}

  call(at: number, count: number): Pattern {
    const { calls } = this.gathered;
    const field = calls.shapeOf(at);
    return field(SHAPE.kind) === 0 ? this.callPattern(at, count, field) : this.synchronisation(at, count, field);
  }

  loop(count: number, body: Pattern[]): Pattern {
    let events = 0;
    let bytes = 0;
    let timeNs = 0;
    for (const pattern of body) {
      if (pattern.kind === 'synchronisation') continue;
      events += pattern.events;
      bytes += pattern.bytes;
      timeNs += pattern.timeNs;
    }
    return { kind: 'loop', count, body, events, bytes, timeNs };
  }

  private callPattern(at: number, count: number, field: (field: number) => number): CallPattern {
    const { calls } = this.gathered;
    const firstEvent = calls.row.at(at);
    return {
      kind: 'call',
      count,
      call: field(SHAPE.call),
      layer: field(SHAPE.layer),
      file: this.file(at, field(SHAPE.file)),
      slot: field(SHAPE.slot),
      offset: this.affine(at, COUNTING.place, field(SHAPE.has)),
      follows: (field(SHAPE.has) & FOLLOWS) !== 0,
      requested: this.affine(at, COUNTING.requested, field(SHAPE.has)),
      argument: field(SHAPE.hasArgument) === 1 ? field(SHAPE.argument) : undefined,
      flags: field(SHAPE.flags),
      error: field(SHAPE.error),
      stack: this.trace.events.value('stack', firstEvent),
      events: calls.events.at(at),
      bytes: calls.bytes.at(at),
      timeNs: calls.timeNs.at(at),
      firstEvent,
    };
  }

  private synchronisation(at: number, count: number, field: (field: number) => number): SynchronisationPattern {
    return {
      kind: 'synchronisation',
      count,
      operation: this.gathered.operations[field(SHAPE.call)]!,
      peer: this.affine(at, COUNTING.place, field(SHAPE.has)),
      communicator: field(SHAPE.site),
      firstMessage: this.gathered.calls.row.at(at),
    };
  }

  private affine(at: number, number: CountingNumber, has: number): AffineNumber | undefined {
    if ((has & (1 << number)) === 0) return undefined;
    const { calls } = this.gathered;
    return { base: calls.numbers[number].at(at), steps: calls.stepsOf(at, number) };
  }

  private file(at: number, file: FileIndex): FileIndex | NumberedPath {
    if (file >= NONE) return file;
    const { calls, files } = this.gathered;
    const of = (number: CountingNumber): AffineNumber => ({
      base: calls.numbers[number].at(at),
      steps: calls.stepsOf(at, number),
    });
    const [number, first] = [of(COUNTING.file), of(COUNTING.outer)];
    const group = -2 - file;
    if (number.steps.length === 0 && first.steps.length === 0) return files.fileWith(group, first.base, number.base)!;
    return numberedPath(files.groups[group]!, number, first);
  }
}
