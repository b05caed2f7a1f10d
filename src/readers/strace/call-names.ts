import type { CallTable, Operation } from '../../trace/calls.ts';
import { ByteNames } from '../text/byte-names.ts';
import { SYSTEM_CALLS, unknownCall, type SystemCall } from './system-calls.ts';

/** A call of the recording. */
export interface KnownCall {
  readonly call: SystemCall;
  /** Index into the trace's calls. */
  readonly index: number;
}

/** The different call names of a recording, found by their bytes. */
export class CallNames {
  private readonly names = new ByteNames();
  /** In the order in which they were met. */
  readonly known: KnownCall[] = [];
  /** Names that were met lately, by a cheap hash. */
  private readonly recent = new Int32Array(256).fill(-1);

  constructor(private readonly calls: CallTable) {}

  find(bytes: Uint8Array, from: number, end: number): KnownCall {
    const slot = (bytes[from]! + bytes[end - 1]! * 3 + (end - from) * 31) & 255;
    const recent = this.recent[slot]!;
    if (recent >= 0 && this.names.lengthOf(recent) === end - from && this.names.matches(recent, bytes, from)) {
      return this.known[recent]!;
    }
    const name = this.names.intern(bytes, from, end);
    this.recent[slot] = name;
    let known = this.known[name];
    if (known === undefined) {
      const text = new TextDecoder().decode(bytes.subarray(from, end));
      const call = SYSTEM_CALLS.get(text) ?? unknownCall(text);
      known = { call, index: this.calls.intern(text, call.operation) };
      this.known[name] = known;
    }
    return known;
  }

  /** A name that stands for a part of a call: one file of a copy, one request of many. */
  part(name: string, operation: Operation): number {
    return this.calls.intern(name, operation);
  }
}
