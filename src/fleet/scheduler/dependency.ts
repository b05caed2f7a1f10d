const TYPES = [
  'after',
  'afterany',
  'afterok',
  'afternotok',
  'aftercorr',
  'afterburstbuffer',
  'expand',
  'singleton',
] as const;

/** As `sbatch --dependency` knows them. `singleton`: after all jobs of the same name and user. */
type DeclaredType = (typeof TYPES)[number];

/** A job that another waits for. */
export interface AwaitedJob {
  /** Its number; of an array task that of the array. */
  readonly job: string;
  /** Number of the task in the array; null: the job, or all tasks. */
  readonly task: number | null;
  /** Minutes after its start (`after:22+10`); 0 unless given. */
  readonly minutes: number;
}

export interface DeclaredTerm {
  readonly type: DeclaredType;
  /** None for `singleton`. */
  readonly jobs: readonly AwaitedJob[];
}

interface DeclaredDependency {
  /** `,` between the terms: all must hold; `?`: one of them. */
  readonly needs: 'all' | 'any';
  readonly terms: readonly DeclaredTerm[];
  /** What could not be understood, as it stands. */
  readonly unknown: readonly string[];
}

/**
 * Reads `type:jobid[+minutes][:jobid…]`, joined by `,` or `?`, as users write it and as `scontrol` and `squeue` show it
 * (`afterok:26(unfulfilled),afterok:1_*(failed)`). Plain numbers are the old form of `afterany`.
 */
export function parseDependency(text: string): DeclaredDependency {
  const terms: DeclaredTerm[] = [];
  const unknown: string[] = [];
  const plain = withoutStates(text);
  for (const part of plain.split(/[,?]/)) {
    if (part.trim() === '') continue;
    const term = parseTerm(part.trim());
    if (term === undefined) unknown.push(part.trim());
    else terms.push(term);
  }
  return { needs: plain.includes('?') ? 'any' : 'all', terms, unknown };
}

/** As the user may have given it: without what the controller adds in brackets. */
export function withoutStates(text: string): string {
  return text.replace(/_\*/g, '').replace(/\((?:unfulfilled|fulfilled|failed)\)/g, '');
}

/** Is it a dependency from end to end, each term with its type? */
export function isDependency(text: string): boolean {
  if (!/^[a-z]/i.test(text)) return false;
  const { terms, unknown } = parseDependency(text);
  return terms.length > 0 && unknown.length === 0;
}

function parseTerm(text: string): DeclaredTerm | undefined {
  const [first = '', ...rest] = text.split(':');
  const old = /^\d/.test(first);
  const type = old ? 'afterany' : TYPES.find((name) => name === first.toLowerCase());
  if (type === undefined) return undefined;
  if (type === 'singleton') return rest.length === 0 ? { type, jobs: [] } : undefined;
  const jobs = (old ? [first, ...rest] : rest).map(parseJob);
  return jobs.length > 0 && jobs.every((job) => job !== undefined) ? { type, jobs } : undefined;
}

function parseJob(text: string): AwaitedJob | undefined {
  const match = /^(\d+)(?:_(\d+))?(?:\+(\d+))?$/.exec(text);
  if (match === null) return undefined;
  return {
    job: match[1]!,
    task: match[2] === undefined ? null : Number(match[2]),
    minutes: Number(match[3] ?? 0),
  };
}
