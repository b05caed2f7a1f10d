import { NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { StackNode } from '../../trace/indices.ts';
import type { TimelineRecording } from './timeline-recording.ts';

/** Stacks that are deeper show their outermost frames. */
const DEEPEST = 64;

/**
 * Stacks as ways from the outermost frame inwards, inlined frames expanded. Two ways agree down to a depth when the same
 * function stands there and all its callers made the call at the same address: then it may be the same call of it.
 */
export class StackPaths {
  /** `write_cells`, or the module where the function is not known. */
  readonly functions = new NameTable();
  /** By step: index into `functions`. */
  readonly functionOf: number[] = [];
  private readonly steps = new Map<string, number>();
  private readonly positions = new Map<string, number>();
  private readonly pathOfNode = new Map<number, Int32Array>();

  constructor(private readonly recording: TimelineRecording) {}

  /** The steps of a stack, outermost first; equal steps at the same depth may be one call of a function. */
  of(node: StackNode): Int32Array {
    const known = this.pathOfNode.get(node);
    if (known !== undefined) return known;
    const path = this.make(node);
    this.pathOfNode.set(node, path);
    return path;
  }

  private make(node: StackNode): Int32Array {
    const { trace, resolved } = this.recording;
    const nodes: number[] = [];
    for (let at = node; at !== NONE; at = trace.stacks.nodeParent.at(at)) nodes.push(at);
    const path: number[] = [];
    // Where the callers stand: the address of each, not only the function.
    let position = 0;
    for (const at of nodes.reverse()) {
      for (const frame of resolved.framesOf(at).reverse()) {
        const name = frame.functionName === '' ? baseName(frame.module) : frame.functionName;
        const step = this.stepOf(position, this.functions.intern(name), frame.module);
        path.push(step);
        if (path.length === DEEPEST) return Int32Array.from(path);
        position = numberOf(this.positions, `${step} ${trace.stacks.nodeFrame.at(at)} ${frame.line}`, 1);
      }
    }
    return Int32Array.from(path);
  }

  private stepOf(position: number, name: number, module: string): number {
    const step = numberOf(this.steps, `${position} ${name} ${module}`, 0);
    this.functionOf[step] = name;
    return step;
  }
}

function numberOf(numbers: Map<string, number>, key: string, first: number): number {
  const number = numbers.get(key) ?? numbers.size + first;
  numbers.set(key, number);
  return number;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
