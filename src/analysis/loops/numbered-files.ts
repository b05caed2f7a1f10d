import { groupBy } from '../../base/grouping.ts';
import { NONE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { AffineNumber, NumberedPath } from './pattern.ts';

/** Digits of a path: more than a number holds exactly are a name, no count. */
const DIGITS = /\d{1,15}(?!\d)/g;

/** The text in front of a number that counts, and the digits that the number has at least. */
interface NumberedPart {
  readonly before: string;
  readonly digits: number;
}

/** Paths that differ in one number, or in two: of `step003/var2.dat` the outer one is behind `step`, with 3 digits. */
interface NumberedPaths extends NumberedPart {
  /** The first of two numbers; undefined where one counts. */
  readonly outer: NumberedPart | undefined;
  readonly after: string;
  /** Files by their numbers, as `keyOf` joins these. */
  readonly files: ReadonlyMap<string, FileIndex>;
}

/** A path of a group that counts. @param outer the first number, which goes for nothing where the group has one number. */
export function numberedPath(
  { before, digits, after, outer: part }: NumberedPaths,
  number: AffineNumber,
  outer: AffineNumber,
): NumberedPath {
  return { before, number, digits, after, ...(part && { outer: { ...part, number: outer } }) };
}

/** A path in pieces: the numbers that may count, and the texts around them, one more. */
interface Member {
  readonly file: FileIndex;
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
}

/** The files of a trace, those whose paths differ in one or two numbers only taken together. */
export class NumberedFiles {
  readonly groups: NumberedPaths[] = [];
  /** Of each file its group, or NONE, and its numbers there; the outer one is 0 where there is none. */
  readonly groupOf: Int32Array;
  readonly numberOf: Float64Array;
  readonly outerOf: Float64Array;

  constructor(files: FileTable) {
    this.groupOf = new Int32Array(files.length).fill(NONE);
    this.numberOf = new Float64Array(files.length);
    this.outerOf = new Float64Array(files.length);
    const numbered = [...files.files.keys()].filter((file) => {
      const { kind, path } = files.at(file);
      return kind === 'regular' && /\d/.test(path);
    });
    const alike = groupBy(numbered, (file) => `${files.at(file).host}\0${files.at(file).path.replace(DIGITS, '\0')}`);
    for (const group of alike.values()) if (group.length > 1) this.addAlike(group, files);
  }

  /** The file of a group that has these numbers. */
  fileWith(group: number, outer: number, number: number): FileIndex | undefined {
    return this.groups[group]!.files.get(keyOf(outer, number));
  }

  /** Files whose paths have the same text around their numbers: of those that differ the last two may count. */
  private addAlike(group: readonly FileIndex[], files: FileTable): void {
    const matches = group.map((file) => [...files.at(file).path.matchAll(DIGITS)]);
    const differs = (place: number): boolean => matches.some((other) => other[place]![0] !== matches[0]![place]![0]);
    const places = [...matches[0]!.keys()].filter(differs).slice(-2);
    const members = group.map((file, i) =>
      inPieces(
        file,
        files.at(file).path,
        places.map((place) => matches[i]![place]!),
      ),
    );
    for (const some of groupBy(members, ({ texts }) => texts.join('\0')).values()) {
      if (this.addCounted(some) || places.length < 2) continue;
      // Where the first one does not count, the last one may all the same.
      for (const same of groupBy(some, ({ numbers }) => numbers[0]!).values()) this.addCounted(same);
    }
  }

  /** @returns false where their numbers do not count. */
  private addCounted(members: readonly Member[]): boolean {
    const [first] = members;
    if (first === undefined || members.length < 2) return false;
    const same = first.numbers.findIndex((number, at) => members.every(({ numbers }) => numbers[at] === number));
    if (same >= 0)
      return first.numbers.length > 1 && this.addCounted(members.map((member) => withoutNumber(member, same)));
    const digits = first.numbers.map((_, at) => digitsOf(members.map(({ numbers }) => numbers[at]!)));
    if (digits.includes(undefined)) return false;
    const group = this.groups.length;
    const files = new Map<string, FileIndex>();
    for (const { file, numbers } of members) {
      const [number = 0, outer = 0] = numbers.map(Number).reverse();
      this.groupOf[file] = group;
      this.numberOf[file] = number;
      this.outerOf[file] = outer;
      files.set(keyOf(outer, number), file);
    }
    const parts = digits.map((least, at) => ({ before: first.texts[at]!, digits: least! }));
    const last = parts.at(-1)!;
    this.groups.push({ ...last, outer: parts.length > 1 ? parts[0] : undefined, after: first.texts.at(-1)!, files });
    return true;
  }
}

function keyOf(outer: number, number: number): string {
  return `${outer} ${number}`;
}

function inPieces(file: FileIndex, path: string, numbers: readonly RegExpExecArray[]): Member {
  const ends = [0, ...numbers.map(({ index, 0: { length } }) => index + length)];
  const texts = ends.map((end, at) => path.slice(end, numbers[at]?.index));
  return { file, numbers: numbers.map(([text]) => text), texts };
}

/** One of its numbers is a part of the text. */
function withoutNumber({ file, numbers, texts }: Member, at: number): Member {
  const text = `${texts[at]!}${numbers[at]!}${texts[at + 1]!}`;
  return { file, numbers: numbers.toSpliced(at, 1), texts: texts.toSpliced(at, 2, text) };
}

/** Digits that numbers have at least; undefined where they are not written alike: `7` and `0010`. */
function digitsOf(texts: readonly string[]): number | undefined {
  const digits = Math.min(...texts.map(({ length }) => length));
  if (!texts.every((text) => text.length === digits || !text.startsWith('0'))) return undefined;
  return texts.some((text) => text.length > 1 && text.startsWith('0')) ? digits : 1;
}
