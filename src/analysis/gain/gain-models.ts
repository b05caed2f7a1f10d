import type { FileIndex } from '../../trace/indices.ts';
import { counted, formatCount, formatDuration } from '../../base/quantities.ts';
import type { Metric } from '../metrics/metric-table.ts';
import type { Insight } from '../triggers/insight.ts';
import { bufferSize } from '../triggers/snippets.ts';
import { onlyAsks, type CallKind } from './call-kinds.ts';
import { estimate, scaled, sumOf, type Estimate } from './estimate.ts';
import type { CallGroup, Extent } from './observed-calls.ts';
import type { Basis, UntracedCost, UntracedCosts } from './untraced-costs.ts';

/** What one site does to one file, with the calls that it consists of. */
export interface GainCell {
  readonly file: FileIndex;
  get(metric: Metric): number;
  readonly groups: readonly CallGroup[];
}

interface GainView {
  readonly insight: Insight;
  readonly cells: readonly GainCell[];
  readonly costs: UntracedCosts;
  readonly readExtents: ReadonlyMap<number, Extent>;
  /** Name of a call by its index into `Trace.calls`. */
  readonly callName: (call: number) => string;
}

/** What is saved, and in which words; or why nothing can be told. */
interface Saving {
  readonly ns: Estimate;
  /** What the calls took in the recording, of which some are saved; nanoseconds. */
  readonly recordedNs: number;
  /** `3,999 of 4,000 writes fewer, at 0.6 µs each`. */
  readonly how: string;
  readonly basis: Basis;
}
type GainModel = (view: GainView) => Saving | string;

const NOT_KNOWN = 'the recording does not tell how long these calls take, and nothing else does';
const CONTRADICTED = 'the recorded times of these calls do not tell what fewer of them would save';
const NO_FEWER = 'the advice does not make these calls fewer';

/** A sum of calls that are saved, at what they cost. */
class Savings {
  calls = 0;
  private unknown = 0;
  private readonly parts: Estimate[] = [];
  private readonly groups = new Set<CallGroup>();
  private readonly bases = new Map<Basis, number>();

  constructor(private readonly costs: UntracedCosts) {}

  /** @param perByte nanoseconds for each byte that is no longer moved, and how many; none when the bytes remain. */
  add(group: CallGroup, calls: number, bytes = 0, perByte?: (cost: UntracedCost) => Estimate): void {
    if (calls <= 0) return;
    const cost = this.costs.of(group.of);
    if (cost === undefined) {
      this.unknown += calls;
      return;
    }
    this.calls += calls;
    this.groups.add(group);
    const saved = scaled(cost.fixed, calls);
    this.parts.push(saved);
    if (perByte !== undefined) this.parts.push(scaled(perByte(cost), bytes));
    this.bases.set(cost.basis, (this.bases.get(cost.basis) ?? 0) + saved.value);
  }

  /** What is to be done instead. */
  subtract(part: Estimate): void {
    this.parts.push(estimate(-part.value, part.deviation));
  }

  get total(): Estimate {
    return sumOf(this.parts);
  }

  /** @param all how many there are now. */
  result(all: number, noun: string, nouns = `${noun}s`): Saving | string {
    // A part of the calls would pass for all of them.
    if (this.unknown > this.calls / 10) return NOT_KNOWN;
    if (this.calls === 0) return NO_FEWER;
    const total = this.total;
    if (total.value <= 0) return CONTRADICTED;
    const recordedNs = [...this.groups].reduce((sum, { timeNs }) => sum + timeNs, 0);
    // Without a tracer the calls take what was recorded: an error beyond it is no knowledge.
    if (this.costs.isUntraced && total.deviation > recordedNs) return CONTRADICTED;
    const each = formatDuration(total.value / this.calls);
    const [basis] = [...this.bases].sort((a, b) => b[1] - a[1])[0]!;
    const fewer =
      this.calls < all ? `${formatCount(this.calls)} of ${counted(all, noun, nouns)}` : counted(all, noun, nouns);
    return { ns: total, recordedNs, how: `${fewer} fewer, at about ${each} each`, basis };
  }
}

function groupsOf(cell: GainCell, ...kinds: CallKind[]): CallGroup[] {
  return cell.groups.filter(({ of, events }) => kinds.includes(of.kind) && events > 0);
}

/** The group that makes most calls of a kind: what a cell's metric of that kind is about. */
function mainGroup(cell: GainCell, kind: CallKind): CallGroup | undefined {
  return groupsOf(cell, kind).sort((a, b) => b.events - a.events)[0];
}

function total(cells: readonly GainCell[], metric: Metric): number {
  return cells.reduce((sum, cell) => sum + cell.get(metric), 0);
}

