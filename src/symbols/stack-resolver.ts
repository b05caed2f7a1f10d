import { NONE } from '../trace/events.ts';
import type { Trace } from '../trace/trace.ts';
import { addressOfOffset, formOf, voteOnForm, type AddressForm, type FormVotes } from './address-form.ts';
import type { AddressLookup, LookupFactory } from './address-lookup.ts';
import { isLibraryModule } from './library-modules.ts';
import { findDebugSource, findModule, symbolAt, type FoundModule, type ModuleReport } from './recorded-module.ts';
import { ResolvedStacks } from './resolved-stacks.ts';
import type { SymbolFiles, SymbolSearch } from './symbol-files.ts';

/** Symbols of the code that the kernel returns to from a signal handler. libunwind names the second one. */
const SIGNAL_RETURN = /^(__restore_rt|__sigaction)$/;

/** What of a trace is needed to resolve its stacks. */
export type RecordedStacks = Pick<Trace, 'stacks' | 'startTime' | 'durationNs'>;

/** A recorded frame as it is to be looked up. */
interface Lookup {
  readonly frame: number;
  /** The number is an instruction that was interrupted, not one to return to. */
  readonly exact: boolean;
  readonly nodes: number[];
}

/**
 * Turns every frame of a trace's call stacks into source frames, each address once.
 *
 * The number in a frame is the address *behind* the call, so the lookup goes one byte back, into the call instruction.
 * The frame that a signal interrupted is the exception: its number is the instruction itself.
 */
export async function resolveStacks(
  trace: RecordedStacks,
  files: SymbolFiles,
  search: SymbolSearch,
  factory: LookupFactory,
  signal?: AbortSignal,
): Promise<ResolvedStacks> {
  const { stacks } = trace;
  const resolved = new ResolvedStacks(stacks.nodes, stacks.modules);
  resolved.tool = factory.tool;
  const byModule = lookupsByModule(trace);
  const found = new Map<number, FoundModule>();
  const votes = new Map<number, FormVotes>();
  for (const [module, lookups] of byModule) {
    signal?.throwIfAborted();
    const path = stacks.modules.at(module);
    if (isLibraryModule(path)) {
      keepRecorded(trace, resolved, module, lookups, true);
      resolved.modules.push(report(path, 'library', ''));
      continue;
    }
    const result = await findModule(files, search, path);
    if ('problem' in result) {
      keepRecorded(trace, resolved, module, lookups, false);
      resolved.modules.push(report(path, 'missing', `${result.problem}; name it with --binary or a path rule`));
      continue;
    }
    found.set(module, result);
    const frames = lookups.map(({ frame }) => frame);
    votes.set(module, voteOnForm(stacks, frames, result.binary.elf.segments, result.symbols));
  }
  const elsewhere = provenForm(votes);
  for (const [module, result] of found) {
    signal?.throwIfAborted();
    const context = { trace, files, search, factory, resolved };
    const lookups = byModule.get(module)!;
    resolved.modules.push(await resolveModule(context, module, lookups, result, votes.get(module)!, elsewhere));
    await result.binary.source.close();
  }
  return resolved;
}

function lookupsByModule(trace: RecordedStacks): Map<number, Lookup[]> {
  const { stacks } = trace;
  const exactNodes = interruptedNodes(trace);
  const byKey = new Map<number, Lookup>();
  const byModule = new Map<number, Lookup[]>();
  for (let node = 0; node < stacks.nodes; node++) {
    const frame = stacks.nodeFrame.at(node);
    const exact = exactNodes.has(node);
    const key = frame * 2 + (exact ? 1 : 0);
    let lookup = byKey.get(key);
    if (lookup === undefined) {
      lookup = { frame, exact, nodes: [] };
      byKey.set(key, lookup);
      const module = stacks.frameModule.at(frame);
      const list = byModule.get(module);
      if (list === undefined) byModule.set(module, [lookup]);
      else list.push(lookup);
    }
    lookup.nodes.push(node);
  }
  return byModule;
}

/** Nodes whose frame a signal interrupted: those that "called" the return from the signal handler. */
function interruptedNodes(trace: RecordedStacks): Set<number> {
  const { stacks } = trace;
  const nodes = new Set<number>();
  for (let node = 0; node < stacks.nodes; node++) {
    const caller = stacks.nodeParent.at(node);
    if (caller === NONE) continue;
    const { symbol, symbolOffset } = stacks.frame(stacks.nodeFrame.at(node));
    if (SIGNAL_RETURN.test(symbol) && (symbol === '__restore_rt' || symbolOffset === 0x40)) nodes.add(caller);
  }
  return nodes;
}

function provenForm(votes: ReadonlyMap<number, FormVotes>): AddressForm | undefined {
  let balance = 0;
  for (const { offset, address } of votes.values()) balance += Math.sign(offset - address);
  if (balance === 0) return undefined;
  return balance > 0 ? 'offset' : 'address';
}

interface Context {
  readonly trace: RecordedStacks;
  readonly files: SymbolFiles;
  readonly search: SymbolSearch;
  readonly factory: LookupFactory;
  readonly resolved: ResolvedStacks;
}

