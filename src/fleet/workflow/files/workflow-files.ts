import type { FileAccess } from '../recording-facts.ts';

/** Names of folders that are one folder: where a file system is mounted elsewhere, or a link leads. */
export interface PathRule {
  readonly from: string;
  readonly to: string;
}

/** Folders that each node has for itself. */
const OF_A_NODE = ['/tmp', '/var/tmp', '/dev/shm', '/local', '/localscratch', '/run'];

/** The files of a workflow by one name each. */
export class WorkflowFiles {
  readonly paths: string[] = [];
  readonly parents: (number | null)[] = [];
  private readonly indices = new Map<string, number>();

  constructor(private readonly rules: readonly PathRule[]) {}

  /** @param folder where the job ran: what relative names are relative to; null when that is not known. */
  add({ path, parent }: FileAccess, folder: string | null): number {
    const index = this.intern(path, folder);
    if (parent !== null) {
      const above = this.intern(parent, folder);
      if (above !== index) this.parents[index] ??= above;
    }
    return index;
  }

  private intern(path: string, folder: string | null): number {
    const name = this.named(path, folder);
    let index = this.indices.get(name);
    if (index === undefined) {
      index = this.paths.push(name) - 1;
      this.parents.push(null);
      this.indices.set(name, index);
    }
    return index;
  }

  private named(path: string, folder: string | null): string {
    const whole = plainPath(path.startsWith('/') || folder === null ? path : `${folder}/${path}`);
    const rule = this.rules.find(({ from }) => isWithin(whole, from));
    return rule === undefined ? whole : plainPath(`${rule.to}/${whole.slice(rule.from.length)}`);
  }
}

/** Without `//`, `.` and `..`. */
function plainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..' && names.length > 0 && names.at(-1) !== '..') names.pop();
    else names.push(name);
  }
  return `${path.startsWith('/') ? '/' : ''}${names.join('/')}`;
}

function isWithin(path: string, folder: string): boolean {
  const plain = folder.replace(/\/+$/, '');
  return path === plain || path.startsWith(`${plain}/`);
}

/** Whether the same path may be another file on another node. */
export function isOfNode(path: string): boolean {
  return OF_A_NODE.some((folder) => isWithin(path, folder));
}
