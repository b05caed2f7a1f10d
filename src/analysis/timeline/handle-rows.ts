import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { FileIndex, HandleIndex } from '../../trace/indices.ts';
import { processName } from '../metrics/process-noun.ts';
import { formatDuration } from '../../base/quantities.ts';
import type { RowsOfRecording } from './event-rows.ts';
import type { RowName, RowTree } from './row-tree.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** A file that was opened more often has its handles grouped by the process that opened them. */
const MOST_SIDE_BY_SIDE = 16;

/**
 * File → handle: what one open made, from its first call to its last, with what is opened through it below it
 * (`HandleTable.parent`: the file of MPI-IO, and the POSIX file that it opens).
 */
export function handleRows({ trace }: TimelineRecording): RowsOfRecording {
  const { handles, streams, files } = trace;
  const lives = livesOf(trace);
  const opensOf = new Map<number, number>();
  for (let handle = 0; handle < handles.length; handle++) {
    const file = handles.file.at(handle);
    opensOf.set(file, (opensOf.get(file) ?? 0) + 1);
  }
  const fileNode = (tree: RowTree, parent: number, file: FileIndex): number => {
    if (file === NONE)
      return tree.node(parent, { key: 'no path', label: '(no path)', description: 'handles of things without a path' });
    const { path, host } = files.at(file);
    const description = `${path}${host === '' ? '' : ` on ${host}`}, opened ${opensOf.get(file)!} times`;
    return tree.node(parent, {
      key: `file ${host} ${path}`,
      label: path,
      description,
      selects: { kind: 'file', path },
    });
  };
  /** Of a handle that stands here for the handles below it, nobody may be known to have used it. */
  const openerOf = (handle: HandleIndex): string => {
    const stream = streams[handles.stream.at(handle)];
    return stream === undefined ? 'nobody known' : processName(stream);
  };
  const above = (tree: RowTree, parent: number, handle: HandleIndex): number => {
    const owner = handles.parent.at(handle);
    // A handle stands behind its parent in the table: there is no way round.
    if (owner !== NONE && owner < handle) return handleNode(tree, parent, owner);
    const file = handles.file.at(handle);
    const node = fileNode(tree, parent, file);
    if (opensOf.get(file)! <= MOST_SIDE_BY_SIDE) return node;
    const name = openerOf(handle);
    const part = streams[handles.stream.at(handle)]?.part ?? NONE;
    return tree.node(node, { key: `opener ${name} ${part}`, label: name, description: `opened by ${name}` });
  };
  const handleNode = (tree: RowTree, parent: number, handle: HandleIndex): number => {
    const under = above(tree, parent, handle);
    return tree.node(under, handleName(handle));
  };
  const handleName = (handle: HandleIndex): RowName => {
    const incarnation = handles.incarnation.at(handle);
    const opener = openerOf(handle);
    const anew = incarnation > 0 ? `; the path had led to ${incarnation} other files before` : '';
    return {
      key: `handle ${handle}`,
      label: `handle ${handle + 1}, ${opener}`,
      description: `handle ${handle + 1} (one open), opened by ${opener}, ${lives(handle)}${anew}`,
      place: handle,
    };
  };
  const nodeOf = (tree: RowTree, parent: number, subject: number): number =>
    subject === 0
      ? tree.node(parent, { key: 'no handle', label: '(no handle)', description: 'calls by path, or on none' })
      : handleNode(tree, parent, subject - 1);
  return { subjects: handles.length + 1, subjectOf: (chunk, i) => chunk.handle[i]! + 1, nodeOf, withParts: true };
}

/** From when to when each handle is used: its open is its first call, its close the last. */
function livesOf({ events, handles, capabilities }: TimelineRecording['trace']): (handle: HandleIndex) => string {
  const first = new Float64Array(handles.length).fill(Infinity);
  const last = new Float64Array(handles.length).fill(-Infinity);
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const handle = chunk.handle[i]!;
      const start = chunk.start[i]!;
      if (handle === NONE || !(start >= 0) || chunk.flags[i]! & EVENT_FLAGS.restarted) continue;
      if (start < first[handle]!) first[handle] = start;
      const end = chunk.duration[i]! > 0 ? start + chunk.duration[i]! : start;
      if (end > last[handle]!) last[handle] = end;
    }
  });
  return (handle) =>
    !capabilities.time || first[handle] === Infinity
      ? 'at unknown times'
      : `used from ${formatDuration(first[handle]!)} to ${formatDuration(last[handle]!)}`;
}
