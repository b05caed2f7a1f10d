import type { Effect } from './known-calls.ts';

/** A call of an I/O layer in numbers, as what it does to open files follows from them. */
export interface IoCall {
  /** Index into `Trace.calls`, and into LAYERS. */
  readonly call: number;
  readonly layer: number;
  readonly effect: Effect;
  readonly writes: boolean;
  /** Bits of EVENT_FLAGS. */
  readonly flags: number;
  /** Index into `Trace.files`, or NONE; `otherFile` is the second path. */
  readonly file: number;
  readonly otherFile: number;
  /** Identifier of a file or object of MPI-IO or HDF5, '' when it has none. */
  readonly handle: string;
  readonly communicator: string;
  /** Bytes that were asked for; NaN when unknown. */
  readonly size: number;
  /** In bytes, or in units of the file's view (MPI-IO). */
  readonly offset: number;
  readonly whence: number;
  /** As the column `argument` holds it. */
  readonly argument: number;
  /** Bytes of the view's elementary type, and whether the view leaves no holes. */
  readonly viewUnit: number;
  readonly viewIsDense: boolean;
  readonly result: CallResult;
}

/** How a call ended, where the recording says so. */
export interface CallResult {
  readonly failed: boolean;
  /** Bytes that were moved; NaN when only the request is known. */
  readonly bytes: number;
}
