import { OPERATION } from '../../trace/calls.ts';
import { CHUNK_ROWS, NONE, type EventChunk } from '../../trace/events.ts';
import type { StackNode } from '../../trace/indices.ts';
import type { CostSums } from '../gain/cost-sums.ts';
import type { RunCosts } from '../gain/run-costs.ts';
import { LayerTree } from '../layers/layer-tree.ts';
import { CallWeights, WEIGHT } from '../selection/call-weights.ts';
import type { EventMask } from '../selection/event-mask.ts';
import type { SelectionInputs } from '../selection/selection-inputs.ts';
import type { CallTree } from './call-tree.ts';
import { StackNodes } from './stack-nodes.ts';
import { thinTree } from './thin-tree.ts';

/** What a call tree is gathered from. */
export interface CallTreeInputs extends Pick<SelectionInputs, 'trace' | 'resolved' | 'callSites' | 'ignored'> {
  /** Where a source file is on this machine. */
  readonly localSource: (recorded: string) => { readonly file: string; readonly isHere: boolean };
  /** What calls cost without the tracer; undefined where none is in the recorded times. */
  readonly costs: RunCosts | undefined;
}

/**
 * Which way the calls were made that findings count, and what they amount to; one pass over the events.
 * @param mask only these.
 */
export function gatherCallTree(inputs: CallTreeInputs, mask?: EventMask): CallTree {
  const gathered = new GatheredCalls(inputs, mask);
  inputs.trace.events.chunks.forEach((chunk, number) => {
    const rows = inputs.trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) gathered.add(chunk, i, number * CHUNK_ROWS + i);
  });
  return thinTree(gathered.finish());
}

const MOVING: readonly number[] = [OPERATION.read, OPERATION.write, OPERATION.copy];

class GatheredCalls {
  private readonly nodes: StackNodes;
  private readonly weights: CallWeights;
  private readonly layers: LayerTree;
  private readonly sums: CostSums | undefined;
  private readonly timeNs: number[] = [];
  private readonly bytes: number[] = [];
  /** Requests that reach files, and calls of the program itself. */
  private readonly requests: number[] = [];
  private readonly own: number[] = [];
  /** By row: node of a call that made others. */
  private readonly madeOthers = new Map<number, number>();

  constructor(
    private readonly inputs: CallTreeInputs,
    private readonly mask: EventMask | undefined,
  ) {
    this.nodes = new StackNodes(inputs);
    this.weights = new CallWeights(inputs);
    this.layers = LayerTree.of(inputs.trace);
    this.sums = inputs.costs?.sums();
  }

  add(chunk: EventChunk, i: number, row: number): void {
    if (this.mask?.has(row) === false) return;
    const weight = this.weights.of(chunk, i);
    if ((weight & WEIGHT.call) === 0 || (weight & WEIGHT.counted) === 0) return;
    const maker = this.layers.parentOf(row);
    const madeBy = maker === NONE ? NONE : this.nodeOfMaker(maker);
    const node = this.nodes.ofCall(this.baseOf(chunk.stack[i]!, maker, madeBy), chunk.call[i]!);
    this.makeRoom(node);
    const isOwn = (weight & WEIGHT.outermost) !== 0;
    if (isOwn) this.own[node]!++;
    if (weight & WEIGHT.request) {
      this.requests[node]!++;
      const isMoving = MOVING.includes(this.inputs.trace.calls.operation[chunk.call[i]!]!);
      if (chunk.error[i] === 0 && isMoving) this.bytes[node]! += chunk.bytes[i]!;
    }
    this.spend(node, isOwn, this.isGathered(maker) ? madeBy : NONE, chunk, i);
  }

  private spend(node: number, isOwn: boolean, madeBy: number, chunk: EventChunk, i: number): void {
    if (this.sums !== undefined) {
      if (isOwn) this.sums.add(node, chunk, i);
      return;
    }
    const duration = chunk.duration[i]!;
    if (!(duration > 0 && duration < Infinity) || !(isOwn || madeBy !== NONE)) return;
    this.timeNs[node]! += duration;
    if (madeBy !== NONE) this.timeNs[madeBy]! -= duration;
  }

  /** Where a call is entered: below its stack, or below the call that made it, where it has no stack of its own. */
  private baseOf(stack: StackNode, maker: number, madeBy: number): number {
    if (maker === NONE) return this.nodes.ofStack(stack);
    const isInherited = stack === NONE || stack === this.inputs.trace.events.value('stack', maker);
    return isInherited ? madeBy : this.nodes.ofStack(stack);
  }

  private nodeOfMaker(row: number): number {
    const known = this.madeOthers.get(row);
    if (known !== undefined) return known;
    const { events } = this.inputs.trace;
    const above = this.layers.parentOf(row);
    const base = this.baseOf(events.value('stack', row), above, above === NONE ? NONE : this.nodeOfMaker(above));
    const node = this.nodes.ofCall(base, events.value('call', row));
    this.makeRoom(node);
    this.madeOthers.set(row, node);
    return node;
  }

  /** Whether a call that made others is itself in the tree, with the time of these. */
  private isGathered(row: number): boolean {
    return row !== NONE && this.mask?.has(row) !== false;
  }

  private makeRoom(node: number): void {
    while (this.timeNs.length <= node) {
      this.timeNs.push(0);
      this.bytes.push(0);
      this.requests.push(0);
      this.own.push(0);
    }
  }

  finish(): CallTree {
    const { places, parent, place, line } = this.nodes;
    this.makeRoom(parent.length - 1);
    const { trace } = this.inputs;
    const hasRequests = this.requests.some((count) => count > 0);
    const times = !trace.capabilities.duration ? 'unknown' : this.sums === undefined ? 'recorded' : 'untraced';
    const timeOf = (recorded: number, node: number): number => Math.max(0, this.sums?.worked(node) ?? recorded);
    return {
      ...{ places, parent, place, line, times },
      timeNs: this.timeNs.map((recorded, node) => Math.round(timeOf(recorded, node))),
      bytes: this.bytes,
      calls: hasRequests ? this.requests : this.own,
      hasStacks: this.nodes.hasStacks,
    };
  }
}
