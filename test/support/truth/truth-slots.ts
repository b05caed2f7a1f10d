import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { isMessage, isQuestion, Kinds, type Kind } from './raw-kinds.ts';
import { askedBytes, isOpen, isRead, isWrite, readRaw, type RawCall } from './raw-recording.ts';
import type { Finding, SlotDocument } from './truth-findings.ts';

/**
 * Counts every slot of what is said of a recording again in the raw text of strace, by the definitions of docs/slots.md and
 * docs/triggers.md. It reads the text by itself and asks binutils for the lines, so that it shares no mistake with the product.
 */

/** What a call is of the kind that a code speaks of. */
type Meant = (call: RawCall, is: (kind: Kind) => boolean) => boolean;

const reads =
  (kind: Kind): Meant =>
  (call, is) =>
    isRead(call) && is(kind);
const writes =
  (kind: Kind): Meant =>
  (call, is) =>
    isWrite(call) && is(kind);
const all =
  (kind: Kind): Meant =>
  (_, is) =>
    is(kind);

const isMetadata: Meant = (call) =>
  isOpen(call) ||
  isQuestion(call) ||
  /^(close|fstat|newfstatat|unlink(at)?|rename(at2?)?|mkdir(at)?|rmdir|getdents64|f?truncate|chmod|utimensat)$/.test(
    call.name,
  );

const MEANT: Readonly<Record<string, Meant>> = {
  P05: reads('tiny'),
  P06: writes('tiny'),
  P09: reads('again'),
  P10: writes('again'),
  P11: reads('random'),
  P13: writes('random'),
  P17: isMetadata,
  L01: all('syncAfterWrites'),
  L02: (_, is) => is('reopening') || is('reclosing'),
  L03: all('seekForAccess'),
  L04: all('flushed'),
  L05: reads('backward'),
  L06: writes('strided'),
  L07: reads('strided'),
  L10: all('newFile'),
  L11: all('missing'),
  L12: all('askedBefore'),
  L13: all('tinyMessage'),
  S01: all('stdio'),
  L33: all('synchronous'),
  L34: all('direct'),
  L35: all('tinyCopy'),
  L36: all('syncAgain'),
  L39: all('syncAfterWrites'),
  L45: all('namedAgain'),
};

