import type { SiteIndex } from '../sites/call-sites.ts';
import { LAYERS, OPERATION, OPERATIONS } from '../../trace/calls.ts';
import { NONE, type EventChunk } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { Indices, StackNode } from '../../trace/indices.ts';
import { SIZE_BIN_ENDS, sizeBin } from '../metrics/sizes.ts';
import { formatBytes } from '../../base/quantities.ts';
import { ROLE, type ShownEvents } from './shown-events.ts';
import type { SelectionPart } from '../selection/selection.ts';
import type { ColourBy, TimelineCategory } from './timeline.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** Categories that have a colour of their own; what is left shares one more. */
const MOST_NAMED = 20;

const NO_FILE = 'no file';
const NO_FINDING = 'no finding';
const NO_SITE = 'no source line';

/** What an event is coloured by, as an index into labels of its recording. */
interface Colours {
  readonly labels: readonly string[];
  /** What an index selects, where its label alone does not tell. */
  partAt?(index: number): SelectionPart | undefined;
  indexOf(chunk: EventChunk, i: number): number;
}

/** Which category each event has. */
export interface EventCategories {
  readonly categories: readonly TimelineCategory[];
  /** By event: index into `categories`. */
  readonly ofEvent: Uint8Array;
}

const COLOURS: Readonly<Record<ColourBy, (recording: TimelineRecording) => Colours>> = {
  operation: ({ trace }) => ({
    labels: OPERATIONS,
    indexOf: (chunk, i) => trace.calls.operation[chunk.call[i]!]!,
  }),
  layer: () => ({ labels: LAYERS, indexOf: (chunk, i) => chunk.layer[i]! }),
  file: ({ trace }) => ({
    labels: [NO_FILE, ...trace.files.files.map(({ path }) => path)],
    indexOf: (chunk, i) => chunk.file[i]! + 1,
  }),
  size: coloursOfSizes,
  site: ({ callSites: { sites, siteOfNode }, localSource }) => ({
    labels: [NO_SITE, ...sites.map(siteLabel)],
    indexOf: (chunk, i) => siteOf(siteOfNode, chunk.stack[i]!) + 1,
    partAt: (index) => {
      const site = sites[index - 1];
      if (site === undefined || site.line <= 0) return undefined;
      const source = site.file === '' ? site.module : site.file;
      return { kind: 'line', file: localSource(source).file, line: site.line };
    },
  }),
  insight: coloursOfInsights,
};

/**
 * Sorts events into categories, the costliest by time first. Events of several recordings that go by the same name have the
 * same category. At most 20 have one of their own; all others share the last.
 */
export function categorise(events: ShownEvents, colourBy: ColourBy): EventCategories {
  const names = new NameTable();
  const makers = events.recordings.map((recording) => COLOURS[colourBy](recording));
  const nameOf = makers.map(({ labels }) => Int32Array.from(labels, (label) => names.intern(label)));
  const time = new Float64Array(names.length);
  const count = new Float64Array(names.length);
  events.forEachBlock(({ recording, chunk, rows, role }) => {
    const maker = makers[recording]!;
    const indices = nameOf[recording]!;
    for (let i = 0; i < rows; i++) {
      if (!(role[i]! & ROLE.shown)) continue;
      const name = indices[maker.indexOf(chunk, i)]!;
      count[name]!++;
      if (role[i]! & ROLE.takesTime && chunk.duration[i]! > 0) time[name]! += chunk.duration[i]!;
    }
  });
  const order = Array.from(names.names, (_, name) => name).filter((name) => count[name]! > 0);
  order.sort((a, b) => time[b]! - time[a]! || count[b]! - count[a]! || a - b);
  const named = order.length <= MOST_NAMED + 1 ? order : order.slice(0, MOST_NAMED);
  const categoryOfName = new Uint8Array(names.length).fill(named.length);
  named.forEach((name, category) => (categoryOfName[name] = category));
  const categories = named.map((name): TimelineCategory => {
    const label = names.at(name);
    const selects = partOf(colourBy, label) ?? commonPart(makers, nameOf, name);
    return { label, events: count[name]!, timeNs: time[name]!, ...(selects && { selects }) };
  });
  const others = order.slice(named.length);
  if (others.length > 0) {
    const sum = (amounts: Float64Array): number => others.reduce((total, name) => total + amounts[name]!, 0);
    categories.push({ label: `${others.length} others`, events: sum(count), timeNs: sum(time) });
  }
  return { categories, ofEvent: categoryOfEvents(events, makers, nameOf, categoryOfName) };
}

