import { fileName } from '../../base/path-names.ts';
import { NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Index, Indices, StackNode } from '../../trace/indices.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import type { ResolvedStacks, SourceFrame } from '../../symbols/resolved-stacks.ts';
import { dataLibraryFrame, StackTraits, TRAIT } from './stack-traits.ts';

/** Index into `CallSites.sites`. */
export type SiteIndex = Index<'site'>;

/** What makes two events come from the same place. */
export type SiteGrouping = 'line' | 'function' | 'stack';

/** A place in the user's code that makes calls. */
export interface CallSite {
  /** Path as in the debug information; '' when only the function is known. */
  readonly file: string;
  /** Counted from 1; 0 when unknown. */
  readonly line: number;
  readonly column: number;
  /** The line was changed since the recording. */
  readonly changed: boolean;
  readonly functionName: string;
  readonly module: string;
  /** A stack node that leads here, for showing a chain of callers. */
  readonly node: StackNode;
  /** Index of the site's frame within that chain (as `chainOf` gives it). */
  readonly depth: number;
  /** The program is Python, whose lines are in no stack: this is the library's function that they call. */
  readonly standsForPython?: boolean;
  /**
   * Of others, what the line calls and what makes the call for it: a Python module such as `zipfile`, `libgfortran`, or
   * `sqlite3`, whoever calls that library.
   */
  readonly throughModule?: string;
}

export interface CallSites {
  readonly sites: readonly CallSite[];
  /** Site of each stack node; NONE where no frame is the user's. */
  readonly siteOfNode: Indices<SiteIndex>;
  /** 1 for stacks that only bring the program up: loading, MPI_Init, imports. Their calls are no findings. */
  readonly isStartUp: Uint8Array;
  /** Bits of TRAIT for each stack node; absent where nobody looked. */
  readonly traitsOfNode?: Uint8Array;
}

/** What replaces the program by another one, as the kernel and the C library name it. */
const EXECUTES = /^f?exec(l|le|lp|v|ve|veat|vp|vpe)$/;

/** Functions below which everything is start-up (or shut-down) of a library, whoever called them. */
const START_UP =
  /^P?MPI_(Init|Init_thread|Finalize)$|^p?mpi_(init|finalize)_|^_?_?dl(m?open|_open)|^PyImport_|^Py_(Initialize|Finalize)/;

/** Functions that every (statically linked) executable has, and that are nobody's code. */
const RUN_TIME =
  /^(_start|__libc_.*|_?_?(open|openat|close|read|write|pread|pwrite|readv|writev|lseek|fsync|fdatasync|stat|fstat|lstat|access|unlink|mmap|ioctl|fcntl)(64)?(_nocancel)?)$/;

/** Whether the analysis goes by this function's name. */
export function isKnownFunction(name: string): boolean {
  return START_UP.test(name) || RUN_TIME.test(name);
}

/** Tells the calls that only bring a program up, which are no I/O of the program's own. */
export class StartUpCalls {
  private readonly executes: Uint8Array;

  constructor(
    { calls }: Trace,
    private readonly callSites: CallSites,
  ) {
    this.executes = Uint8Array.from(calls.names, (name) => Number(EXECUTES.test(name)));
  }

  has(call: number, node: StackNode): boolean {
    return this.executes[call] === 1 || (node !== NONE && this.callSites.isStartUp[node] === 1);
  }
}

/** The frames of a stack, innermost first, inlined ones expanded. */
export function chainOf(trace: Trace, resolved: ResolvedStacks, node: StackNode): SourceFrame[] {
  const chain: SourceFrame[] = [];
  for (let at = node; at !== NONE; at = trace.stacks.nodeParent.at(at)) chain.push(...resolved.framesOf(at));
  return chain;
}

/**
 * Finds the call site of every stack: the innermost frame in a file of the workspace, else the innermost frame outside
 * of the libraries that has a line, else the innermost function outside of them, else the function of HDF5 or NetCDF that
 * the program called: in a Python program that is as near as a recorded stack comes.
 *
 * @param isWorkspaceFile whether a path of the debug information is a file of the user's workspace.
 */
