import { IntegerColumn } from '../trace/columns.ts';
import { NameTable } from '../trace/names.ts';
import type { KeptFrame } from './kept-places.ts';
import type { LineShift } from './line-shift.ts';
import type { ModuleReport } from './recorded-module.ts';

/** gfortran's `__module_MOD_procedure`, as a Fortran programmer writes it; other names as they are. */
function readableName(name: string): string {
  const fortran = /^__(\w+)_MOD_(\w+)$/.exec(name);
  return fortran === null ? name : `${fortran[1]!}::${fortran[2]!}`;
}

/** One frame of source code; a recorded frame becomes several where calls were inlined. */
export interface SourceFrame {
  /** '' when unknown. */
  readonly functionName: string;
  /** Path as the debug information has it; '' when unknown. */
  readonly file: string;
  /** Counted from 1, as the file stands now; 0 when unknown. */
  readonly line: number;
  /** This line of the file was changed since the recording. */
  readonly changed: boolean;
  /** Counted from 1; 0 when unknown. */
  readonly column: number;
  /** The compiler put this call into its caller. */
  readonly inlined: boolean;
  /** Path of the executable or library, as recorded. */
  readonly module: string;
  /** Address in the module that was looked up; NaN when the module is not here. */
  readonly address: number;
  readonly isLibrary: boolean;
}

/** Source frames of all recorded frames, as columns; several nodes of the stack tree can lead to one place. */
export class ResolvedStacks {
  readonly names = new NameTable(['']);
  /** Place of each node of `Trace.stacks`. */
  readonly placeOfNode: Int32Array;
  /** First source frame of each place; the place's frames end where the next place's begin. */
  readonly first = new IntegerColumn();
  readonly functionName = new IntegerColumn();
  readonly file = new IntegerColumn();
  readonly line = new IntegerColumn();
  readonly column = new IntegerColumn();
  readonly modules: ModuleReport[] = [];
  /** By the index of a file's name: how its lines moved since the recording. */
  shifts: ReadonlyMap<number, LineShift> = new Map();
  /** What resolved the addresses, for the user. */
  tool = '';

  /** Module of each place: index into `Trace.stacks.modules`. */
  readonly moduleOfPlace: number[] = [];
  readonly addressOfPlace: number[] = [];
  readonly libraryOfPlace: boolean[] = [];

  constructor(
    nodes: number,
    private readonly moduleNames: NameTable,
  ) {
    this.placeOfNode = new Int32Array(nodes);
  }

  beginPlace(module: number, address: number, isLibrary: boolean): number {
    this.moduleOfPlace.push(module);
    this.addressOfPlace.push(address);
    this.libraryOfPlace.push(isLibrary);
    return this.first.push(this.line.length);
  }

  addFrame(functionName: string, file: string, line: number, column: number): void {
    this.functionName.push(this.names.intern(readableName(functionName)));
    this.file.push(this.names.intern(file));
    this.column.push(column);
    this.line.push(line);
  }

  /** The source frames of a node itself, innermost first, with their lines as they were recorded. */
  recordedFrames(node: number): KeptFrame[] {
    const place = this.placeOfNode[node]!;
    const end = place + 1 < this.first.length ? this.first.at(place + 1) : this.line.length;
    const frames: KeptFrame[] = [];
    for (let at = this.first.at(place); at < end; at++) {
      const functionName = this.names.at(this.functionName.at(at));
      const file = this.names.at(this.file.at(at));
      frames.push({ functionName, file, line: this.line.at(at), column: this.column.at(at) });
    }
    return frames;
  }

  /** The source frames of a node itself (not of its callers), innermost first. */
  framesOf(node: number): SourceFrame[] {
    const place = this.placeOfNode[node]!;
    const start = this.first.at(place);
    const end = place + 1 < this.first.length ? this.first.at(place + 1) : this.line.length;
    const frames: SourceFrame[] = [];
    for (let at = start; at < end; at++) {
      const file = this.file.at(at);
      const recorded = this.line.at(at);
      const moved = recorded > 0 ? this.shifts.get(file)?.place(recorded) : undefined;
      frames.push({
        functionName: this.names.at(this.functionName.at(at)),
        file: this.names.at(file),
        line: moved?.line ?? recorded,
        changed: moved?.changed === true,
        column: this.column.at(at),
        inlined: at + 1 < end,
        module: this.moduleNames.at(this.moduleOfPlace[place]!),
        address: this.addressOfPlace[place]!,
        isLibrary: this.libraryOfPlace[place]!,
      });
    }
    return frames;
  }
}
