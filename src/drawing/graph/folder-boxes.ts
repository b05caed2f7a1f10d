import { addToGroup } from '../../base/grouping.ts';
import { foldersAbove } from '../../analysis/dfg/folders.ts';

/** A folder that is drawn as a box around the activities in it. */
export interface FolderBox {
  readonly folder: string;
  /** The box around it, or null. */
  readonly parent: string | null;
  /** The activities in it, and in boxes within it. */
  readonly activities: readonly string[];
}

/** What boxes are made of. */
interface FolderedNode {
  readonly activity: string;
  readonly folder: string | null;
}

/**
 * Boxes around activities of one folder, outer ones first. A folder with one activity gets none, and of folders that hold
 * the same activities only the innermost: `/p`, `/p/scratch` and `/p/scratch/me` are one box unless `/p` holds more.
 */
export function folderBoxes(nodes: readonly FolderedNode[]): FolderBox[] {
  const held = new Map<string, string[]>();
  for (const { activity, folder } of nodes) {
    if (folder === null) continue;
    for (const above of foldersAbove(folder)) {
      addToGroup(held, above, activity);
    }
  }
  const folders = [...held.keys()].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const isWhole = (folder: string): boolean => {
    const count = held.get(folder)!.length;
    const isWithin = (other: string): boolean => other.startsWith(`${folder}/`) && held.get(other)!.length === count;
    return count > 1 && !folders.some(isWithin);
  };
  const kept = folders.filter(isWhole);
  const isKept = new Set(kept);
  return kept.map((folder) => ({
    folder,
    parent:
      foldersAbove(folder)
        .reverse()
        .find((above) => above !== folder && isKept.has(above)) ?? null,
    activities: held.get(folder)!,
  }));
}

/** The innermost box of each activity. */
export function boxOfActivity(boxes: readonly FolderBox[]): Map<string, string> {
  const innermost = new Map<string, string>();
  for (const { folder, activities } of boxes) for (const activity of activities) innermost.set(activity, folder);
  return innermost;
}
