import { UNDEFINED_32 } from './byte-cursor.ts';
import type { RawDefinitions } from './definition-records.ts';

/** Classes of nodes of the system tree that are hosts: what has a file system of its own. */
const HOST_CLASS = /^(node|host|compute ?node)$/i;
const DEEPEST = 64;

/** The machine, its nodes, and what they consist of. */
export class SystemTree {
  constructor(
    private readonly raw: RawDefinitions,
    private readonly text: (reference: number) => string,
  ) {}

  /** Name of the host that a node of the tree is or lies in; '' when it lies in none: it is the machine, or not known. */
  hostOf(reference: number): string {
    let at = this.raw.systemTree.get(reference);
    for (let depth = 0; at !== undefined && depth < DEEPEST; depth++) {
      if (HOST_CLASS.test(this.text(at.className))) return this.text(at.name);
      at = this.raw.systemTree.get(at.parent);
    }
    return '';
  }

  /** `node n0001`; '' when it is not known. */
  nameOf(reference: number): string {
    const node = reference === UNDEFINED_32 ? undefined : this.raw.systemTree.get(reference);
    return node === undefined ? '' : `${this.text(node.className)} ${this.text(node.name)}`.trim();
  }
}
