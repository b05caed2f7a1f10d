import { IntegerColumn, NumberColumn } from './columns.ts';
import { NONE } from './events.ts';
import { NameTable } from './names.ts';
import type { FrameIndex, StackNode } from './indices.ts';

/** A frame as recorded: nothing of it is resolved yet. */
export interface RecordedFrame {
  /** File that the code came from (executable or shared library), as recorded. */
  module: string;
  /** What the recorder wrote: an offset in the file or an address in it; `src/symbols` finds out which. */
  value: number;
  /** Nearest symbol by the recorder's knowledge, or ''. */
  symbol: string;
  /** Distance from that symbol in bytes. */
  symbolOffset: number;
  /** Source file and line when the recorder resolved them itself (`strace -kk`), else '' and 0. */
  sourceFile: string;
  sourceLine: number;
}

/**
 * What the numbers in frames are when the format says so: an 'address' in the file as it was linked, or ('behind-start')
 * the distance from the address to which the program's entry code, `_start`, is returned to: the load address is unknown.
 * 'named' frames have none: the recording itself names function, file and line.
 */
export type RecordedForm = 'address' | 'behind-start' | 'named';

/**
 * All call stacks of a trace as a prefix tree. A node is a frame together with its callers: its parent is the caller's
 * node, NONE above the outermost frame. An event holds the node of its innermost frame, so a stack that was seen a
 * million times is stored, and later resolved, once.
 */
export class CallStackTable {
  readonly modules = new NameTable();
  readonly symbols = new NameTable(['']);
  readonly sourceFiles = new NameTable(['']);

  /** What a reader knows of the numbers of a module's frames (key: index in `modules`); for others `src/symbols` finds out. */
  readonly moduleForms = new Map<number, RecordedForm>();
  /** Build ids of modules as hexadecimal digits, where the recorder wrote them down (key: index in `modules`). */
  readonly moduleBuilds = new Map<number, string>();

  readonly frameModule = new IntegerColumn();
  readonly frameValue = new NumberColumn();
  readonly frameSymbol = new IntegerColumn();
  readonly frameSymbolOffset = new NumberColumn();
  readonly frameSourceFile = new IntegerColumn();
  readonly frameSourceLine = new IntegerColumn();

  readonly nodeParent = new IntegerColumn<StackNode>();
  readonly nodeFrame = new IntegerColumn<FrameIndex>();

  /** A snapshot shares it, and knows fewer frames. */
  private frameIndices = new Map<string, number>();
  /** By module: of frames that are an address and nothing more, their indices. Each process of a run brings the same ones. */
  private addressIndices: Map<number, FrameIndex>[] = [];
  private readonly children = new Map<number, number>();

  get frames(): number {
    return this.frameModule.length;
  }

  get nodes(): number {
    return this.nodeParent.length;
  }

  /** The stacks that there are now; nothing may be added to it. */
  snapshot(): CallStackTable {
    const now = new CallStackTable();
    for (const table of ['modules', 'symbols', 'sourceFiles'] as const)
      for (const name of this[table].names) now[table].intern(name);
    for (const [module, form] of this.moduleForms) now.moduleForms.set(module, form);
    for (const [module, build] of this.moduleBuilds) now.moduleBuilds.set(module, build);
    now.frameModule.become(this.frameModule);
    now.frameValue.become(this.frameValue);
    now.frameSymbol.become(this.frameSymbol);
    now.frameSymbolOffset.become(this.frameSymbolOffset);
    now.frameSourceFile.become(this.frameSourceFile);
    now.frameSourceLine.become(this.frameSourceLine);
    now.nodeParent.become(this.nodeParent);
    now.nodeFrame.become(this.nodeFrame);
    now.frameIndices = this.frameIndices;
    now.addressIndices = this.addressIndices;
    return now;
  }

  /** Index of a frame that was seen before, or undefined. */
  findFrame(frame: RecordedFrame): FrameIndex | undefined {
    const module = this.modules.find(frame.module);
    const symbol = this.symbols.find(frame.symbol);
    if (module === undefined || symbol === undefined) return undefined;
    const index = isAddress(frame)
      ? this.addressIndices[module]?.get(frame.value)
      : this.frameIndices.get(frameKey(frame, module, symbol));
    return index !== undefined && index < this.frames ? index : undefined;
  }

  internFrame(frame: RecordedFrame): FrameIndex {
    const module = this.modules.intern(frame.module);
    if (isAddress(frame)) return this.internAddress(module, frame.value);
    const symbol = this.symbols.intern(frame.symbol);
    const key = frameKey(frame, module, symbol);
    let index = this.frameIndices.get(key);
    if (index === undefined) this.frameIndices.set(key, (index = this.addFrame(frame, module, symbol)));
    return index;
  }

  /** The frame of a module (index in `modules`) of which only the address is known. */
  internAddress(module: number, value: number): FrameIndex {
    const ofModule = (this.addressIndices[module] ??= new Map<number, FrameIndex>());
    let index = ofModule.get(value);
    if (index === undefined)
      ofModule.set(value, (index = this.addFrame({ ...NO_SYMBOL, value }, module, this.symbols.intern(''))));
    return index;
  }

  private addFrame(frame: Omit<RecordedFrame, 'module'>, module: number, symbol: number): FrameIndex {
    this.frameModule.push(module);
    this.frameValue.push(frame.value);
    this.frameSymbol.push(symbol);
    this.frameSymbolOffset.push(frame.symbolOffset);
    this.frameSourceFile.push(this.sourceFiles.intern(frame.sourceFile));
    return this.frameSourceLine.push(frame.sourceLine);
  }

  /** The node of `frame` called from the node `caller` (NONE for the outermost frame). */
  internNode(caller: StackNode, frame: FrameIndex): StackNode {
    // Below 2^53 for up to 94 million nodes and frames each: a number is a cheaper key than a text.
    const key = (caller + 1) * 94_906_265 + frame;
    let node = this.children.get(key);
    if (node === undefined) {
      this.nodeParent.push(caller);
      node = this.nodeFrame.push(frame);
      this.children.set(key, node);
    }
    return node;
  }

  /** Frame indices of a stack, innermost first. */
  framesOf(node: StackNode): FrameIndex[] {
    const frames: FrameIndex[] = [];
    for (let at = node; at !== NONE; at = this.nodeParent.at(at)) frames.push(this.nodeFrame.at(at));
    return frames;
  }

  frame(index: FrameIndex): RecordedFrame {
    return {
      module: this.modules.at(this.frameModule.at(index)),
      value: this.frameValue.at(index),
      symbol: this.symbols.at(this.frameSymbol.at(index)),
      symbolOffset: this.frameSymbolOffset.at(index),
      sourceFile: this.sourceFiles.at(this.frameSourceFile.at(index)),
      sourceLine: this.frameSourceLine.at(index),
    };
  }
}

const NO_SYMBOL = { symbol: '', symbolOffset: 0, sourceFile: '', sourceLine: 0 };

function isAddress({ symbol, symbolOffset, sourceFile, sourceLine }: RecordedFrame): boolean {
  return symbol === '' && symbolOffset === 0 && sourceFile === '' && sourceLine === 0;
}

function frameKey(frame: RecordedFrame, module: number, symbol: number): string {
  return `${module} ${frame.value} ${symbol} ${frame.symbolOffset} ${frame.sourceFile}:${frame.sourceLine}`;
}
