/**
 * A trace as a head of plain data and columns of numbers: what a file can hold. Reading it back trusts nothing: every
 * index must lie inside its table.
 */
import { CallStackTable, type RecordedForm } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS, OPERATIONS } from '../../trace/calls.ts';
import { IntegerColumn } from '../../trace/columns.ts';
import type { Damage } from '../../trace/damage.ts';
import type { Definitions } from '../../trace/definitions.ts';
import { NONE, type EventChunk, type EventTable } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { NameTable } from '../../trace/names.ts';
import type { FormatName } from '../../trace/format-traits.ts';
import { FORMAT_TRAITS, isFormatName } from '../../readers/format-traits.ts';
import type { TalliedProcess } from '../../trace/tallies.ts';
import type { RecordingPart, Stream, Trace, TraceCapabilities } from '../../trace/trace.ts';

/** Everything of a trace but events and handles, as JSON holds it. */
export interface TraceHead {
  readonly format: FormatName;
  readonly version: string;
  readonly program: string;
  readonly startTime: number | null;
  readonly durationNs: number;
  readonly parts: readonly RecordingPart[];
  readonly streams: readonly Stream[];
  readonly files: readonly (readonly [host: string, path: string])[];
  readonly handles: number;
  readonly calls: readonly (readonly [name: string, operation: number])[];
  readonly errors: readonly string[];
  readonly modules: readonly string[];
  readonly symbols: readonly string[];
  readonly sourceFiles: readonly string[];
  /** What is known of modules, by their indices. */
  readonly moduleForms: readonly (readonly [module: number, form: RecordedForm])[];
  readonly moduleBuilds: readonly (readonly [module: number, build: string])[];
  /** Six numbers a frame: module, value, symbol, symbolOffset, sourceFile, sourceLine. */
  readonly frames: readonly number[];
  /** Two numbers a node: parent, frame. */
  readonly nodes: readonly number[];
  readonly capabilities: TraceCapabilities;
  readonly damage: readonly Damage[];
  readonly notes: readonly string[];
  /** Absent when nothing ended early. */
  readonly earlyEnds?: readonly string[];
  /** Absent when the trace has none. */
  readonly tallied?: readonly TalliedProcess[];
  readonly events: number;
  /** Absent when the trace has none. */
  readonly definitions?: StoredDefinitions;
}

/** Definitions without maps. */
interface StoredDefinitions extends Omit<Definitions, 'handleNames'> {
  readonly handleNames: readonly (readonly [handle: number, name: string])[];
}

/** What is stored was not written by us, or was changed since. */
export class DamagedEncodingError extends Error {
  override name = 'DamagedEncodingError';
}

/** The properties of a trace that are stored (`form` by the name of the format): a trace with others is more than this can keep. */
const STORED = new Set<string>([
  ...([
    'format',
    'form',
    'version',
    'program',
    'startTime',
    'durationNs',
    'parts',
    'streams',
    'files',
    'handles',
  ] as const),
  ...([
    'calls',
    'errors',
    'events',
    'stacks',
    'capabilities',
    'damage',
    'notes',
    'earlyEnds',
    'tallied',
    'definitions',
  ] as const),
] satisfies (keyof Trace)[]);