/** Small requests become requests of the buffer's size; the bytes are moved all the same. */
function smallRequests(kind: 'read' | 'write'): GainModel {
  const reads = kind === 'read';
  const [tiny, tinyBytes]: [Metric, Metric] = reads
    ? ['tinyReads', 'tinyReadBytes']
    : ['tinyWrites', 'tinyWrittenBytes'];
  const [small, smallBytes]: [Metric, Metric] = reads
    ? ['smallReads', 'smallReadBytes']
    : ['smallWrites', 'smallWrittenBytes'];
  return ({ insight, cells, costs }) => {
    // Under Drishti's condition a finding speaks of all requests up to 1 MiB.
    const onlyTiny = total(cells, tiny) >= (insight.evidence['count'] ?? 0);
    const [calls, bytes] = onlyTiny ? [tiny, tinyBytes] : [small, smallBytes];
    const buffer = bufferSize(insight.evidence['medianBytes'] ?? NaN);
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group !== undefined) savings.add(group, cell.get(calls) - Math.ceil(cell.get(bytes) / buffer));
    }
    return savings.result(total(cells, calls), kind);
  };
}

/**
 * One of each file's synchronisations remains, and writes what the others would have.
 * @param metric which of them the finding is about.
 */
function synchronisations(metric: 'writeSyncs' | 'syncs'): GainModel {
  return ({ cells, costs }) => {
    const savings = new Savings(costs);
    const last = new Set<number>();
    for (const cell of cells) {
      const group = mainGroup(cell, 'sync');
      if (group === undefined) continue;
      savings.add(group, cell.get(metric) - (last.has(cell.file) ? 0 : 1));
      last.add(cell.file);
    }
    return savings.result(total(cells, metric), 'synchronisation');
  };
}

/** Of each file the first open and the last close remain. */
const repeatedOpens: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const [opens, closes] = [mainGroup(cell, 'open') ?? mainGroup(cell, 'open-to-write'), mainGroup(cell, 'close')];
    if (opens !== undefined) savings.add(opens, cell.get('reopens'));
    if (closes !== undefined) savings.add(closes, cell.get('recloses'));
  }
  return savings.result(total(cells, 'reopens') + total(cells, 'recloses'), 'open or close', 'opens and closes');
};

/** pread and pwrite cost what read and write do: all seeks go. */
const seeks: GainModel = ({ cells, costs }) => {
  const savings = new Savings(costs);
  for (const cell of cells) {
    const group = mainGroup(cell, 'seek');
    if (group !== undefined) savings.add(group, cell.get('accessSeeks'));
  }
  return savings.result(total(cells, 'accessSeeks'), 'seek');
};

/** What was read or written before is kept in memory: calls and bytes go. */
function repeatedTransfers(kind: 'read' | 'write'): GainModel {
  const [calls, bytes]: [Metric, Metric] =
    kind === 'read' ? ['redundantReads', 'redundantReadBytes'] : ['redundantWrites', 'redundantWrittenBytes'];
  return ({ cells, costs }) => {
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, kind);
      if (group === undefined) continue;
      const expected = costs.expectedAt(cell.file);
      const again = kind === 'read' ? expected.perByteReadAgain : expected.perByteRewritten;
      savings.add(group, cell.get(calls), cell.get(bytes), (cost) =>
        cost.basis === 'recording' ? cost.perByte : again,
      );
    }
    return savings.result(total(cells, calls), kind);
  };
}

/** Nanoseconds a byte for pages that a program has not touched before: a fault and a page of zeros for each 4 KiB. */
const FRESH_MEMORY = estimate(0.09, 0.05);
const ONE_READ = 1 << 20;

/** The touched part of the file is read once, in large pieces, and looked at in memory. */
const randomReads: GainModel = ({ cells, costs, readExtents }) => {
  const savings = new Savings(costs);
  const files = new Map<number, CallGroup>();
  for (const cell of cells) {
    const group = mainGroup(cell, 'read');
    if (group === undefined) continue;
    savings.add(group, cell.get('reads'), cell.get('readBytes'), ({ perByte }) => perByte);
    files.set(cell.file, group);
  }
  for (const [file, group] of files) {
    const extent = readExtents.get(file);
    const cost = costs.of(group.of);
    if (extent === undefined || cost === undefined) return NOT_KNOWN;
    const bytes = extent.end - extent.start;
    savings.subtract(scaled(cost.fixed, Math.ceil(bytes / ONE_READ)));
    savings.subtract(scaled(sumOf([cost.perByte, FRESH_MEMORY]), bytes));
  }
  if (savings.calls > 0 && savings.total.value <= 0) {
    return 'the reads touch little of a large part of the file: to read all of it at once would take longer, and what sorting saves depends on the storage';
  }
  return savings.result(total(cells, 'reads'), 'read');
};

