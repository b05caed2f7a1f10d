import { NONE } from '../../trace/events.ts';
import type { HandleTable } from '../../trace/files.ts';
import type { HandleIndex } from '../../trace/indices.ts';

/**
 * Handles that belong together because one was opened through the other, however many layers lie between them: an HDF5
 * file, its data sets, the file of MPI-IO below and that of POSIX below that.
 *
 * @returns for each handle the one at the top of its family, NONE for a handle that stands alone; undefined where the
 * recording knows no parent of any handle.
 */
export function handleFamilies(handles: HandleTable): Int32Array | undefined {
  const top = Int32Array.from({ length: handles.length }, (_, handle) => handle);
  const topOf = (handle: HandleIndex): number => {
    let at = handle;
    // Halving the way as it is walked keeps it short for those who come later.
    while (top[at] !== at) at = top[at] = top[top[at]!]!;
    return at;
  };
  let related = false;
  for (let handle = 0; handle < handles.length; handle++) {
    const parent = handles.parent.at(handle);
    if (parent < 0 || parent >= handles.length) continue;
    // Parents that lead round in a circle make one family all the same.
    top[topOf(handle)] = topOf(parent);
    related = true;
  }
  if (!related) return undefined;
  const members = new Uint32Array(handles.length);
  for (let handle = 0; handle < handles.length; handle++) members[topOf(handle)]!++;
  return top.map((_, handle) => (members[topOf(handle)]! > 1 ? topOf(handle) : NONE));
}
