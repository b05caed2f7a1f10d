import { messageOf } from '../trace/error-message.ts';
import { addressOfOffset, formOf, voteOnForm, type AddressForm, type FormVotes } from './address-form.ts';
import type { AddressLookup, LookupFactory } from './address-lookup.ts';
import { lookupsByModule, type Lookup, type RecordedStacks } from './frame-lookups.ts';
import { libraryFunctions } from './library-functions.ts';
import { isLibraryModule } from './library-modules.ts';
import { ageNote, comparedNote, joined, missingNote, tableNote } from './module-notes.ts';
import { checkPlaces, type PlaceCheck, type RecordedPlace } from './recorded-places.ts';
import { findDebugSource, findModule, symbolAt, type FoundModule, type ModuleReport } from './recorded-module.ts';
import { returnsIntoStart } from './start-address.ts';
import { ResolvedStacks } from './resolved-stacks.ts';
import { fileName, type SymbolFiles, type SymbolSearch } from './symbol-files.ts';

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
  const found = new Map<number, FoundModule>();
  try {
    return await resolveModules(trace, files, search, factory, found, signal);
  } finally {
    for (const { binary } of found.values()) await binary.source.close();
  }
}

async function resolveModules(
  trace: RecordedStacks,
  files: SymbolFiles,
  search: SymbolSearch,
  factory: LookupFactory,
  found: Map<number, FoundModule>,
  signal: AbortSignal | undefined,
): Promise<ResolvedStacks> {
  const { stacks } = trace;
  const own = { folders: search.ownFolders, launched: fileName(trace.program.split(' ')[0]!) };
  const resolved = new ResolvedStacks(stacks.nodes, stacks.modules);
  const byModule = lookupsByModule(trace);
  const hasAddresses = [...byModule.keys()].some(
    (module) => stacks.modules.at(module) !== '' && stacks.moduleForms.get(module) !== 'named',
  );
  resolved.tool = hasAddresses ? factory.tool : '';
  const votes = new Map<number, FormVotes>();
  for (const [module, lookups] of byModule) {
    signal?.throwIfAborted();
    const path = stacks.modules.at(module);
    if (path === '') {
      // A recorder without a list of modules: code of some library, nobody knows which.
      keepRecorded(trace, resolved, module, lookups, true);
      continue;
    }
    if (stacks.moduleForms.get(module) === 'named') {
      keepRecorded(trace, resolved, module, lookups, false);
      resolved.modules.push(report(path, 'lines', ''));
      continue;
    }
    if (isLibraryModule(path, own)) {
      const frames = lookups.map(({ frame }) => frame);
      const names = await libraryFunctions(stacks, module, frames, files, search, factory);
      keepRecorded(trace, resolved, module, lookups, true, names);
      resolved.modules.push(report(path, 'library', ''));
      continue;
    }
    const result = await findModule(files, search, path);
    if ('problem' in result) {
      keepRecorded(trace, resolved, module, lookups, false);
      resolved.modules.push(report(path, 'missing', missingNote(trace, module, lookups, result.problem)));
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
    const reported = resolveModule(context, module, lookups, result, votes.get(module)!, elsewhere);
    resolved.modules.push(
      await reported.catch((error: unknown) => {
        signal?.throwIfAborted();
        return unreadable(context, module, lookups, result, error);
      }),
    );
  }
  return resolved;
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
  const modified = (await context.files.modified(file)) ?? null;
  const placed = await placesIn(context, module, lookups, found, votes, elsewhere);
  if (placed === undefined) {
    keepRecorded(trace, resolved, module, lookups, false);
    const note = `${file}: the address at which it was loaded cannot be told from its entry code: link it with -no-pie`;
    return { ...report(path, 'functions', note), file, modified };
  }
  const { places, check } = placed;
  const { misfits } = check;
  const noted = context.search.buildIds[path] ?? trace.stacks.moduleBuilds.get(module);
  const sameBuild = noted !== undefined && noted === (await found.binary.elf.buildId());
  const here = { ...report(path, 'changed', ''), file, modified, misfits, sameBuild };
  const isOther = misfits > check.checked - misfits;
  if (isOther || (noted !== undefined && !sameBuild)) {
    keepRecorded(trace, resolved, module, lookups, false);
    const why = isOther ? 'its functions and calls lie elsewhere' : 'its build id differs';
    const note = `${file} is not the binary that was recorded (${why}): rebuild it as it was, or record again`;
    return { ...here, note: joined(note, tableNote(trace, module, lookups)) };
  }
  const addresses = Float64Array.from(places, ({ address, exact }) => (exact ? address : address - 1));
  const source = await findDebugSource(context.files, context.search, found.binary);
  const age = sameBuild ? '' : ageNote(context.search, file, modified, check);
  if ('looked' in source) {
    await functionsOnly(context, module, lookups, addresses, found);
    const looked = source.looked.length === 0 ? '' : ` (looked for a debug file at ${source.looked.join(', ')})`;
    return {
      ...here,
      status: 'functions',
      note: joined(`no debug information${looked}: function names only; compile with -g`, age),
    };
  }
  try {
    const lookup = await context.factory.open(source.debug, source.alternate);
    await withLines(context, module, lookups, addresses, found, lookup, check.believable);
    lookup.close();
    const note = joined(age, comparedNote(trace, context.resolved, module, lookups));
    return { ...here, debugFile: source.debug.path, status: 'lines', note };
  } catch (error) {
    await functionsOnly(context, module, lookups, addresses, found);
    const note = `${source.debug.path}: the debug information cannot be read (${String(error)}): function names only`;
    return { ...here, status: 'functions', note: joined(note, age) };
  } finally {
    if (source.debug !== found.binary) await source.debug.source.close();
    await source.alternate?.source.close();
  }
}

interface CheckedPlaces {
  readonly places: readonly RecordedPlace[];
  readonly check: PlaceCheck;
}

/**
 * Where the recorded numbers of a module lie in the binary, and what the binary says to that; undefined when the load
 * address was not recorded and cannot be worked out.
 */
async function placesIn(
  { trace }: Context,
  module: number,
  lookups: readonly Lookup[],
  found: FoundModule,
  votes: FormVotes,
  elsewhere: AddressForm | undefined,
): Promise<CheckedPlaces | undefined> {
  const { stacks } = trace;
  const { segments } = found.binary.elf;
  const recorded = stacks.moduleForms.get(module);
  const placed = async (address: (value: number) => number): Promise<CheckedPlaces> => {
    const places = lookups.map(({ frame, exact }) => ({
      frame,
      exact,
      address: address(stacks.frameValue.at(frame)),
    }));
    return { places, check: await checkPlaces(stacks, places, found) };
  };
  if (recorded === 'behind-start') {
    // The right one of the calls in `_start` is that behind which all other places follow calls too.
    let best: CheckedPlaces | undefined;
    for (const start of await returnsIntoStart(found)) {
      const candidate = await placed((value) => start + value);
      if (best === undefined || candidate.check.misfits < best.check.misfits) best = candidate;
    }
    return best;
  }
  const frames = lookups.map(({ frame }) => frame);
  const form = recorded ?? formOf(votes, elsewhere, stacks, frames, segments);
  return placed((value) => (form === 'offset' ? addressOfOffset(segments, value) : value));
}

async function withLines(
  context: Context,
  module: number,
  lookups: readonly Lookup[],
  addresses: Float64Array,
  found: FoundModule,
  lookup: AddressLookup,
  believable: readonly boolean[],
): Promise<void> {
  const { resolved, trace } = context;
  const columns = await lookup.lookup(addresses);
  const outer = await symbolNames(context, lookups, addresses, found);
  lookups.forEach(({ frame, nodes }, i) => {
    const place = resolved.beginPlace(module, addresses[i]!, false);
    const recorded = trace.stacks.frame(frame);
    for (const node of nodes) resolved.placeOfNode[node] = place;
    if (believable[i] !== true) {
      resolved.addFrame(recorded.symbol || outer[i]!, recorded.sourceFile, recorded.sourceLine, 0);
      return;
    }
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

/**
 * The frames of a module that is not here, or need not be: the names (and lines) that the recorder itself found.
 * @param names where others are known.
 */
function keepRecorded(
  trace: RecordedStacks,
  resolved: ResolvedStacks,
  module: number,
  lookups: readonly Lookup[],
  isLibrary: boolean,
  names?: readonly string[],
): void {
  for (const [i, { frame, nodes }] of lookups.entries()) {
    const recorded = trace.stacks.frame(frame);
    const place = resolved.beginPlace(module, NaN, isLibrary);
    resolved.addFrame(names?.[i] ?? recorded.symbol, recorded.sourceFile, recorded.sourceLine, 0);
    for (const node of nodes) resolved.placeOfNode[node] = place;
  }
}

/** A damaged binary, or one whose file server is gone, costs its own lines and nothing else. */
function unreadable(
  { trace, resolved }: Context,
  module: number,
  lookups: readonly Lookup[],
  { binary }: FoundModule,
  error: unknown,
): ModuleReport {
  keepRecorded(trace, resolved, module, lookups, false);
  const note = `${binary.path} cannot be read: ${messageOf(error)}`;
  return { ...report(trace.stacks.modules.at(module), 'missing', note), file: binary.path };
}

function report(module: string, status: ModuleReport['status'], note: string): ModuleReport {
  return { module, file: '', debugFile: '', status, modified: null, sameBuild: false, misfits: 0, note };
}