/** The data are gathered in memory and written through a buffer. */
function bufferedWrites(calls: Metric, bytes: Metric): GainModel {
  return ({ insight, cells, costs }) => {
    const buffer = bufferSize(insight.evidence['medianBytes'] ?? NaN);
    const savings = new Savings(costs);
    for (const cell of cells) {
      const group = mainGroup(cell, 'write');
      if (group !== undefined) savings.add(group, cell.get(calls) - Math.ceil(cell.get(bytes) / buffer));
    }
    return savings.result(total(cells, calls), 'write');
  };
}

/** Nanoseconds a byte that is copied into a block of memory of the program's own, which it has not touched before. */
const COPIED = estimate(0.25, 0.15);
/** A large call takes more of a library's own time than a small one: how much more is not known. */
const OF_ONE_CALL = 0.15;

/** Many small calls become calls for whole blocks, each of which takes the library what a small one did. */
const smallLibraryCalls: GainModel = ({ insight, costs }) => {
  const { count = 0, bytes = 0, timeNs = 0, upperCalls = 0, libraryTimeNs = 0, medianBytes = NaN } = insight.evidence;
  if (!costs.isUntraced || upperCalls === 0) return NOT_KNOWN;
  const fewer = count - Math.ceil(bytes / bufferSize(medianBytes));
  const each = libraryTimeNs / upperCalls;
  const copies = scaled(COPIED, -bytes);
  const ns = sumOf([estimate(each * fewer, each * fewer * OF_ONE_CALL), copies]);
  if (ns.value <= 0) return CONTRADICTED;
  const how = `${formatCount(fewer)} of ${formatCount(count)} calls fewer, at about ${formatDuration(each)} each in the library`;
  return { ns, recordedNs: timeNs, how, basis: 'recording' };
};

/** A stream is written when its buffer is full: by fewer writes, or, where they show instead, by fewer flushes. */
const flushes: GainModel = (view) => {
  if (total(view.cells, 'streamFlushes') === 0) return bufferedWrites('flushedWrites', 'flushedWrittenBytes')(view);
  const buffer = bufferSize(view.insight.evidence['medianBytes'] ?? NaN);
  const savings = new Savings(view.costs);
  for (const cell of view.cells) {
    const group = mainGroup(cell, cell.get('streamFlushes') > 0 ? 'flush' : 'write');
    if (group !== undefined)
      savings.add(group, cell.get('flushedWrites') - Math.ceil(cell.get('flushedWrittenBytes') / buffer));
  }
  return savings.result(total(view.cells, 'flushedWrites'), 'flush', 'flushes');
};

/** A question about a path is asked once, and its answer remembered. */
const repeatedQuestions: GainModel = ({ cells, costs, callName }) => {
  const savings = new Savings(costs);
  let all = 0;
  const asked = new Set<string>();
  for (const cell of cells) {
    for (const group of cell.groups) {
      if (!onlyAsks(callName(group.call)) && group.of.kind !== 'missing-open') continue;
      all += group.events;
      // One for each file is needed, whichever line asks it.
      const key = `${group.of.kind} ${cell.file}`;
      savings.add(group, group.events - (asked.has(key) ? 0 : 1));
      asked.add(key);
    }
  }
  if (savings.calls < all / 4 || all === 0)
    return 'nearly every path is asked about once only: what fewer calls would do instead, the recording cannot tell';
  return savings.result(all, 'question');
};

/** Models by the names of their triggers. A trigger without one gets no estimate. */
export const GAIN_MODELS: Readonly<Record<string, GainModel>> = {
  'posix-small-reads': smallRequests('read'),
  'posix-small-writes': smallRequests('write'),
  'posix-redundant-reads': repeatedTransfers('read'),
  'posix-redundant-writes': repeatedTransfers('write'),
  'posix-random-reads': randomReads,
  'posix-random-writes': bufferedWrites('randomWrites', 'randomWrittenBytes'),
  'posix-misaligned-writes': () =>
    'alignment saves locks and rereading between processes, and how much depends on the file system',
  'sync-after-every-write': synchronisations('writeSyncs'),
  'frequent-synchronisation': synchronisations('syncs'),
  'small-copies': () => 'what a copy inside the kernel costs depends on the file systems, and was not measured',
  'synchronous-writes': () =>
    'how many of the records may become safe together only their author knows; each wait that goes saves its time',
  'small-direct-transfers': () => 'what larger pieces save depends on the device, which one run does not show',
  'open-close-in-loop': repeatedOpens,
  'seek-before-every-access': seeks,
  'posix-metadata-time': repeatedQuestions,
  'repeated-questions': repeatedQuestions,
  'missing-file-searches': repeatedQuestions,
  'backward-reads': randomReads,
  'small-library-calls': smallLibraryCalls,
  'flush-after-every-record': flushes,
};