export function findCallSites(
  trace: Trace,
  resolved: ResolvedStacks,
  grouping: SiteGrouping,
  isWorkspaceFile: (path: string) => boolean,
): CallSites {
  const { nodes } = trace.stacks;
  const siteOfNode = new Int32Array(nodes).fill(NONE);
  const isStartUp = new Uint8Array(nodes);
  const traitsOfNode = new Uint8Array(nodes);
  const traits = new StackTraits();
  const keys = new NameTable();
  const sites: CallSite[] = [];
  const most: number[] = [];
  for (const [node, events] of nodesOfEvents(trace)) {
    const chain = chainOf(trace, resolved, node);
    isStartUp[node] = chain.some((frame) => START_UP.test(frame.functionName)) ? 1 : 0;
    traitsOfNode[node] = traits.of(chain);
    const depth = siteDepth(chain, isWorkspaceFile);
    if (depth < 0) continue;
    const site = keys.intern(keyOf(chain[depth]!, grouping, node));
    // Functions may share a line (templates, macros, inlined ones): the busiest stack stands for all of them.
    if (events > (most[site] ?? -1)) {
      most[site] = events;
      const { file, line, column, changed, functionName, module } = chain[depth]!;
      const standsForPython = chain[depth]!.isLibrary && (traitsOfNode[node] & TRAIT.python) !== 0;
      const throughModule = moduleOfOthers(chain.slice(0, depth));
      sites[site] = {
        file,
        line,
        column,
        changed,
        functionName,
        module,
        node,
        depth,
        ...(standsForPython && { standsForPython }),
        ...(throughModule !== undefined && { throughModule }),
      };
    }
    siteOfNode[node] = site;
  }
  return { sites, siteOfNode, isStartUp, traitsOfNode };
}

/** A module's or package's own files, as they are installed: `…/python3.11/zipfile.py`, `…/site-packages/PIL/Image.py`. */
const PYTHON_MODULE =
  /[/\\](?:python\d[\d.]*|site-packages|dist-packages)[/\\](?!site-packages|dist-packages)(\w+)(?:[/\\]|\.py$)/;

/** What hands a call on that the line itself asks for: `StreamReaderWriter.seek` of codecs, `func_wrapper` of tempfile. */
const HANDS_ON = /(^|\.)(seek|tell|rewind|func_wrapper)$/;

/** @param callee the frame that a line of the user's calls. */
/** @param below what a line of the user's calls: innermost first. */
function moduleOfOthers(below: readonly SourceFrame[]): string | undefined {
  const callee = below.at(-1);
  if (callee === undefined) return undefined;
  if (below.some(({ module }) => /^libsqlite3\b/.test(fileName(module)))) return 'sqlite3';
  if (/^libgfortran\b/.test(fileName(callee.module))) return 'libgfortran';
  return callee.line === 0 || HANDS_ON.test(callee.functionName) ? undefined : PYTHON_MODULE.exec(callee.file)?.[1];
}

/** The stacks of events, in the order of their first ones, with how many events each has; then those of tallies alone. */
function nodesOfEvents(trace: Trace): Map<number, number> {
  const used = new Map<number, number>();
  trace.events.chunks.forEach((chunk, number) => {
    const rows = trace.events.rowsIn(number);
    for (let i = 0; i < rows; i++) {
      const node = chunk.stack[i]!;
      if (node !== NONE) used.set(node, (used.get(node) ?? 0) + 1);
    }
  });
  for (const { tallies } of trace.tallied ?? [])
    for (const { stack } of tallies) if (stack !== NONE && !used.has(stack)) used.set(stack, 0);
  return used;
}

function siteDepth(chain: readonly SourceFrame[], isWorkspaceFile: (path: string) => boolean): number {
  // A file of the workspace is the user's, whatever the name of the library that it became.
  const inWorkspace = chain.findIndex((frame) => frame.line > 0 && isWorkspaceFile(frame.file));
  if (inWorkspace >= 0) return inWorkspace;
  const isUsers = (frame: SourceFrame): boolean => !frame.isLibrary && !isLibrarySource(frame.file);
  const withLine = chain.findIndex((frame) => frame.line > 0 && isUsers(frame));
  if (withLine >= 0) return withLine;
  const named = chain.findIndex(
    (frame) => isUsers(frame) && frame.functionName !== '' && !RUN_TIME.test(frame.functionName),
  );
  return named >= 0 ? named : dataLibraryFrame(chain);
}

function keyOf(frame: SourceFrame, grouping: SiteGrouping, node: StackNode): string {
  switch (grouping) {
    case 'line':
      return frame.line > 0 ? `${frame.file}:${frame.line}` : `${frame.module} ${frame.functionName}`;
    case 'function':
      return `${frame.file} ${frame.module} ${frame.functionName}`;
    case 'stack':
      return String(node);
  }
}
