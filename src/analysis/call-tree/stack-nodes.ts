import { fileName } from '../../base/path-names.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import type { ResolvedStacks, SourceFrame } from '../../symbols/resolved-stacks.ts';
import { OPERATIONS } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import type { StackNode } from '../../trace/indices.ts';
import { NameTable } from '../../trace/names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallPlace } from './call-tree.ts';

/** Below what starts programs and threads stands all of their own code, and nobody looks for it. */
const START = /^(_start|__libc_start\w*)$/;
const C_LIBRARY = /^(libc|libpthread|ld-linux\S*|ld-musl\S*)\b/;
/** Deeper frames are recursion: they count where the last one stands. */
const DEEPEST = 200;

/** Nodes of a call tree as stacks and calls are met: functions that call each other, with the lines that they call from. */
export class StackNodes {
  readonly places: CallPlace[] = [];
  readonly parent: number[] = [];
  readonly place: number[] = [];
  readonly line: number[] = [];
  hasStacks = false;
  private readonly depth: number[] = [];
  private readonly placeNames = new NameTable();
  private readonly children = new Map<string, number>();
  private readonly nodeOfStack: Int32Array;
  private readonly nodeOfCall = new Map<number, number>();
  private withoutStack = NONE;

  constructor(
    private readonly about: {
      readonly trace: Trace;
      readonly resolved: ResolvedStacks;
      readonly localSource: (recorded: string) => { readonly file: string; readonly isHere: boolean };
    },
  ) {
    this.nodeOfStack = new Int32Array(about.trace.stacks.nodes).fill(NONE);
    this.childOf(NONE, this.rest('all calls'), 0);
  }

  /** The node of a call that was made at `base`. */
  ofCall(base: number, call: number): number {
    const { names } = this.about.trace.calls;
    const key = base * names.length + call;
    let node = this.nodeOfCall.get(key);
    if (node === undefined) {
      node = this.childOf(this.withoutWrapper(base, names[call]!), this.callPlace(call), 0);
      this.nodeOfCall.set(key, node);
    }
    return node;
  }

  /** The node of a stack's innermost frame. */
  ofStack(stack: StackNode): number {
    if (stack === NONE) {
      if (this.withoutStack === NONE) this.withoutStack = this.childOf(0, this.rest('(no call stack)'), 0);
      return this.withoutStack;
    }
    this.hasStacks = true;
    const missing: StackNode[] = [];
    let at = stack;
    for (; at !== NONE && this.nodeOfStack[at] === NONE; at = this.about.trace.stacks.nodeParent.at(at))
      missing.push(at);
    let node = at === NONE ? 0 : this.nodeOfStack[at]!;
    for (const frame of missing.reverse()) {
      for (const source of this.about.resolved.framesOf(frame).reverse()) node = this.ofFrame(node, source);
      this.nodeOfStack[frame] = node;
    }
    return node;
  }

  private ofFrame(caller: number, frame: SourceFrame): number {
    const { functionName, module, file: recorded } = frame;
    const isNameless = functionName === '' && recorded === '';
    if (isNameless && module === '') return caller;
    if (caller === 0 && (START.test(functionName) || C_LIBRARY.test(fileName(module)))) return 0;
    if (this.depth[caller]! >= DEEPEST) return caller;
    const isLibrary = frame.isLibrary || isLibrarySource(frame.file);
    // What is recorded as a call, too, is that call: `H5Dwrite` on the stack of the `write` that it became.
    const recordedCall = isLibrary ? this.about.trace.calls.find(functionName) : undefined;
    if (recordedCall !== undefined) return this.childOf(caller, this.callPlace(recordedCall), 0);
    // Without names only the line tells functions of one file apart.
    const isLine = functionName === '' && recorded !== '' && frame.line > 0;
    const name = functionName || `${fileName(recorded || module)}${isLine ? `:${frame.line}` : ''}`;
    const place = this.placeOf(`${name}\0${recorded || module}`, () => {
      const { file, isHere } = recorded === '' ? NOWHERE : this.about.localSource(recorded);
      return { name, kind: isLibrary ? 'library' : 'program', operation: '', file, isHere, module };
    });
    // Of functions without names one calls the other: it is the same library all the same.
    if (isNameless && this.place[caller] === place) return caller;
    return this.childOf(caller, place, frame.line);
  }

  /** The C library's function of a call's own name says nothing more. */
  private withoutWrapper(base: number, call: string): number {
    const { kind, name } = this.places[this.place[base]!]!;
    const isWrapper = kind === 'library' ? isNameOf(name, call) : kind === 'call' && name === call;
    return base > 0 && isWrapper ? this.parent[base]! : base;
  }

  private callPlace(call: number): number {
    const { names, operation } = this.about.trace.calls;
    const does = OPERATIONS[operation[call]!]!;
    return this.placeOf(`${names[call]!}\0\0${does}`, () => ({
      ...{ name: names[call]!, kind: 'call', operation: does, module: '' },
      ...NOWHERE,
    }));
  }

  private rest(name: string): number {
    return this.placeOf(name, () => ({ name, kind: 'rest', operation: '', module: '', ...NOWHERE }));
  }

  private placeOf(key: string, make: () => CallPlace): number {
    const place = this.placeNames.intern(key);
    if (place === this.places.length) this.places.push(make());
    return place;
  }

  private childOf(caller: number, place: number, line: number): number {
    const key = `${caller} ${place} ${line}`;
    let node = this.children.get(key);
    if (node === undefined) {
      node = this.parent.push(caller) - 1;
      this.place.push(place);
      this.line.push(line);
      this.depth.push(caller === NONE ? 0 : this.depth[caller]! + 1);
      this.children.set(key, node);
    }
    return node;
  }
}

const NOWHERE = { file: '', isHere: false };

/** `__GI___libc_write`, `__open64_nocancel`, `_IO_fwrite`: the names that one call has in libraries. */
function isNameOf(name: string, call: string): boolean {
  const plain = name.replace(/^(_+|GI_+|libc_|IO_|PMPI_|MPI_)+/, '').replace(/(64|_nocancel)+$/, '');
  return plain.length > 2 && call.includes(plain);
}
