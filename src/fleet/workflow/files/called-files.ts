import { getOrCreate } from '../../../base/grouping.ts';
import { ignoredFiles } from '../../../analysis/metrics/ignored-files.ts';
import { LAYER_ROLE, layerRoles } from '../../../analysis/metrics/layer-roles.ts';
import { LAYERS, OPERATION } from '../../../trace/calls.ts';
import { EVENT_FLAGS, NONE, NOT_MEASURED, OPEN_MODE, type EventChunk } from '../../../trace/events.ts';
import type { Trace } from '../../../trace/trace.ts';
import type { FileAccess } from '../recording-facts.ts';
import { FileCalls } from './file-calls.ts';

const REMOVES = /^(unlink|unlinkat|remove|shm_unlink)$/;
const RENAMES = /^rename(at2?)?$/;

/**
 * The files that a recording of single calls shows to be used, without those of the system and the message-passing
 * library. Where several layers show the same transfer the call of the program itself counts.
 */
export function calledFiles(trace: Trace): FileAccess[] {
  const ignored = ignoredFiles(trace.files);
  const calls = new Map<number, FileCalls>();
  const of = (file: number): FileCalls => {
    const known = getOrCreate(calls, file, () => new FileCalls());
    return known;
  };
  const renames = addCalls(trace, of);
  for (const { from, to, when } of renames.sort((a, b) => a.when - b.when)) of(to).become(of(from), when);
  const parents = parentFiles(trace);
  const origin = trace.startTime;
  const date = (ns: number): number | null => (origin === null || !Number.isFinite(ns) ? null : origin + ns / 1e9);
  return [...calls].flatMap(([file, found]) => {
    const mode = found.mode();
    const parent = parents.get(file);
    if (ignored[file] === 1 || mode === undefined) return [];
    return [
      {
        path: trace.files.at(file).path,
        mode,
        paradigms: LAYERS.filter((_, layer) => found.layers.has(layer)),
        bytesRead: found.bytesRead,
        bytesWritten: found.bytesWritten,
        from: date(found.first),
        to: date(found.last),
        writtenUntil: date(found.lastWrite),
        readFrom: date(found.firstRead),
        needsContent: found.needsContent(),
        leavesContent: found.leavesContent(),
        keepsContent: found.keepsContent(),
        parent: parent === undefined ? null : trace.files.at(parent).path,
      },
    ];
  });
}

interface Rename {
  readonly from: number;
  readonly to: number;
  readonly when: number;
}

function addCalls(trace: Trace, of: (file: number) => FileCalls): Rename[] {
  const { events, calls } = trace;
  const roles = layerRoles(trace);
  const isRemoval = calls.names.map((name) => REMOVES.test(name));
  const isRename = calls.names.map((name) => RENAMES.test(name));
  const renames: Rename[] = [];
  let row = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++, row++) {
      const file = chunk.file[i]!;
      if (file === NONE || chunk.error[i] !== 0 || (chunk.flags[i]! & NOT_MEASURED) !== 0) continue;
      // Recordings without a clock keep the order of their rows.
      const when = Number.isNaN(chunk.start[i]!) ? row : chunk.start[i]!;
      const call = chunk.call[i]!;
      if (isRemoval[call]) of(file).removed(when);
      else if (isRename[call] && chunk.argument[i]! >= 0) renames.push({ from: file, to: chunk.argument[i]!, when });
      else {
        const isOutermost = roles === undefined || (roles.of(chunk, i) & LAYER_ROLE.outermost) !== 0;
        addCall(of(file), chunk, i, calls.operation[call]!, when, isOutermost);
      }
    }
  });
  return renames;
}

// oxlint-disable-next-line max-params -- per event: no object
function addCall(
  calls: FileCalls,
  chunk: EventChunk,
  i: number,
  operation: number,
  when: number,
  isOutermost: boolean,
): void {
  const end = when + (chunk.duration[i]! > 0 ? chunk.duration[i]! : 0);
  switch (operation) {
    case OPERATION.open: {
      const argument = chunk.argument[i]!;
      const access = Number.isNaN(argument) ? undefined : argument & OPEN_MODE.access;
      if ((argument & OPEN_MODE.directory) !== 0) return;
      calls.opened(when, access, (argument & (OPEN_MODE.truncate | OPEN_MODE.exclusive)) !== 0);
      break;
    }
    case OPERATION.read:
    case OPERATION.map:
      calls.read(when, chunk.offset[i]!, chunk.bytes[i]!, isOutermost);
      break;
    case OPERATION.write:
      calls.wrote(when, end, chunk.offset[i]!, chunk.bytes[i]!, isOutermost);
      if ((chunk.flags[i]! & EVENT_FLAGS.append) !== 0) calls.appends = true;
      break;
    case OPERATION.copy:
      // Rows of a copy name one of its files each: the one that data come from is the row without a parent.
      if ((chunk.flags[i]! & EVENT_FLAGS.part) !== 0) calls.wrote(when, end, NaN, chunk.bytes[i]!, isOutermost);
      else calls.read(when, NaN, chunk.bytes[i]!, isOutermost);
      break;
    case OPERATION.close:
      break;
    default:
      // What is asked about a file or changed of its name and rights moves no content.
      return;
  }
  calls.layers.add(chunk.layer[i]!);
  calls.during(when, end);
}

/** The file behind the handle that a file's handle belongs to, where it is another one. */
function parentFiles({ handles }: Trace): ReadonlyMap<number, number> {
  const parents = new Map<number, number>();
  for (let handle = 0; handle < handles.length; handle++) {
    const [file, parent] = [handles.file.at(handle), handles.parent.at(handle)];
    if (file === NONE || parent === NONE) continue;
    const above = handles.file.at(parent);
    if (above !== NONE && above !== file) parents.set(file, above);
  }
  return parents;
}
