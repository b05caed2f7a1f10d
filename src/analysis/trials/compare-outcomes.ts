import { counted, formatCount } from '../../base/quantities.ts';
import { changingNames, type KindOfName } from './changing-names.ts';
import type { Content, Outcome, OutcomeComparison } from './outcome.ts';

const OUTPUT = 'standard output';
/** Time stamps and the like are shorter: what varies in a binary file is left out with what stands around it. */
const BLOCK = 64;

/** Runs of the original say what a change may not change: what they have in common. */
export function compareOutcomes(before: readonly Outcome[], after: readonly Outcome[]): OutcomeComparison {
  const found = { differences: [] as string[], varying: [] as string[], uncompared: [] as string[] };
  const ends = [...new Set(before.map(({ end }) => end))];
  const other = after.find(({ end }) => !ends.includes(end));
  if (other !== undefined) found.differences.push(`${ends.join(' or ')} before, ${other.end} after`);
  if (ends.length > 1) found.varying.push(`how it ends: ${ends.join(', ')}`);
  add(
    found,
    OUTPUT,
    before.map(({ output }) => output),
    after.map(({ output }) => output),
  );
  const kindOf = changingNames(before);
  const names = new Set([...before, ...after].flatMap(({ files }) => [...files.keys()]));
  for (const kind of new Set([...names].map(kindOf)))
    if (kind !== undefined) addKind(found, kind, kindOf, before, after);
  for (const name of [...names].filter((each) => kindOf(each) === undefined).sort()) {
    const of = (outcomes: readonly Outcome[]): (Content | undefined)[] => outcomes.map(({ files }) => files.get(name));
    add(found, name, of(before), of(after));
  }
  return found;
}

/** Files whose names say nothing are known by what they hold. */
function addKind(
  found: Found,
  kind: string,
  kindOf: KindOfName,
  before: readonly Outcome[],
  after: readonly Outcome[],
): void {
  const held = ({ files }: Outcome): string =>
    JSON.stringify(
      [...files].flatMap(([name, { kind: is, hash }]) => (kindOf(name) === kind ? [`${is} ${hash}`] : [])).sort(),
    );
  const [first] = before.map(held);
  const other = `${kind} has another name in each run of the original`;
  if (before.some((outcome) => held(outcome) !== first)) found.uncompared.push(other);
  else {
    found.varying.push(`${other}, and the same contents`);
    if (after.some((outcome) => held(outcome) !== first))
      found.differences.push(`${kind}: other files, or other contents`);
  }
}

type Found = { [Part in keyof OutcomeComparison]: string[] };
type Contents = readonly (Content | undefined)[];

function add(found: Found, name: string, before: Contents, after: Contents): void {
  const [first] = before;
  const isOther = (content: Content | undefined): boolean => !same(first, content);
  if (!before.some(isOther)) {
    const at = after.findIndex(isOther);
    if (at >= 0) found.differences.push(`${name}: ${difference(first, after[at])}`);
    return;
  }
  const masked = maskedParts(before, after);
  if (masked === undefined) {
    found.uncompared.push(`${name} differs between two runs of the original`);
    return;
  }
  found.varying.push(`${name}: ${masked.words}`);
  const [kept] = masked.before;
  const changed = masked.after.find((parts) => !sameParts(kept!, parts));
  if (changed !== undefined) found.differences.push(`${name}: differs beyond what varies by itself`);
}

function same(a: Content | undefined, b: Content | undefined): boolean {
  return a?.kind === b?.kind && a?.hash === b?.hash && a?.size === b?.size;
}

function difference(before: Content | undefined, after: Content | undefined): string {
  if (before === undefined) return `${verbOf(after)} after the change only`;
  if (after === undefined) return `${verbOf(before)} before the change only`;
  if (before.kind !== after.kind)
    return `a ${before.kind} before, a ${after.kind} after`.replace('a removed', 'removed');
  if (before.size !== after.size) return `${counted(before.size, 'byte')} before, ${formatCount(after.size)} after`;
  if (before.bytes === undefined || after.bytes === undefined) return 'other bytes';
  const at = before.bytes.findIndex((byte, i) => byte !== after.bytes![i]);
  return `other bytes from byte ${formatCount(at)} on`;
}

function verbOf(content: Content | undefined): string {
  return content?.kind === 'removed' ? 'removed' : 'written';
}

interface Masked {
  /** What every run has in common, in pieces; of each run. */
  readonly before: readonly (readonly string[])[];
  readonly after: readonly (readonly string[])[];
  readonly words: string;
}

/** Leaves out what varies by itself; undefined where that is most of it, or nobody can tell what it is. */
function maskedParts(before: Contents, after: Contents): Masked | undefined {
  const all = [...before, ...after].map((content) => content?.bytes);
  if (!all.every((bytes) => bytes !== undefined)) return undefined;
  const isText = all.every((bytes) => !bytes.includes(0));
  const pieces = all.map((bytes) => (isText ? linesOf(bytes) : blocksOf(bytes)));
  const unit = isText ? 'line' : `piece of ${BLOCK} bytes`;
  const [of, changed] = [pieces.slice(0, before.length), pieces.slice(before.length)];
  const whole = (isText ? reordered(of, changed) : undefined) ?? masked(of, changed, unit);
  if (whole !== undefined || !isText) return whole;
  const words = (texts: string[][]): string[][] => texts.map((lines) => lines.join('\n').split(/(\s+|[^\w.+-])/));
  return masked(words(of), words(changed), 'word');
}

/** Pieces that are the same in all runs of the original stay. */
function masked(before: string[][], after: string[][], unit: string): Masked | undefined {
  const [first] = before;
  if (before.some(({ length }) => length !== first!.length)) return undefined;
  const varies = first!.map((piece, i) => before.some((pieces) => pieces[i] !== piece));
  const count = varies.filter(Boolean).length;
  const whole = partsIn(first!, unit);
  if (2 * count > whole) return undefined;
  const mask = (pieces: string[]): string[] => pieces.map((piece, i) => (varies[i] === true ? '' : piece));
  const plural = unit.replace(/^\w+/, '$&s');
  return {
    before: before.map(mask),
    after: after.map(mask),
    words: `${counted(count, unit, plural)} of ${formatCount(whole)} ${count === 1 ? 'differs' : 'differ'} between two runs of the original`,
  };
}

/** How many there are: behind the last line end stands nothing, and words stand at every second place, what parts them between. */
function partsIn(pieces: readonly string[], unit: string): number {
  if (unit === 'word') return pieces.filter((piece, i) => i % 2 === 0 && piece !== '').length;
  return pieces.length - Number(pieces.at(-1) === '');
}

/** Threads and processes write the same lines in another order each time. */
function reordered(before: string[][], after: string[][]): Masked | undefined {
  const sorted = before.map((lines) => [...lines].sort());
  if (!sorted.every((lines) => sameParts(sorted[0]!, lines))) return undefined;
  return {
    before: sorted,
    after: after.map((lines) => [...lines].sort()),
    words: 'its lines are in another order in each run of the original',
  };
}

function sameParts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

function linesOf(bytes: Uint8Array): string[] {
  return new TextDecoder('latin1').decode(bytes).split('\n');
}

function blocksOf(bytes: Uint8Array): string[] {
  const text = new TextDecoder('latin1').decode(bytes);
  return Array.from({ length: Math.ceil(text.length / BLOCK) }, (_, i) => text.slice(i * BLOCK, (i + 1) * BLOCK));
}
