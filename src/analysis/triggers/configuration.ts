import { DEFAULT_THRESHOLDS, type Thresholds } from './thresholds.ts';

/** What a configuration says, and what is wrong with it. */
interface ReadConfiguration {
  readonly thresholds: Partial<Thresholds>;
  /** In words for the user; such an entry is not among `thresholds`. */
  readonly problems: readonly string[];
  /** What is accepted for Drishti's sake and does nothing here. */
  readonly notes: readonly string[];
}

type Name = keyof Thresholds;
const NAMES = Object.keys(DEFAULT_THRESHOLDS) as Name[];

/** Bounds that compare with a share. */
const SHARES: ReadonlySet<string> = new Set<Name>([
  'imbalance_operations',
  'small_requests',
  'misaligned_requests',
  'random_operations',
  'imbalance_stragglers',
  'imbalance_size',
  'interface_stdio',
  'collective_operations',
  'site_share',
  'pattern_share',
  'run_share',
  'redundant_share',
  'metadata_share',
  'lone_process_share',
  'sieving_efficiency',
  'overlap_share',
  'waiting_share',
]);

/** Bounds that something is divided by. */
const POSITIVE: ReadonlySet<string> = new Set<Name>(['alignment', 'buffer_bytes']);

/** What only whole numbers can say. */
const WHOLE: ReadonlySet<string> = new Set<Name>(['nodes']);

/** Names of Drishti's that have no meaning here. */
const WITHOUT_MEANING: Readonly<Record<string, string>> = {
  backtrace: 'all call sites are named, whatever "backtrace" says',
};

/**
 * Reads thresholds: `{ "small_requests": 0.2 }`, or Drishti's own form, where the name is divided into category and rest:
 * `{ "small": { "requests": 0.2 } }` (hpc-io/drishti-io, `validate_thresholds` in `drishti/includes/config.py`).
 *
 * @param value anything that JSON or a setting can hold. Nothing in it is passed over in silence.
 */
export function readConfiguration(value: unknown): ReadConfiguration {
  if (!isRecord(value)) return { thresholds: {}, problems: ['an object with numbers is expected'], notes: [] };
  const thresholds: Partial<Record<Name, number>> = {};
  const problems: string[] = [];
  const notes: string[] = [];
  const take = (name: string, bound: unknown, shown: string): void => {
    const noMeaning = Object.hasOwn(WITHOUT_MEANING, name) ? WITHOUT_MEANING[name] : undefined;
    if (noMeaning !== undefined) notes.push(noMeaning);
    else if (!isName(name)) problems.push(`${shown} is no threshold${suggestion(name)}`);
    else {
      const problem = problemOf(name, bound);
      if (problem === undefined) thresholds[name] = bound as number;
      else problems.push(`${shown} ${problem}`);
    }
  };
  for (const [key, entry] of Object.entries(value)) {
    // Editors read it, and it changes nothing.
    if (key === '$schema') continue;
    if (isRecord(entry) && !isName(key)) {
      for (const [rest, bound] of Object.entries(entry)) take(`${key}_${rest}`, bound, `${key}.${rest}`);
    } else take(key, entry, key);
  }
  return { thresholds, problems, notes };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(name: string): name is Name {
  return Object.hasOwn(DEFAULT_THRESHOLDS, name);
}

function problemOf(name: Name, bound: unknown): string | undefined {
  if (typeof bound !== 'number' || !Number.isFinite(bound)) return 'must be a number';
  if (bound < 0) return 'must not be negative';
  if (SHARES.has(name) && bound > 1) return 'is a share: a number between 0 and 1';
  if (WHOLE.has(name) && !Number.isInteger(bound)) return 'must be a whole number';
  if (POSITIVE.has(name) && bound === 0) return 'must be greater than 0';
  return undefined;
}

/** The known name that needs the fewest changed letters, when it is near. */
function suggestion(name: string): string {
  const near = NAMES.map((known) => ({ known, distance: editDistance(name, known) }));
  near.sort((a, b) => a.distance - b.distance);
  return near[0]!.distance <= 3 ? ` (is ${near[0]!.known} meant?)` : `; known are ${NAMES.join(', ')}`;
}

/** Letters to insert, remove or replace (Levenshtein). Names come from a file: what is far too long is not compared. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
