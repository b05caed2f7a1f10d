import { OPERATION } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { IoEvents } from '../../analysis/dependencies/io-events.ts';
import { FILE_EFFECT } from '../../analysis/dependencies/file-effects.ts';
import type { Trace } from '../../trace/trace.ts';

/** Columns of the calls that only the making of operations needs. */
export interface CallColumns {
  readonly call: Uint16Array;
  readonly handle: Int32Array;
  readonly layer: Uint8Array;
  readonly flags: Uint8Array;
}

export function callColumns(trace: Trace, events: IoEvents): CallColumns {
  const columns = {
    call: new Uint16Array(events.length),
    handle: new Int32Array(events.length),
    layer: new Uint8Array(events.length),
    flags: new Uint8Array(events.length),
  };
  const placeOf = new Int32Array(trace.events.length).fill(NONE);
  for (let k = 0; k < events.length; k++) placeOf[events.row[k]!] = k;
  let row = 0;
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++, row++) {
      const k = placeOf[row]!;
      if (k === NONE) continue;
      columns.call[k] = chunk.call[i]!;
      columns.handle[k] = chunk.handle[i]!;
      columns.layer[k] = chunk.layer[i]!;
      columns.flags[k] = chunk.flags[i]!;
    }
  });
  return columns;
}

/** How each stream uses handles: which it writes through, and when it does so for the last time. */
export class HandleUses {
  private readonly writes = new Set<string>();
  private readonly last = new Map<string, number>();

  constructor(trace: Trace, events: IoEvents, columns: CallColumns) {
    for (let k = 0; k < events.length; k++) {
      const key = keyOf(events.stream[k]!, columns.handle[k]!, events.file[k]!);
      if (events.effect[k] === FILE_EFFECT.write) this.writes.add(key);
      if (trace.calls.operation[columns.call[k]!] !== OPERATION.close) this.last.set(key, k);
    }
  }

  /** Whether a stream writes through a handle. */
  isWritten(stream: number, handle: number, file: number): boolean {
    return this.writes.has(keyOf(stream, handle, file));
  }

  /** Whether a stream uses a handle behind call `k`: then what is closed there is a duplicate of the descriptor. */
  isUsedAfter(k: number, stream: number, handle: number, file: number): boolean {
    return (this.last.get(keyOf(stream, handle, file)) ?? NONE) > k;
  }
}

function keyOf(stream: number, handle: number, file: number): string {
  return handle === NONE ? `${stream} file ${file}` : `${stream} ${handle}`;
}
