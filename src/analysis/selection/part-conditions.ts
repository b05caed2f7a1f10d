import { getOrCreate } from '../../base/grouping.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import { LAYERS, OPERATIONS, type Layer, type Operation } from '../../trace/calls.ts';
import { CHUNK_ROWS, NONE } from '../../trace/events.ts';
import { LayerTree } from '../layers/layer-tree.ts';
import { EventBits } from './event-mask.ts';
import type { Stream } from '../../trace/trace.ts';
import { isSourceFile, NothingNamed, type EventCondition } from './event-condition.ts';
import { activityCondition, edgeCondition } from './graph-conditions.ts';
import { insightCondition } from './insight-conditions.ts';
import type { SelectionInputs } from './selection-inputs.ts';
import type { SelectionPart } from './selection.ts';

/** What events a part of a selection is about. */
export function conditionOf(inputs: SelectionInputs, part: SelectionPart): EventCondition | NothingNamed {
  switch (part.kind) {
    case 'line':
      return lineCondition(inputs, part);
    case 'function':
      return functionCondition(inputs, part);
    case 'activity':
      return activityCondition(inputs, part);
    case 'edge':
      return edgeCondition(inputs, part);
    case 'file':
      return fileCondition(inputs, part.path);
    case 'rank':
      return streamCondition(inputs, ({ rank }) => rank === part.rank, `the recording has no rank ${part.rank}`);
    case 'process':
      return processCondition(inputs, part);
    case 'host':
      return streamCondition(inputs, ({ host }) => host === part.host, `the recording has no host ${part.host}`);
    case 'layer':
      return layerCondition(part.layer);
    case 'call':
      return callCondition(inputs, part.call);
    case 'operation':
      return operationCondition(inputs, part.operation);
    case 'below':
      return belowCondition(inputs, part);
    case 'span':
      return spanCondition(inputs, part);
    case 'insight':
      return insightCondition(inputs, part);
  }
}

type Part<Kind extends SelectionPart['kind']> = Extract<SelectionPart, { kind: Kind }>;

function lineCondition(inputs: SelectionInputs, { file, line }: Part<'line'>): EventCondition | NothingNamed {
  const { sites, siteOfNode } = inputs.callSites;
  const wanted = Uint8Array.from(sites, (site) =>
    site.line === line && isSourceFile(inputs, site.file, file) ? 1 : 0,
  );
  if (!wanted.includes(1)) return new NothingNamed(`no call of this recording comes from ${lastPart(file)}:${line}`);
  return (chunk, i) => {
    const node = chunk.stack[i]!;
    return node !== NONE && wanted[siteOfNode[node]!] === 1;
  };
}

/** A call is below a function when any frame of its chain is one of it. */
function functionCondition(inputs: SelectionInputs, { file, name }: Part<'function'>): EventCondition | NothingNamed {
  const { trace, resolved } = inputs;
  const isBelow = new Uint8Array(trace.stacks.nodes);
  const isWanted = new Map<string, boolean>();
  const isInFile = (recorded: string): boolean => {
    const known = getOrCreate(isWanted, recorded, () => isSourceFile(inputs, recorded, file));
    return known;
  };
  // Callers stand before what they call.
  for (let node = 0; node < isBelow.length; node++) {
    const caller = trace.stacks.nodeParent.at(node);
    const isHere =
      (caller !== NONE && isBelow[caller] === 1) ||
      resolved
        .framesOf(node)
        .some((frame) => frame.functionName === name && isInFile(frame.file) && !isLibrarySource(frame.file));
    isBelow[node] = isHere ? 1 : 0;
  }
  if (!isBelow.includes(1)) return new NothingNamed(`no call of this recording is made below ${name}`);
  return (chunk, i) => isBelow[chunk.stack[i]!] === 1;
}

function fileCondition({ trace }: SelectionInputs, path: string): EventCondition | NothingNamed {
  const wanted = Uint8Array.from(trace.files.files, (file) => (file.path === path ? 1 : 0));
  if (!wanted.includes(1)) return new NothingNamed(`the recording has no file ${path}`);
  return (chunk, i) => wanted[chunk.file[i]!] === 1;
}

function streamCondition(
  { trace }: SelectionInputs,
  isWanted: (stream: Stream) => boolean,
  otherwise: string,
): EventCondition | NothingNamed {
  const wanted = Uint8Array.from(trace.streams, (stream) => (isWanted(stream) ? 1 : 0));
  return wanted.includes(1) ? (chunk, i) => wanted[chunk.stream[i]!] === 1 : new NothingNamed(otherwise);
}

function processCondition(
  inputs: SelectionInputs,
  { host, process, thread }: Part<'process'>,
): EventCondition | NothingNamed {
  const name = thread === undefined ? `process ${process}` : `thread ${thread} of process ${process}`;
  return streamCondition(
    inputs,
    (stream) => stream.host === host && stream.processId === process && (thread === undefined || stream.pid === thread),
    `the recording has no ${name}${host === '' ? '' : ` on ${host}`}`,
  );
}

function layerCondition(name: string): EventCondition | NothingNamed {
  const layer = LAYERS.indexOf(name as Layer);
  return layer < 0 ? new NothingNamed(`there is no layer ${name}`) : (chunk, i) => chunk.layer[i] === layer;
}

function callCondition({ trace }: SelectionInputs, name: string): EventCondition | NothingNamed {
  const call = trace.calls.find(name);
  if (call === undefined) return new NothingNamed(`the recording has no call ${name}`);
  return (chunk, i) => chunk.call[i] === call;
}

function operationCondition({ trace }: SelectionInputs, name: string): EventCondition | NothingNamed {
  const wanted = OPERATIONS.indexOf(name as Operation);
  if (wanted < 0) return new NothingNamed(`there is no operation ${name}`);
  const { operation } = trace.calls;
  return (chunk, i) => operation[chunk.call[i]!] === wanted;
}

/** A call with all that it became. */
function belowCondition({ trace }: SelectionInputs, part: Part<'below'>): EventCondition | NothingNamed {
  const { events, streams, parts } = trace;
  const call = trace.calls.find(part.call) ?? NONE;
  const isWanted = Uint8Array.from(streams, ({ host, processId, pid, part: file }) =>
    host === part.host && processId === part.process && pid === part.thread && parts[file]!.path === part.file ? 1 : 0,
  );
  const found = new EventBits(events.length);
  const tree = LayerTree.of(trace);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      if (chunk.call[i] !== call || chunk.line[i] !== part.line || isWanted[chunk.stream[i]!] !== 1) continue;
      found.add(number * CHUNK_ROWS + i);
      tree.forEachBelow(number * CHUNK_ROWS + i, (row) => found.add(row));
    }
  });
  if (found.count === 0)
    return new NothingNamed(`the recording has no ${part.call} at ${lastPart(part.file)}:${part.line}`);
  return (_chunk, _i, row) => found.has(row);
}

/** What takes no time belongs to the span that it begins in; what only touches it does not. */
function spanCondition({ trace }: SelectionInputs, { fromNs, toNs }: Part<'span'>): EventCondition | NothingNamed {
  if (!trace.capabilities.time) return new NothingNamed('the recording has no times');
  return (chunk, i) => {
    const start = chunk.start[i]!;
    const duration = chunk.duration[i]!;
    if (start >= fromNs) return start < toNs || start === fromNs;
    return duration > 0 && start + duration > fromNs;
  };
}

function lastPart(path: string): string {
  return path.split('/').at(-1)!;
}
