import { addToGroup } from '../../base/grouping.ts';
import { NONE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import type { FileIndex } from '../../trace/indices.ts';

/** Digits of a path: more than a number holds exactly are a name, no count. */
const DIGITS = /\d{1,15}(?!\d)/g;

/** Paths that differ in one number only: `out.0007.dat` is { before: 'out.', digits: 4, after: '.dat' } with 7. */
interface NumberedPaths {
  readonly host: string;
  readonly before: string;
  readonly digits: number;
  readonly after: string;
  /** Files by their number. */
  readonly files: ReadonlyMap<number, number>;
}

/** The files of a trace, those whose paths differ in a number only taken together. */
export class NumberedFiles {
  readonly groups: NumberedPaths[] = [];
  /** Of each file its group, or NONE, and its number there. */
  readonly groupOf: Int32Array;
  readonly numberOf: Float64Array;

  constructor(files: FileTable) {
    this.groupOf = new Int32Array(files.length).fill(NONE);
    this.numberOf = new Float64Array(files.length);
    const alike = new Map<string, number[]>();
    files.files.forEach(({ host, path, kind }, file) => {
      if (kind !== 'regular' || !/\d/.test(path)) return;
      const key = `${host}\0${path.replace(DIGITS, '\0')}`;
      addToGroup(alike, key, file);
    });
    for (const group of alike.values()) if (group.length > 1) this.addGroups(group, files);
  }

  /** Files whose paths have the same text around their numbers: the last number that differs among all is what counts. */
  private addGroups(group: readonly number[], files: FileTable): void {
    const numbers = group.map((file) => [...files.at(file).path.matchAll(DIGITS)]);
    const first = numbers[0]!;
    const last = first.findLastIndex((match, place) => numbers.some((other) => other[place]![0] !== match[0]));
    const counted = new Map<string, { file: FileIndex; text: string }[]>();
    group.forEach((file, i) => {
      const match = numbers[i]![last]!;
      const { path } = files.at(file);
      const key = `${path.slice(0, match.index)}\0${path.slice(match.index + match[0].length)}`;
      addToGroup(counted, key, { file, text: match[0] });
    });
    for (const [key, members] of counted) this.addGroup(key, members, files.at(group[0]!).host);
  }

  private addGroup(key: string, members: readonly { file: FileIndex; text: string }[], host: string): void {
    const digits = Math.min(...members.map(({ text }) => text.length));
    // `7` and `0010` are not the same number written alike.
    const isUniform = members.every(({ text }) => text.length === digits || !text.startsWith('0'));
    if (members.length < 2 || !isUniform) return;
    const hasZeros = members.some(({ text }) => text.length > 1 && text.startsWith('0'));
    const [before = '', after = ''] = key.split('\0');
    const group = this.groups.length;
    for (const { file, text } of members) {
      this.groupOf[file] = group;
      this.numberOf[file] = Number(text);
    }
    const byNumber = new Map(members.map(({ file, text }) => [Number(text), file] as const));
    this.groups.push({ host, before, digits: hasZeros ? digits : 1, after, files: byNumber });
  }
}
