import { LAYERS } from '../../trace/calls.ts';
import { NONE, OPEN_MODE } from '../../trace/events.ts';
import type { FileTable } from '../../trace/files.ts';
import { modeOfFlags, modeOfStream } from '../open-files/open-modes.ts';
import { normalise, withoutNotes } from '../open-files/file-paths.ts';
import type { RecordedFunction } from './recorded-functions.ts';

const MPI_IO = LAYERS.indexOf('MPI-IO');

/** Bits of open(2) by the machines on which they differ from the others: `[there, here]`. */
const BITS_OF_MACHINE: readonly (readonly [
  machine: RegExp,
  bits: readonly (readonly [there: number, here: number])[],
])[] = [
  [
    /^(aarch64|arm)/,
    [
      [0o40000, OPEN_MODE.directory],
      [0o200000, OPEN_MODE.direct],
    ],
  ],
  [
    /^ppc/,
    [
      [0o40000, OPEN_MODE.directory],
      [0o400000, OPEN_MODE.direct],
    ],
  ],
];

/** Turns the texts of one file into files of the trace, each only once. */
export class ProcessPaths {
  /** By the number of a text, seen from `folder`. */
  private readonly files = new Map<number, number>();
  private folder = '';
  private readonly bits: readonly (readonly [there: number, here: number])[];

  /**
   * @param texts by number.
   * @param machine that the flags of open(2) are of.
   */
  constructor(
    private readonly table: FileTable,
    private readonly texts: ReadonlyMap<number, string>,
    private readonly host: string,
    machine: string,
  ) {
    this.bits = BITS_OF_MACHINE.find(([pattern]) => pattern.test(machine))?.[1] ?? [];
  }

  /** Lets go of what can be worked out again. */
  forget(): void {
    this.files.clear();
  }

  /** The text of a number, '' when it stands for none. */
  text(number: number): string {
    return this.texts.get(number) ?? '';
  }

  /**
   * The file that a path means; NONE for the empty path and for one that was lost.
   * @param folder that it is relative to, '' when unknown.
   * @param layer index into LAYERS of the call.
   */
  fileOf(number: number, folder: string, layer: number): number {
    if (folder !== this.folder) {
      this.files.clear();
      this.folder = folder;
    }
    let file = this.files.get(number);
    if (file === undefined) {
      const text = this.text(number);
      // ROMIO takes the kind of the file system in front of a path.
      const given = layer === MPI_IO ? text.replace(/^[a-z0-9]{2,}:(?=[^:])/i, '') : text;
      file = given === '' ? NONE : this.intern(given, folder);
      this.files.set(number, file);
    }
    return file;
  }

  private intern(text: string, folder: string): number {
    const isWhole = text.startsWith('/') || folder === '';
    return this.table.intern(this.host, normalise(withoutNotes(isWhole ? text : `${folder}/${text}`)));
  }

  /** Bits of OPEN_MODE that a call opens with; NaN when it does not say. */
  openMode({ name }: RecordedFunction, flags: number): number {
    if (name.startsWith('creat')) return modeOfStream('w');
    if (Number.isNaN(flags)) return NaN;
    if (this.bits.length === 0) return modeOfFlags(flags);
    let mode = flags & ~(OPEN_MODE.directory | OPEN_MODE.direct);
    for (const [there] of this.bits) mode &= ~there;
    for (const [there, here] of this.bits) if (flags & there) mode |= here;
    return modeOfFlags(mode);
  }
}
