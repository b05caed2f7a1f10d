import type { WorkflowDependency } from '../workflow-document.ts';

/** Which job must wait for which. Dependencies lead from jobs that stand earlier to later ones only. */
export class JobGraph {
  private readonly next: number[][];

  constructor(jobs: number, dependencies: readonly Pick<WorkflowDependency, 'from' | 'to'>[] = []) {
    this.next = Array.from({ length: jobs }, () => []);
    for (const { from, to } of dependencies) this.add(from, to);
  }

  add(from: number, to: number): void {
    if (!this.next[from]!.includes(to)) this.next[from]!.push(to);
  }

  /** Whether `to` waits for `from`, by itself or through others. */
  leads(from: number, to: number): boolean {
    if (from >= to) return false;
    const seen = new Set([from]);
    const open = [from];
    while (open.length > 0) {
      for (const job of this.next[open.pop()!]!) {
        if (job === to) return true;
        if (job > to || seen.has(job)) continue;
        seen.add(job);
        open.push(job);
      }
    }
    return false;
  }
}