/** @returns undefined when the trace holds something that would be lost. */
export function encodeTrace(trace: Trace): { head: TraceHead; handles: Int32Array } | undefined {
  const isMore = Object.entries(trace).some(([name, value]) => value !== undefined && !STORED.has(name));
  if (isMore) return undefined;
  const { stacks, handles, calls } = trace;
  const frames: number[] = [];
  for (let i = 0; i < stacks.frames; i++) {
    frames.push(stacks.frameModule.at(i), stacks.frameValue.at(i), stacks.frameSymbol.at(i));
    frames.push(stacks.frameSymbolOffset.at(i), stacks.frameSourceFile.at(i), stacks.frameSourceLine.at(i));
  }
  const nodes: number[] = [];
  for (let i = 0; i < stacks.nodes; i++) nodes.push(stacks.nodeParent.at(i), stacks.nodeFrame.at(i));
  const head: TraceHead = {
    format: trace.format,
    version: trace.version,
    program: trace.program,
    startTime: trace.startTime,
    durationNs: trace.durationNs,
    parts: trace.parts.map(({ name, path, commandId, host, launchId, run, program, lived, life }) => ({
      name,
      path,
      commandId,
      host,
      launchId,
      run,
      ...(program !== undefined && { program }),
      ...(lived !== undefined && { lived }),
      ...(life !== undefined && { life }),
    })),
    streams: trace.streams,
    files: trace.files.files.map(({ host, path }) => [host, path]),
    handles: handles.length,
    calls: calls.names.map((name, call) => [name, calls.operation[call]!]),
    errors: trace.errors.names,
    modules: stacks.modules.names,
    symbols: stacks.symbols.names,
    sourceFiles: stacks.sourceFiles.names,
    moduleForms: [...stacks.moduleForms],
    moduleBuilds: [...stacks.moduleBuilds],
    frames,
    nodes,
    capabilities: trace.capabilities,
    damage: trace.damage,
    notes: trace.notes,
    ...(trace.earlyEnds !== undefined && { earlyEnds: trace.earlyEnds }),
    ...(trace.tallied !== undefined && { tallied: trace.tallied }),
    events: trace.events.length,
    ...(trace.definitions !== undefined && {
      definitions: { ...trace.definitions, handleNames: [...trace.definitions.handleNames] },
    }),
  };
  return { head, handles: encodeHandles(handles) };
}

/** All columns of a table of handles, whatever their number. */
function columnsOf(handles: HandleTable): IntegerColumn[] {
  return Object.values(handles).filter((column): column is IntegerColumn => column instanceof IntegerColumn);
}

/** Numbers that a handle takes in a stored trace. */
export const HANDLE_NUMBERS = columnsOf(new HandleTable()).length;

function encodeHandles(handles: HandleTable): Int32Array {
  const stored = new Int32Array(handles.length * HANDLE_NUMBERS);
  columnsOf(handles).forEach((column, at) =>
    stored.set(column.values.subarray(0, handles.length), at * handles.length),
  );
  return stored;
}

function decodeHandles(head: TraceHead, stored: Int32Array): HandleTable {
  require(stored.length === head.handles * HANDLE_NUMBERS, 'handles');
  const handles = new HandleTable();
  columnsOf(handles).forEach((column, at) => {
    for (const value of stored.subarray(at * head.handles, (at + 1) * head.handles)) column.push(value);
  });
  for (let i = 0; i < head.handles; i++) {
    const { file, stream, parent } = handles;
    const isRight = isIndexOrNone(file.at(i), head.files.length) && isIndexOrNone(stream.at(i), head.streams.length);
    require(isRight && isIndexOrNone(parent.at(i), head.handles), 'handles');
  }
  return handles;
}

function require(isRight: boolean, what: string): asserts isRight {
  if (!isRight) throw new DamagedEncodingError(what);
}

/** Whether a number is an index of a table, or NONE. */
function isIndexOrNone(value: number, length: number): boolean {
  return Number.isInteger(value) && value >= NONE && value < length;
}

/**
 * @param sharedPaths as the trace was read with.
 * @throws DamagedEncodingError (or a TypeError) when the head is not one that encodeTrace made.
 */
