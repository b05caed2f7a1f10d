import { loopAccess } from '../../analysis/loops/loop-access.ts';
import type { AffineNumber, CallPattern, NumberedPath, Pattern, StreamPattern } from '../../analysis/loops/pattern.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LocateSource } from '../site-documents.ts';
import type { CountingNumber, LoopCall, LoopGroup, LoopLine, LoopSite } from './loop-document.ts';
import {
  loopAround,
  numberText,
  peerCounting,
  sumText,
  type LoopAround,
  type StreamCounting,
} from './loop-variables.ts';

/** Makes lines for people, and for scripts, of patterns. */
export class LoopLines {
  private readonly peerOf: (peer: number) => number;

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly locate: LocateSource,
  ) {
    this.peerOf = peerCounting(trace.streams.map(({ rank }) => rank));
  }

  /** A group without its lines. */
  group(pattern: StreamPattern): LoopGroup {
    const { streams, length, size, patterns } = pattern;
    const costs = { events: 0, bytes: 0, timeNs: 0 };
    for (const line of patterns) {
      if (line.kind === 'synchronisation') continue;
      costs.events += line.events;
      costs.bytes += line.bytes;
      costs.timeNs += line.timeNs;
    }
    const { name, first } = this.counting(pattern);
    return {
      streams: streams.map((stream) => {
        const { host, pid, processId, rank } = this.trace.streams[stream]!;
        return { host, process: processId, thread: pid, rank: rank ?? null };
      }),
      countedBy: name,
      firstNumber: first,
      length,
      size,
      ...costs,
      patterns: [],
    };
  }

  counting({ streams, numbers }: StreamPattern): StreamCounting {
    const areRanks = streams.every((stream, i) => this.trace.streams[stream]!.rank === numbers[i]);
    return { name: areRanks ? 'rank' : 'stream', first: numbers[0]! };
  }

  /** Everything below a list of patterns. */
  tree(patterns: readonly Pattern[], streams: StreamCounting, around: readonly LoopAround[] = []): LoopLine[] {
    return patterns.map((pattern) => {
      const line = this.line(pattern, streams, around);
      if (pattern.kind !== 'loop' || line.kind !== 'loop') return line;
      return { ...line, body: this.tree(pattern.body, streams, [...around, this.around(pattern, around)]) };
    });
  }

  /** The loop around its body's lines. */
  around(loop: Extract<Pattern, { kind: 'loop' }>, around: readonly LoopAround[]): LoopAround {
    return loopAround(loop.body, loop.count, around, this.peerOf);
  }

  /** One line; of a loop without its body. */
  line(pattern: Pattern, streams: StreamCounting, around: readonly LoopAround[]): LoopLine {
    if (pattern.kind === 'call') return this.callLine(pattern, streams, around);
    if (pattern.kind === 'synchronisation') {
      const { kind, count, operation, peer } = pattern;
      const called = peer === undefined ? undefined : { ...peer, base: this.peerOf(peer.base) };
      return { kind, count, operation, peer: counting(called, around, streams, sumText) };
    }
    const { kind, count, events, bytes, timeNs, body } = pattern;
    const { variable, from } = this.around(pattern, around);
    return {
      kind,
      count,
      variable: variable === '' ? null : { name: variable, from, to: from + count - 1 },
      access: loopAccess(this.trace, pattern, around.length, () => true) ?? null,
      events,
      bytes,
      timeNs,
      body: [],
      bodyLines: body.length,
    };
  }

  private callLine(pattern: CallPattern, streams: StreamCounting, around: readonly LoopAround[]): LoopCall {
    const { calls, errors } = this.trace;
    const { kind, count, slot, events, bytes, timeNs } = pattern;
    return {
      kind,
      count,
      call: calls.names[pattern.call]!,
      layer: LAYERS[pattern.layer]!,
      path: this.pathText(pattern.file, around, streams),
      slot,
      offset: counting(pattern.offset, around, streams, numberText),
      requested: counting(pattern.requested, around, streams, numberText),
      argument: pattern.argument ?? null,
      flags: (['append', 'collective', 'nonBlocking'] as const).filter((flag) => pattern.flags & EVENT_FLAGS[flag]),
      error: errors.at(pattern.error),
      site: this.site(pattern.stack),
      events,
      bytes,
      timeNs,
    };
  }

  private pathText(file: number | NumberedPath, around: readonly LoopAround[], streams: StreamCounting): string {
    if (typeof file === 'number') return file === NONE ? '' : this.trace.files.at(file).path;
    const number = sumText(file.number, around, streams);
    const width = file.digits > 1 ? `:${String(file.digits)}` : '';
    return `${file.before}{${number}${width}}${file.after}`;
  }

  private site(stack: number): LoopSite | null {
    const site = stack === NONE ? NONE : (this.callSites.siteOfNode[stack] ?? NONE);
    if (site === NONE) return null;
    const { file, line, functionName } = this.callSites.sites[site]!;
    return { ...this.locate(file), line, function: functionName };
  }
}

function counting(
  number: AffineNumber | undefined,
  around: readonly LoopAround[],
  streams: StreamCounting,
  textOf: typeof numberText,
): CountingNumber | null {
  if (number === undefined) return null;
  const { base, steps, perStream = 0 } = number;
  return { base, steps, perStream, text: textOf(number, around, streams) };
}