/** Lines of calls: of the innermost frame in the program. */
function linesOf(calls: readonly RawCall[], program: string): (call: RawCall) => string {
  const addresses = [
    ...new Set(calls.flatMap(({ frames }) => frames.filter(({ module }) => module === program).map((f) => f.address))),
  ];
  const lines = new Map<string, string>();
  if (addresses.length > 0) {
    const before = addresses.map((address) => `0x${(Number(address) - 1).toString(16)}`);
    const text = execFileSync('addr2line', ['-a', '-i', '-e', program, ...before], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    text
      .split(/^0x[0-9a-f]+\n/m)
      .slice(1)
      .forEach((inlined, i) => {
        const own = inlined.split('\n').find((line) => line !== '' && !/^(\?\?|\/usr\/)/.test(line)) ?? '';
        lines.set(addresses[i]!, path.basename(own.replace(/ \(discriminator.*/, '')));
      });
  }
  return ({ frames }) => {
    for (const { module, address } of frames) if (module === program && lines.get(address)) return lines.get(address)!;
    return '';
  };
}

/** What there is of a finding, or of one of its places, in the raw text. */
interface Found {
  readonly code: string;
  /** The calls that it is about. */
  readonly calls: readonly RawCall[];
  /** All reads, or writes, of the same places. */
  readonly transfers: readonly RawCall[];
}

export interface Checked {
  /** Slots that were counted again. */
  readonly slots: number;
  /** Those that nothing here counts, by code and name. */
  readonly unknown: readonly string[];
  readonly wrong: readonly string[];
}

const UNCOUNTED: ReadonlySet<string> = new Set([
  ...['cost', 'shareOfRun', 'bufferSize', 'block', 'window', 'bound', 'largestCounted'],
  ...['advisedSize', 'advisedNumber', 'advisedVersion', 'advisedSetting'],
]);

/** Calls on the program's own files, and transfers through pipes and sockets. */
function countsForShares(call: RawCall): boolean {
  if (isMessage(call)) return call.result >= 0;
  return (
    call.path.startsWith('/') && !/^\/(usr|lib\w*|etc|proc|sys|root|dev)\//.test(call.path) && !NO_IO.test(call.name)
  );
}

const NO_IO = /^(mmap|munmap|mprotect|getcwd|execve)$/;

/** The largest call that is advised. */
const LARGEST = 4 << 20;

/** Counts again what all findings of a recording say. */
export class Recount {
  private readonly raw: readonly RawCall[];
  private readonly kinds: Kinds;
  private readonly lineOf: (call: RawCall) => string;

  constructor(recording: string, program: string) {
    this.raw = readRaw(recording);
    this.kinds = new Kinds(this.raw);
    this.lineOf = linesOf(this.raw, program);
  }

  /** Every slot of a finding: of its message, those of its places, and its advice. */
  check(finding: Finding): Checked {
    const whole = this.foundAt(finding, finding.sites.map(placeOf));
    const first = finding.sites.length === 0 ? whole : this.foundAt(finding, [placeOf(finding.sites[0]!)]);
    const parts = [
      this.compare(whole, finding.slots, 'message'),
      ...finding.sites.map((site) => this.compare(this.foundAt(finding, [placeOf(site)]), site.slots, placeOf(site))),
      ...finding.recommendations.map(({ slots = [] }) => this.compare(first, slots, 'advice', finding.slots)),
    ];
    return {
      slots: parts.reduce((sum, part) => sum + part.slots, 0),
      unknown: parts.flatMap(({ unknown }) => unknown),
      wrong: parts.flatMap(({ wrong }) => wrong),
    };
  }

  private foundAt({ code, files }: Finding, places: readonly string[]): Found {
    const paths = new Set(files.map((file) => file.path));
    const here = this.raw.filter((call) =>
      places.length > 0 ? places.includes(this.lineOf(call)) : this.lineOf(call) === '' && paths.has(call.path),
    );
    const meant = MEANT[code];
    const calls = here.filter((call) => meant?.(call, (kind) => this.kinds.get(call).kinds.has(kind)) === true);
    const isOfReads = calls.some(isRead);
    const transfers = here.filter((call) => call.result >= 0 && (isOfReads ? isRead(call) : isWrite(call)));
    return { code, calls, transfers };
  }

  private compare(found: Found, slots: readonly SlotDocument[], where: string, said = slots): Checked {
    const wrong: string[] = [];
    const unknown: string[] = [];
    let compared = 0;
    slots.forEach((slot, i) => {
      if (!isText(slot)) wrong.push(`${found.code} ${where}: ${slot.name} ${slot.value} is written "${slot.text}"`);
      if (UNCOUNTED.has(slot.name)) return;
      const value = MEANT[found.code] === undefined ? undefined : this.count(found, slots, i, said);
      if (value === undefined) unknown.push(`${found.code} ${slot.name}`);
      else {
        compared++;
        if (!isSame(value, slot.value))
          wrong.push(`${found.code} ${where}: ${slot.name} ${slot.value}, counted ${value}`);
      }
    });
    return { slots: compared, unknown, wrong };
  }

  /** The value of a slot; undefined where nothing here counts it. */
  private count(
    { calls, transfers }: Found,
    slots: readonly SlotDocument[],
    at: number,
    said: readonly SlotDocument[],
  ): number | undefined {
    const { name } = slots[at]!;
    const valueOf = (other: string): number | undefined => {
      const value = [...slots, ...said].find((slot) => slot.name === other)?.value;
      return typeof value === 'number' ? value : undefined;
    };
    const bytes = calls.map(({ result }) => result).sort((a, b) => a - b);
    const sum = bytes.reduce((total, each) => total + each, 0);
    const having = (kind: Kind): number => calls.filter((call) => this.kinds.get(call).kinds.has(kind)).length;
    switch (name) {
      case 'calls':
        return calls.length;
      case 'size':
      case 'leastSize':
        return name === 'size' && slots[at - 1]?.name === 'callsOfSize' ? sizeOf(bytes, slots[at]!.value) : bytes[0];
      case 'callsOfSize':
        return bytes.filter((each) => each === slots[at + 1]!.value).length;
      case 'mostSize':
        return bytes.at(-1);
      case 'medianSize':
        return bytes[Math.floor(bytes.length / 2)];
      case 'meanSize':
        return Number.isInteger(slots[at]!.value) ? Math.round(sum / calls.length) : sum / calls.length;
      case 'meanAgain':
        return Math.round(calls.reduce((all, call) => all + this.kinds.get(call).again, 0) / calls.length);
      case 'bytes':
        return sum;
      case 'places':
        return new Set(calls.map((call) => this.lineOf(call))).size;
      case 'files':
      case 'filesOfCalls':
        return new Set(calls.map((call) => call.path)).size;
      case 'reopenings':
        return having('reopening');
      case 'reclosings':
        return having('reclosing');
      case 'acknowledged':
      case 'ordered':
        return having(name);
      case 'shareOfIoCalls':
        return calls.length / this.raw.filter(countsForShares).length;
      case 'seeksOfSeveral':
        return having('seekForSeveral');
      case 'writesPerSync':
        return writesPerSync(
          calls.map((call) => this.kinds.get(call).writes),
          slots[at]!.value,
        );
      case 'callsWithBuffer':
        return this.withBuffer(calls, valueOf('bufferSize') ?? NaN);
      case 'callsOfPlace':
        return transfers.length;
      default:
        return loopSlot(name, transfers, valueOf);
    }
  }

  /** Calls that a buffer makes of these, of which each goes on where the last one ended, with no synchronisation between. */
  private withBuffer(calls: readonly RawCall[], size: number): number {
    const buffers = new Map<unknown, { end: number; left: number; syncs: number }>();
    let made = 0;
    for (const call of calls) {
      const { open, offset, result } = call;
      const { syncs } = this.kinds.get(call);
      const buffer = buffers.get(open);
      const goesOn = buffer?.end === offset && buffer.syncs === syncs;
      const left = goesOn ? buffer.left : 0;
      const more = Math.ceil(Math.max(0, result - left) / size);
      made += more;
      buffers.set(open, { end: offset + result, left: left + more * size - result, syncs });
    }
    return made;
  }
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40 },
  ...{ ns: 1, µs: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 },
  '%': 0.01,
};

/** The text says the value, to three digits or to a percent. */
function isText({ value, text }: SlotDocument): boolean {
  if (typeof value === 'string') return text === value;
  if (text === 'one') return value >= 1 && value < 1.5;
  if (text === '< 0.1 %') return value < 0.001;
  const [, number, unit = ''] = /^([\d.,]+)(?: (\S+))?$/.exec(text) ?? [];
  const size = unit === '' ? 1 : (UNITS[unit] ?? NaN);
  const said = Number(number?.replaceAll(',', '')) * size;
  return Math.abs(said - value) <= Math.max(0.005 * value, unit === '%' && value >= 0.1 ? 0.005 : 0.05 * size);
}

function sizeOf(sizes: readonly number[], value: number | string): number {
  return sizes.includes(Number(value)) ? Number(value) : NaN;
}

function writesPerSync(writes: readonly number[], said: number | string): number {
  const some = writes.filter((each) => each > 0);
  const mean = some.reduce((sum, each) => sum + each, 0) / some.length;
  return Number.isInteger(said) ? Math.round(mean) : mean;
}

/** Transfers of a place that do the same, one behind the other: bytes, and the distance to the one before. */
interface Run {
  readonly calls: RawCall[];
}

/** The same number of bytes each. */
function runsOf(transfers: readonly RawCall[]): Run[] {
  const runs: Run[] = [];
  for (const call of transfers) {
    const run = runs.at(-1);
    if (run?.calls[0]!.result === call.result) run.calls.push(call);
    else runs.push({ calls: [call] });
  }
  return runs;
}

/** What is commonest; NaN of nothing. */
function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? NaN;
}

