import { LAYERS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { Stream } from '../../trace/trace.ts';
import type { StreamIndex } from '../../trace/indices.ts';
import { processesOfStreams } from '../metrics/processes.ts';
import type { RowsOfRecording } from './event-rows.ts';
import type { RowName, RowTree } from './row-tree.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** Host → rank or process → thread. A process of one thread is a row by itself, and hosts that nobody names are none. */
export function streamRows({ trace }: TimelineRecording): RowsOfRecording {
  const { streams } = trace;
  const leaders = processesOfStreams(trace);
  // A process that two joined recordings show has a stream in each.
  const threads = new Map<number, Set<number>>();
  leaders.forEach((leader, stream) => {
    threads.set(leader, (threads.get(leader) ?? new Set()).add(streams[stream]!.pid));
  });
  const run = runNames(trace.parts.map((part) => part.run));
  const nodeOf = (tree: RowTree, parent: number, stream: StreamIndex): number => {
    const { host, rank, pid, processId, part } = streams[stream]!;
    const at =
      host === ''
        ? parent
        : tree.node(parent, {
            key: `host ${host}`,
            label: host,
            description: `host ${host}`,
            selects: { kind: 'host', host },
          });
    const inRun = run(part);
    const process = tree.node(at, {
      key: `process ${rank ?? ''} ${processId}${inRun}`,
      label: rank === undefined ? `process ${processId}${inRun}` : `rank ${rank}${inRun}`,
      description: descriptionOf(streams[stream]!, trace.parts[part]!.program),
      selects: rank === undefined ? { kind: 'process', host, process: processId } : { kind: 'rank', rank },
      place: rank ?? stream,
    });
    if (threads.get(leaders[stream]!)!.size === 1) return process;
    return tree.node(process, {
      key: `thread ${pid}`,
      label: pid === processId ? `thread ${pid} (main)` : `thread ${pid}`,
      description: `thread ${pid} of process ${processId}`,
      place: stream,
      selects: { kind: 'process', host, process: processId, thread: pid },
    });
  };
  return { subjects: streams.length, subjectOf: (chunk, i) => chunk.stream[i]!, nodeOf, withParts: false };
}

/** What tells processes of several runs of the recorder apart; '' where there is one. */
function runNames(runs: readonly string[]): (part: number) => string {
  const several = new Set(runs).size > 1;
  return (part) => (several && runs[part]! !== '' ? ` (${runs[part]!})` : '');
}

function descriptionOf({ rank, processId, host }: Stream, program: string | undefined): string {
  const words = [...(rank === undefined ? [] : [`rank ${rank}`]), `process ${processId}`];
  if (host !== '') words.push(`on ${host}`);
  return program === undefined ? words.join(', ') : `${words.join(', ')}: ${program}`;
}

/** Folder → file. Files alone in their folder stand by themselves. */
export function fileRows({ trace }: TimelineRecording): RowsOfRecording {
  const { files } = trace.files;
  const inFolder = new Map<string, number>();
  for (const { path } of files) {
    const folder = folderOf(path);
    inFolder.set(folder, (inFolder.get(folder) ?? 0) + 1);
  }
  const nodeOf = (tree: RowTree, parent: number, subject: number): number => {
    if (subject === 0) {
      return tree.node(parent, { key: 'no file', label: '(no file)', description: 'calls that concern no file' });
    }
    const { path, host, kind } = files[subject - 1]!;
    const folder = folderOf(path);
    const selects = { kind: 'file', path } as const;
    const name = { key: `file ${host} ${path}`, description: host === '' ? path : `${path} on ${host}`, selects };
    if (kind !== 'regular' || folder === '' || inFolder.get(folder) === 1) {
      return tree.node(parent, { ...name, label: path });
    }
    const above = tree.node(parent, { key: `folder ${folder}`, label: folder, description: `files in ${folder}` });
    return tree.node(above, { ...name, label: path.slice(folder.length) });
  };
  return { subjects: files.length + 1, subjectOf: (chunk, i) => chunk.file[i]! + 1, nodeOf, withParts: true };
}

/** The folder with its slash; '' where there is none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The row that holds all of a layer; layers stand in their order, highest first. */
export function layerName(layer: number): RowName {
  const label = LAYERS[layer]!;
  const selects = { kind: 'layer', layer: label } as const;
  const description = `calls of the layer ${label}`;
  return { key: `layer ${label}`, label, description, oneLayer: true, place: layer, isFixed: true, selects };
}

/** Layer → call. */
export function layerRows({ trace }: TimelineRecording): RowsOfRecording {
  const { names } = trace.calls;
  const nodeOf = (tree: RowTree, parent: number, subject: number): number => {
    const layer = subject % LAYERS.length;
    const call = names[Math.floor(subject / LAYERS.length)]!;
    const above = tree.node(parent, layerName(layer));
    const name = { key: `call ${call}`, label: call, description: `${call} (${LAYERS[layer]!})` };
    return tree.node(above, { ...name, selects: { kind: 'call', call } });
  };
  return {
    subjects: names.length * LAYERS.length,
    subjectOf: (chunk, i) => chunk.call[i]! * LAYERS.length + chunk.layer[i]!,
    nodeOf,
    withParts: false,
  };
}

/** Source file → line. */
export function siteRows({ callSites, localSource }: TimelineRecording): RowsOfRecording {
  const { sites, siteOfNode } = callSites;
  const nodeOf = (tree: RowTree, parent: number, subject: number): number => {
    if (subject === 0) {
      const description = 'calls whose stack leads to no code of the program, or that have none';
      return tree.node(parent, { key: 'no site', label: '(no source line)', description });
    }
    const { file: recorded, line, functionName, module } = sites[subject - 1]!;
    const source = recorded === '' ? module : recorded;
    const { file } = localSource(source);
    const above = tree.node(parent, { key: `source ${file}`, label: shortened(file), description: file });
    const place = line > 0 ? `${shortened(file)}:${line}` : shortened(file);
    return tree.node(above, {
      key: `line ${line} ${line > 0 ? '' : functionName}`,
      label: functionName === '' ? place : `${functionName} (${place})`,
      description: `${file}:${line} ${functionName}`.trim(),
      ...(line > 0 && { selects: { kind: 'line', file, line } }),
    });
  };
  const subjectOf: RowsOfRecording['subjectOf'] = (chunk, i) => {
    const node = chunk.stack[i]!;
    return node === NONE ? 0 : (siteOfNode[node] ?? NONE) + 1;
  };
  return { subjects: sites.length + 1, subjectOf, nodeOf, withParts: false };
}

function shortened(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