/** What all that goes by a name selects; undefined where it is several things, such as lines of files of the same name. */
function commonPart(
  makers: readonly Colours[],
  nameOf: readonly Int32Array[],
  name: number,
): SelectionPart | undefined {
  const parts = new Map<string, SelectionPart | undefined>();
  makers.forEach((maker, recording) =>
    nameOf[recording]!.forEach((each, index) => {
      if (each !== name) return;
      const part = maker.partAt?.(index);
      parts.set(JSON.stringify(part), part);
    }),
  );
  return parts.size === 1 ? parts.values().next().value : undefined;
}

/** Operations, files, layers and findings go by their names in a selection, too. */
function partOf(colourBy: ColourBy, label: string): SelectionPart | undefined {
  if (colourBy === 'operation') return { kind: 'operation', operation: label };
  if (colourBy === 'layer') return { kind: 'layer', layer: label };
  if (colourBy === 'file' && label !== NO_FILE) return { kind: 'file', path: label };
  // The code stands before the title.
  return colourBy === 'insight' && label !== NO_FINDING
    ? { kind: 'insight', code: label.split(' ', 1)[0]! }
    : undefined;
}

function categoryOfEvents(
  events: ShownEvents,
  makers: readonly Colours[],
  nameOf: readonly Int32Array[],
  categoryOfName: Uint8Array,
): Uint8Array {
  const ofEvent = new Uint8Array(events.length);
  events.forEachBlock(({ recording, chunk, rows, firstEvent, role }) => {
    const maker = makers[recording]!;
    const indices = nameOf[recording]!;
    for (let i = 0; i < rows; i++) {
      if (role[i]! & ROLE.shown) ofEvent[firstEvent + i] = categoryOfName[indices[maker.indexOf(chunk, i)]!]!;
    }
  });
  return ofEvent;
}

function siteOf(siteOfNode: Indices<SiteIndex>, node: StackNode): SiteIndex {
  return node === NONE ? NONE : (siteOfNode[node] ?? NONE);
}

/** `write_cells (heat.c:22)`. */
export function siteLabel(site: { file: string; line: number; functionName: string; module: string }): string {
  const source = site.file === '' ? site.module : site.file;
  const name = source.slice(source.lastIndexOf('/') + 1);
  const place = site.line > 0 ? `${name}:${site.line}` : name;
  return site.functionName === '' ? place : `${site.functionName} (${place})`;
}

/** Darshan's ten bins of what a transfer asked for. */
function coloursOfSizes({ trace }: TimelineRecording): Colours {
  const bins = SIZE_BIN_ENDS.map((end, bin) => {
    if (bin === 0) return `up to ${formatBytes(end)}`;
    return end === Infinity
      ? `over ${formatBytes(SIZE_BIN_ENDS[bin - 1]!)}`
      : `${formatBytes(SIZE_BIN_ENDS[bin - 1]!)} to ${formatBytes(end)}`;
  });
  const { read, write, copy, message } = OPERATION;
  const moves = trace.calls.operation.map((operation) => [read, write, copy, message].includes(operation));
  const indexOf = (chunk: EventChunk, i: number): number => {
    if (!moves[chunk.call[i]!]!) return 0;
    const requested = chunk.requested[i]!;
    return 1 + sizeBin(requested >= 0 ? requested : chunk.bytes[i]!);
  };
  return { labels: ['moves no bytes', ...bins], indexOf };
}

/** The finding at an event's place: the heaviest of its source line, else that of its file where findings have no lines. */
function coloursOfInsights({ trace, callSites, insights }: TimelineRecording): Colours {
  const labels = [NO_FINDING];
  const ofSite = new Int32Array(callSites.sites.length);
  const ofFile = new Int32Array(trace.files.length);
  for (const { code, title, severity, sites, files } of insights()) {
    if (severity === 'ok') continue;
    const label = labels.push(`${code} ${title}`) - 1;
    for (const { site, explainedBy } of sites)
      if (ofSite[site] === 0 && explainedBy === undefined) ofSite[site] = label;
    if (sites.length === 0) for (const { file } of files) if (ofFile[file] === 0) ofFile[file] = label;
  }
  const indexOf = (chunk: EventChunk, i: number): number => {
    const site = siteOf(callSites.siteOfNode, chunk.stack[i]!);
    if (site !== NONE && ofSite[site] !== 0) return ofSite[site]!;
    const file = chunk.file[i]!;
    return file === NONE ? 0 : ofFile[file]!;
  };
  return { labels, indexOf };
}