/** Of a loop that makes the transfers of a place, or those of them that do the same: what its iterations add up to. */
function loopSlot(
  name: string,
  all: readonly RawCall[],
  valueOf: (name: string) => number | undefined,
): number | undefined {
  const isPart = valueOf('callsInLoop') !== undefined;
  const longest = runsOf(all).toSorted((a, b) => b.calls.length - a.calls.length)[0] ?? { calls: [] };
  const transfers = isPart ? longest.calls : all;
  const runs = valueOf('loopRuns') ?? 1;
  const each = valueOf('callsPerIteration') ?? 1;
  const bytes = transfers.reduce((sum, { result }) => sum + result, 0);
  const ofRun = Math.round(bytes / runs);
  switch (name) {
    case 'callsInLoop':
      return transfers.length;
    case 'iterations':
      return transfers.length / runs / each;
    case 'callsPerIteration':
      return transfers.length / runs / (valueOf('iterations') ?? NaN);
    case 'loopRuns':
      return transfers.length / each / (valueOf('iterations') ?? NaN);
    case 'bytesPerIteration':
      return Math.round(bytes / (transfers.length / each));
    case 'bytesAskedFor':
      return commonest(transfers.map(askedBytes)) * each;
    case 'step':
    case 'gap': {
      const firsts = transfers.filter((_, i) => i % each === 0).map(({ offset }) => offset);
      const step = Math.abs(commonest(firsts.slice(1).map((offset, i) => offset - firsts[i]!)));
      return name === 'step' ? step : step - (valueOf('bytesPerIteration') ?? NaN);
    }
    case 'callsSaved':
      return each - 1;
    case 'callsOfRun':
      return Math.round(transfers.length / runs);
    case 'largerCalls':
      return Math.ceil(ofRun / LARGEST);
    case 'largerSize':
      return Math.min(ofRun, LARGEST);
    default:
      return undefined;
  }
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${path.basename(file)}:${line}`;
}

function isSame(counted: number, said: number | string): boolean {
  return typeof said === 'number' && Math.abs(counted - said) <= 1e-9 * Math.abs(said);
}
