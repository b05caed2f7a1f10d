import { groupAccess, spreadOf } from '../../analysis/loops/group-access.ts';
import type {
  AffineNumber,
  CallPattern,
  LoopPattern,
  NumberedPath,
  Pattern,
  StreamPattern,
} from '../../analysis/loops/pattern.ts';
import type { CallSites } from '../../analysis/sites/call-sites.ts';
import { LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { LocateSource } from '../analysis/site-documents.ts';
import { formatCount } from '../../base/quantities.ts';
import { callText, synchronisationText } from './loop-text.ts';
import type { CountingNumber, Loop, LoopCall, LoopGroup, LoopLine, LoopSite } from './loop-document.ts';
import { loopAround, numberText, sumText, type LoopAround, type StreamCounting } from './loop-variables.ts';

/** Lines of a body that the text of a loop names. */
const MOST_IN_TEXT = 3;
/** In place of a file: one that counts. */
const COUNTED = -2;

function visitCalls(patterns: readonly Pattern[], visit: (call: CallPattern) => void): void {
  for (const pattern of patterns) {
    if (pattern.kind === 'loop') visitCalls(pattern.body, visit);
    else if (pattern.kind === 'call') visit(pattern);
  }
}

/** How many lines may still be written: calls without any loop are as many lines, more than memory holds. */
interface LineRoom {
  lines: number;
}

/** Makes lines for people, and for scripts, of patterns. */
export class LoopLines {
  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly locate: LocateSource,
  ) {}

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
    return { name: areRanks ? 'rank' : 'process', first: numbers[0]!, spread: spreadOf(numbers) };
  }

  /** Everything below a list of patterns, as long as there is room. */
  tree(
    patterns: readonly Pattern[],
    streams: StreamCounting,
    room: LineRoom,
    around: readonly LoopAround[] = [],
  ): LoopLine[] {
    const lines: LoopLine[] = [];
    for (const pattern of patterns) {
      if (room.lines === 0) break;
      room.lines--;
      const line = this.line(pattern, streams, around);
      if (pattern.kind !== 'loop' || line.kind !== 'loop') lines.push(line);
      else {
        const body = this.tree(pattern.body, streams, room, [...around, this.around(pattern, around)]);
        lines.push({ ...line, body });
      }
    }
    return lines;
  }

  /** The loop around its body's lines. */
  around(loop: LoopPattern, around: readonly LoopAround[]): LoopAround {
    return loopAround(loop.body, loop.count, around);
  }

  /** One line; of a loop without its body. */
  line(pattern: Pattern, streams: StreamCounting, around: readonly LoopAround[]): LoopLine {
    if (pattern.kind === 'call') return this.callLine(pattern, streams, around);
    if (pattern.kind === 'synchronisation') {
      const { kind, count, operation, peer } = pattern;
      return { kind, count, operation, peer: counting(peer, around, streams, sumText) };
    }
    const { kind, count, events, bytes, timeNs, body } = pattern;
    const { variable, from } = this.around(pattern, around);
    return {
      kind,
      count,
      variable: variable === '' ? null : { name: variable, from, to: from + count - 1 },
      text: this.loopText(pattern, streams, around),
      ...this.commonOf(pattern.body),
      access: groupAccess(this.trace, pattern, around.length, streams.spread) ?? null,
      events,
      bytes,
      timeNs,
      body: [],
      bodyLines: body.length,
    };
  }

  private loopText(loop: LoopPattern, streams: StreamCounting, around: readonly LoopAround[]): string {
    const inside = [...around, this.around(loop, around)];
    const shown = loop.body.slice(0, MOST_IN_TEXT).map((pattern) => {
      const times = pattern.count === 1 ? '' : `${formatCount(pattern.count)} × `;
      if (pattern.kind === 'loop') return `${times}[ … ]`;
      const line = this.line(pattern, streams, inside);
      if (line.kind === 'synchronisation') return `${times}${synchronisationText(line)}`;
      return line.kind === 'call' ? `${times}${callText({ ...line, path: '' })}` : '';
    });
    const rest = loop.body.length > MOST_IN_TEXT ? ['…'] : [];
    return `${formatCount(loop.count)} × [ ${[...shown, ...rest].join(' ; ')} ]`;
  }

  private commonOf(body: readonly Pattern[]): Pick<Loop, 'site' | 'commonPath' | 'commonSite'> {
    const files = new Set<number>();
    const stacks = new Set<number>();
    visitCalls(body, ({ file, stack }) => {
      files.add(typeof file === 'number' ? file : COUNTED);
      stacks.add(this.siteOf(stack));
    });
    const [file = NONE] = files;
    const [site = NONE] = [...stacks].filter((one) => one !== NONE);
    return {
      site: this.siteDocument(site),
      commonPath: files.size === 1 && file >= 0 ? this.trace.files.at(file).path : '',
      commonSite: stacks.size === 1 ? this.siteDocument(site) : null,
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
      site: this.siteDocument(this.siteOf(pattern.stack)),
      events,
      bytes,
      timeNs,
    };
  }

  private pathText(file: number | NumberedPath, around: readonly LoopAround[], streams: StreamCounting): string {
    if (typeof file === 'number') return file === NONE ? '' : this.trace.files.at(file).path;
    const part = ({ before, number, digits }: Omit<NumberedPath, 'after'>): string => {
      if (number.steps.length === 0 && number.perStream === undefined)
        return `${before}${String(number.base).padStart(digits, '0')}`;
      const width = digits > 1 ? `:${String(digits)}` : '';
      return `${before}{${sumText(number, around, streams)}${width}}`;
    };
    return `${file.outer === undefined ? '' : part(file.outer)}${part(file)}${file.after}`;
  }

  private siteOf(stack: number): number {
    return stack === NONE ? NONE : (this.callSites.siteOfNode[stack] ?? NONE);
  }

  private siteDocument(site: number): LoopSite | null {
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