async function resolveModule(
  context: Context,
  module: number,
  lookups: readonly Lookup[],
  found: FoundModule,
  votes: FormVotes,
  elsewhere: AddressForm | undefined,
): Promise<ModuleReport> {
  const { trace, resolved } = context;
  const path = trace.stacks.modules.at(module);
  const file = found.binary.path;
  if (votes.neither > Math.max(votes.offset, votes.address)) {
    keepRecorded(trace, resolved, module, lookups, false);
    const note = `${file} is not the binary that was recorded (its functions lie elsewhere): rebuild it as it was, or record again`;
    return { ...report(path, 'changed', note), file };
  }
  const { segments } = found.binary.elf;
  const frames = lookups.map(({ frame }) => frame);
  const form = formOf(votes, elsewhere, trace.stacks, frames, segments);
  const addresses = Float64Array.from(lookups, ({ frame, exact }) => {
    const value = trace.stacks.frameValue.at(frame);
    const address = form === 'offset' ? addressOfOffset(segments, value) : value;
    return exact ? address : address - 1;
  });
  const source = await findDebugSource(context.files, context.search, found.binary);
  if ('looked' in source) {
    await functionsOnly(context, module, lookups, addresses, found);
    const looked = source.looked.length === 0 ? '' : ` (looked for a debug file at ${source.looked.join(', ')})`;
    return { ...report(path, 'functions', `compiled without -g${looked}: function names only`), file };
  }
  try {
    const lookup = await context.factory.open(source.debug, source.alternate);
    await withLines(context, module, lookups, addresses, found, lookup);
    lookup.close();
    // Where every function is found at its recorded place, the date says nothing: files are copied.
    const note = votes.offset + votes.address > 0 ? '' : await newerNote(context, file);
    return { module: path, file, debugFile: source.debug.path, status: 'lines', note };
  } catch (error) {
    await functionsOnly(context, module, lookups, addresses, found);
    const note = `${source.debug.path}: the debug information cannot be read (${String(error)}): function names only`;
    return { ...report(path, 'functions', note), file };
  } finally {
    if (source.debug !== found.binary) await source.debug.source.close();
    await source.alternate?.source.close();
  }
}

async function newerNote(context: Context, file: string): Promise<string> {
  const { startTime, durationNs } = context.trace;
  const modified = await context.files.modified(file);
  if (modified === undefined || startTime === null || modified <= startTime + durationNs / 1e9) return '';
  return `${file} was written after the recording was made: lines may be wrong`;
}

async function withLines(
  context: Context,
  module: number,
  lookups: readonly Lookup[],
  addresses: Float64Array,
  found: FoundModule,
  lookup: AddressLookup,
): Promise<void> {
  const { resolved, trace } = context;
  const columns = await lookup.lookup(addresses);
  const outer = await symbolNames(context, lookups, addresses, found);
  lookups.forEach(({ frame, nodes }, i) => {
    const place = resolved.beginPlace(module, addresses[i]!, false);
    const recorded = trace.stacks.frame(frame);
    const start = columns.first[i]!;
    const end = columns.first[i + 1]!;
    for (let at = start; at < end; at++) {
      const named = columns.functionName[at]! >= 0 ? columns.names[columns.functionName[at]!]! : '';
      // The outermost frame is a function of its own: the symbol table knows it too.
      const functionName = named !== '' || at + 1 < end ? named : outer[i]!;
      const file = columns.file[at]! >= 0 ? columns.names[columns.file[at]!]! : '';
      resolved.addFrame(functionName, file, columns.line[at]!, columns.column[at]!);
    }
    if (start === end) resolved.addFrame(outer[i]!, recorded.sourceFile, recorded.sourceLine, 0);
    for (const node of nodes) resolved.placeOfNode[node] = place;
  });
}

async function functionsOnly(
  context: Context,
  module: number,
  lookups: readonly Lookup[],
  addresses: Float64Array,
  found: FoundModule,
): Promise<void> {
  const { resolved, trace } = context;
  const names = await symbolNames(context, lookups, addresses, found);
  lookups.forEach(({ frame, nodes }, i) => {
    const place = resolved.beginPlace(module, addresses[i]!, false);
    const recorded = trace.stacks.frame(frame);
    resolved.addFrame(names[i]!, recorded.sourceFile, recorded.sourceLine, 0);
    for (const node of nodes) resolved.placeOfNode[node] = place;
  });
}

/** Function names by the binary's symbol table, else as the recorder wrote them. */
async function symbolNames(
  context: Context,
  lookups: readonly Lookup[],
  addresses: Float64Array,
  found: FoundModule,
): Promise<string[]> {
  const raw = lookups.map(
    ({ frame }, i) => symbolAt(found.symbols, addresses[i]!)?.name ?? context.trace.stacks.frame(frame).symbol,
  );
  return context.factory.demangle(raw);
}

/** The frames of a module that is not here, or need not be: the names (and lines) that the recorder itself found. */
function keepRecorded(
  trace: RecordedStacks,
  resolved: ResolvedStacks,
  module: number,
  lookups: readonly Lookup[],
  isLibrary: boolean,
): void {
  for (const { frame, nodes } of lookups) {
    const recorded = trace.stacks.frame(frame);
    const place = resolved.beginPlace(module, NaN, isLibrary);
    resolved.addFrame(recorded.symbol, recorded.sourceFile, recorded.sourceLine, 0);
    for (const node of nodes) resolved.placeOfNode[node] = place;
  }
}

function report(module: string, status: ModuleReport['status'], note: string): ModuleReport {
  return { module, file: '', debugFile: '', status, note };
}
