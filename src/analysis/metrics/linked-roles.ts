import { OPERATION, LAYERS } from '../../trace/calls.ts';
import { EVENT_FLAGS, LINK, NONE, type EventChunk } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { layersPresent } from '../layers/layers-present.ts';
import { StackTraits, TRAIT } from '../sites/stack-traits.ts';
import { LAYER_ROLE, type LayerRoles } from './layer-role.ts';

const MPI_IO = LAYERS.indexOf('MPI-IO');
/** Bits of what the calls of a file in one layer became. */
const BECAME = { transfers: 1, otherCalls: 2 } as const;
const MOVING: ReadonlySet<number> = new Set([OPERATION.read, OPERATION.write, OPERATION.copy]);

/**
 * Roles by the links. A call of a layer is no request when calls of its kind in that layer, on that file, become calls of
 * a lower one, whichever they are: in two-phase I/O one process makes the requests of many, and a buffered write becomes
 * one only now and then. Reads and writes are one kind, all else is another: a library may show how it opens a file and
 * not how it writes it. Outermost is what no other call made.
 */
export function linkedRoles(trace: Trace): LayerRoles | undefined {
  const { all } = layersPresent(trace);
  // What MPI-IO calls are is known by their names without links, too.
  if ((all & (all - 1)) === 0 && (all & (1 << MPI_IO)) === 0) return undefined;
  const became = whatCallsBecame(trace);
  if (became === undefined && (all & (1 << MPI_IO)) === 0) return undefined;
  return new LinkedRoles(trace, became);
}

class LinkedRoles implements LayerRoles {
  private readonly kindOfCall: Uint8Array;
  private readonly traitsOfCall: Uint8Array;

  constructor(
    private readonly trace: Trace,
    /** Bits of BECAME by file and layer, undefined where nothing is linked. */
    private readonly became: Uint8Array | undefined,
  ) {
    this.kindOfCall = kindsOfCalls(trace);
    const traits = new StackTraits();
    this.traitsOfCall = Uint8Array.from(trace.calls.names, (name) => traits.ofFunctionName(name));
  }

  of(chunk: EventChunk, i: number): number {
    if (this.became === undefined) return LAYER_ROLE.request | LAYER_ROLE.outermost;
    const kind = this.kindOfCall[chunk.call[i]!]!;
    const lower = this.became[placeOf(this.trace, chunk.file[i]!, chunk.layer[i]!)]!;
    return ((lower & kind) === 0 ? LAYER_ROLE.request : 0) | (this.isOutermost(chunk, i) ? LAYER_ROLE.outermost : 0);
  }

  private isOutermost(chunk: EventChunk, i: number): boolean {
    const parent = chunk.parent[i]!;
    if (parent === NONE) return true;
    // A part of a call is the program's own when the call is.
    const isPart = (chunk.flags[i]! & EVENT_FLAGS.part) !== 0;
    return isPart && this.trace.events.value('parent', parent) === NONE;
  }

  traitsOf(chunk: EventChunk, i: number, _reads: boolean, traits: number): number {
    if (chunk.layer[i] === MPI_IO) {
      const own = this.traitsOfCall[chunk.call[i]!]!;
      const isCollective = (chunk.flags[i]! & EVENT_FLAGS.collective) !== 0;
      return traits | (isCollective ? TRAIT.mpi | TRAIT.collective : own);
    }
    // The call of MPI-IO above it counts by itself.
    const isBelow = chunk.layer[i]! > MPI_IO && chunk.parent[i] !== NONE && chunk.link[i] !== LINK.part;
    return isBelow ? traits & ~(TRAIT.independent | TRAIT.collective) : traits;
  }
}

function kindsOfCalls({ calls }: Trace): Uint8Array {
  return Uint8Array.from(calls.operation, (operation) =>
    MOVING.has(operation) ? BECAME.transfers : BECAME.otherCalls,
  );
}

/** Where a file's calls of a layer stand; those without a file stand behind the last. */
function placeOf(trace: Trace, file: FileIndex, layer: number): number {
  return (file === NONE ? trace.files.length : file) * LAYERS.length + layer;
}

/** @returns bits of BECAME for each file and layer; undefined where no call became another. */
function whatCallsBecame(trace: Trace): Uint8Array | undefined {
  const { events } = trace;
  const became = new Uint8Array((trace.files.length + 1) * LAYERS.length);
  const kinds = kindsOfCalls(trace);
  let linked = 0;
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const parent = chunk.parent[i]!;
      if (parent < 0 || parent >= events.length || chunk.flags[i]! & EVENT_FLAGS.part) continue;
      linked++;
      const file = events.value('file', parent);
      // Reading its settings while it writes a file does not make a library's write another call's.
      if (file !== chunk.file[i] && chunk.link[i] !== LINK.handle) continue;
      const layer = events.value('layer', parent);
      became[placeOf(trace, file, layer)]! |= kinds[chunk.call[i]!]!;
      // Calls that say nothing of a file are as those that do.
      became[placeOf(trace, NONE, layer)]! |= kinds[chunk.call[i]!]!;
    }
  });
  return linked > 0 ? became : undefined;
}