export function decodeTrace(
  head: TraceHead,
  handleColumns: Int32Array,
  events: EventTable,
  sharedPaths: readonly string[],
): Trace {
  const files = new FileTable(sharedPaths);
  for (const [index, [host, path]] of head.files.entries()) require(files.intern(host, path) === index, 'files');
  const calls = new CallTable();
  for (const [index, [name, operation]] of head.calls.entries()) {
    require(OPERATIONS[operation] !== undefined && calls.intern(name, OPERATIONS[operation]) === index, 'calls');
  }
  const errors = new NameTable(head.errors);
  require(errors.length === head.errors.length && errors.at(0) === '', 'errors');
  for (const { part } of head.streams) require(part >= 0 && part < head.parts.length, 'streams');
  const handles = decodeHandles(head, handleColumns);
  require(isFormatName(head.format), 'format');
  for (const { part, tallies } of head.tallied ?? []) {
    require(part >= 0 && part < head.parts.length, 'tallies');
    require(tallies.every(({ stack }) => isIndexOrNone(stack, head.nodes.length / 2)), 'tallies');
  }
  const { format, version, program, startTime, durationNs, parts, streams, capabilities, damage, notes } = head;
  const form = FORMAT_TRAITS[format];
  const plain = { format, form, version, program, startTime, durationNs, parts, streams, capabilities, damage, notes };
  const tables = { files, handles, calls, errors, events, stacks: decodeStacks(head) };
  const definitions = decodeDefinitions(head);
  return {
    ...plain,
    ...tables,
    ...(head.earlyEnds !== undefined && { earlyEnds: head.earlyEnds }),
    ...(head.tallied !== undefined && { tallied: head.tallied }),
    ...(definitions !== undefined && { definitions }),
  };
}

function decodeDefinitions({ definitions, files, handles, streams }: TraceHead): Definitions | undefined {
  if (definitions === undefined) return undefined;
  const { paradigms, communicators, handleNames } = definitions;
  require(paradigms.every(({ layer }) => LAYERS[layer] !== undefined), 'paradigms');
  require(definitions.files.every(({ file }) => isIndexOrNone(file, files.length)), 'definitions of files');
  const areStreams = (members: readonly number[]): boolean =>
    members.every((member) => isIndexOrNone(member, streams.length));
  require(communicators.every(
    ({ members, parent }) => areStreams(members) && isIndexOrNone(parent, communicators.length),
  ), 'communicators');
  require(handleNames.every(([handle]) => isIndexOrNone(handle, handles)), 'names of handles');
  return { paradigms, files: definitions.files, communicators, handleNames: new Map(handleNames) };
}

function decodeStacks(head: TraceHead): CallStackTable {
  const stacks = new CallStackTable();
  const { frames, nodes } = head;
  for (let i = 0; i < frames.length; i += 6) {
    const [module, value, symbol, symbolOffset, sourceFile, sourceLine] = frames.slice(i, i + 6) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const names = [head.modules[module], head.symbols[symbol], head.sourceFiles[sourceFile]];
    require(names.every((name) => typeof name === 'string'), 'frames');
    const frame = {
      module: names[0]!,
      value,
      symbol: names[1]!,
      symbolOffset,
      sourceFile: names[2]!,
      sourceLine,
    };
    require(stacks.internFrame(frame) === i / 6, 'frames');
  }
  for (const [module, form] of head.moduleForms) stacks.moduleForms.set(module, form);
  for (const [module, build] of head.moduleBuilds) stacks.moduleBuilds.set(module, build);
  for (let i = 0; i < nodes.length; i += 2) {
    const [parent, frame] = [nodes[i]!, nodes[i + 1]!];
    // A caller stands in front of those it calls, so no chain can be a circle.
    require(isIndexOrNone(parent, i / 2) && frame >= 0 && frame < stacks.frames, 'nodes');
    require(stacks.internNode(parent, frame) === i / 2, 'nodes');
  }
  return stacks;
}

/** @throws DamagedEncodingError when a row points outside of a table. */
export function checkRows(chunk: EventChunk, rows: number, head: TraceHead): void {
  const { file, handle, stack, parent, stream, call, error, layer } = chunk;
  const [files, nodes] = [head.files.length, head.nodes.length / 2];
  const [streams, calls, errors, layers] = [head.streams.length, head.calls.length, head.errors.length, LAYERS.length];
  for (let i = 0; i < rows; i++) {
    const isRight =
      file[i]! >= NONE &&
      file[i]! < files &&
      handle[i]! >= NONE &&
      handle[i]! < head.handles &&
      stack[i]! >= NONE &&
      stack[i]! < nodes &&
      parent[i]! >= NONE &&
      parent[i]! < head.events &&
      stream[i]! < streams &&
      call[i]! < calls &&
      error[i]! < errors &&
      layer[i]! < layers;
    if (!isRight) throw new DamagedEncodingError('events');
  }
}
