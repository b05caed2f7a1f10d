import { machine } from '#machine';
import type { CallStackTable } from '../../trace/call-stacks.ts';
import { isLocation } from '../machine/editor-files.ts';

/** An editor's file system may be far away: each folder is one question over a network. */
const MOST_FOLDERS = 1_000;
/** Files of one name that are offered. */
const MOST_NAMED_ALIKE = 8;

const NEVER_LOOKED_INTO = new Set(['node_modules', '.git', '.hg', '.svn']);

/**
 * Files of the workspace that are named as the recorded modules. Recorded paths lead nowhere in an editor's file system,
 * so what lies in the workspace is tried in their place; whether it is the recorded build is asked of its content, as for
 * every binary. On a machine paths lead to files, and nothing is looked for.
 *
 * @returns those first whose folders are named as the recorded ones.
 */
export async function workspaceBinaries(
  { modules }: Pick<CallStackTable, 'modules'>,
  folders: readonly string[],
): Promise<string[]> {
  const roots = folders.filter(isLocation);
  if (roots.length === 0) return [];
  const recorded = new Map<string, string>();
  for (const path of modules.names.filter((name) => name.includes('/')))
    recorded.set(path.slice(path.lastIndexOf('/') + 1), path);
  const found = new Map<string, string[]>();
  for (const file of await listed(roots)) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    if (!recorded.has(name)) continue;
    const alike = found.get(name) ?? [];
    if (alike.length < MOST_NAMED_ALIKE) found.set(name, [...alike, file]);
  }
  return [...found].flatMap(([name, files]) =>
    files.sort((a, b) => commonEnd(b, recorded.get(name)!) - commonEnd(a, recorded.get(name)!)),
  );
}

/** Milliseconds for which a listing is good: stacks are resolved one after the other, and a build takes longer. */
const GOOD_FOR = 20_000;

let last: { readonly key: string; readonly made: number; readonly files: Promise<string[]> } | undefined;

function listed(roots: readonly string[]): Promise<string[]> {
  const key = roots.join('\0');
  const now = performance.now();
  if (last?.key !== key || now - last.made > GOOD_FOR) last = { key, made: now, files: filesBelow(roots) };
  return last.files;
}

async function filesBelow(roots: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  // The nearest folders first: what is far down is more likely left over than up to date.
  const waiting = [...roots];
  for (let looked = 0; looked < MOST_FOLDERS; looked++) {
    const folder = waiting.shift();
    if (folder === undefined) break;
    for (const { name, kind } of await machine.files.list(folder).catch(() => [])) {
      const path = `${folder.replace(/\/$/, '')}/${name}`;
      if (kind === 'folder' && !NEVER_LOOKED_INTO.has(name)) waiting.push(path);
      else if (kind === 'file') files.push(path);
    }
  }
  return files;
}

/** Parts that two paths have in common, from their ends. */
function commonEnd(a: string, b: string): number {
  const [one, other] = [a.split('/').reverse(), b.split('/').reverse()];
  const end = one.findIndex((part, at) => part !== other[at]);
  return end < 0 ? one.length : end;
}
