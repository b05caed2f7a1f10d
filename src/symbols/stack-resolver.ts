import { messageOf } from '../base/error-message.ts';
import { addressOfOffset, formOf, voteOnForm, type AddressForm, type FormVotes } from './address-form.ts';
import type { AddressLookup, LookupFactory } from './address-lookup.ts';
import { lookupsByModule, type Lookup, type RecordedStacks } from './frame-lookups.ts';
import { libraryFunctions } from './library-functions.ts';
import { keptFrames, keptModule } from './kept-places.ts';
import { isLibraryModule } from './library-modules.ts';
import { ageNote, comparedNote, joined, missingNote, tableNote } from './module-notes.ts';
import { checkPlaces, type PlaceCheck, type RecordedPlace } from './recorded-places.ts';
import { findDebugSource, findModule, symbolAt, type FoundModule, type ModuleReport } from './recorded-module.ts';
import { returnsIntoStart } from './start-address.ts';
import { ResolvedStacks } from './resolved-stacks.ts';
import { fileName } from '../base/path-names.ts';
import type { SymbolFiles, SymbolSearch } from './symbol-files.ts';

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
  const byModule = lookupsByModule(trace);
  const context = { trace, files, search, factory, resolved, kept: new Set<number>() };
  const binaries: ModuleBinary[] = [];
  try {
    for (const [module, lookups] of byModule) {
      signal?.throwIfAborted();
      const binary = await binaryOf(context, module, lookups);
      if (binary !== undefined) binaries.push(binary);
    }
    const elsewhere = provenForm(binaries);
    for (const binary of binaries) {
      signal?.throwIfAborted();
      resolved.modules.push(
        await resolveModule(context, binary, elsewhere).catch((error: unknown) => {
          signal?.throwIfAborted();
          return unreadable(context, binary, error);
        }),
      );
    }
    resolved.tool = toolOf(context, byModule);
    return resolved;
  } finally {
    for (const { found } of binaries) await found.binary.source.close();
  }
}

/** What resolved the addresses, in words; '' where there are none. */
function toolOf({ trace, factory, search, resolved, kept }: Context, modules: ReadonlyMap<number, unknown>): string {
  const libraries = new Set(resolved.modules.filter(({ status }) => status === 'library').map(({ module }) => module));
  const own = [...modules.keys()].filter((module) => !libraries.has(trace.stacks.modules.at(module)));
  const asked = (own.length > 0 ? own : [...modules.keys()]).filter((module) => hasAddresses(trace, module));
  if (asked.length === 0) return '';
  const then = search.kept === undefined ? '' : `${search.kept.tool}, when the recording was made`;
  if (kept.size === 0) return factory.tool;
  return asked.every((module) => kept.has(module)) ? then : `${then}, and by ${factory.tool}`;
}

function hasAddresses({ stacks }: RecordedStacks, module: number): boolean {
  return stacks.modules.at(module) !== '' && stacks.moduleForms.get(module) !== 'named';
}

/** A recorded module whose binary is here, and what is looked up in it. */
interface ModuleBinary {
  readonly module: number;
  readonly lookups: readonly Lookup[];
  readonly found: FoundModule;
  readonly votes: FormVotes;
}

/**
 * The binary in which a module's frames are to be looked up; undefined where there is none, or none is needed: its frames
 * are then as the recorder wrote them.
 */
async function binaryOf(
  context: Context,
  module: number,
  lookups: readonly Lookup[],
): Promise<ModuleBinary | undefined> {
  const { trace, files, search, resolved } = context;
  const { stacks } = trace;
  const path = stacks.modules.at(module);
  const frames = lookups.map(({ frame }) => frame);
  if (path === '') {
    // A recorder without a list of modules: code of some library, nobody knows which.
    keepRecorded(context, module, lookups, true);
    return undefined;
  }
  if (stacks.moduleForms.get(module) === 'named') {
    keepRecorded(context, module, lookups, false);
    resolved.modules.push(report(path, 'lines', ''));
    return undefined;
  }
  if (isKept(context, module, lookups)) {
    const { isLibrary } = keptModule(search.kept, trace, module)!;
    context.kept.add(module);
    keepRecorded(context, module, lookups, isLibrary);
    const status = keptStatus(context, lookups, isLibrary);
    resolved.modules.push({
      ...report(path, status, status === 'functions' ? KEPT_WITHOUT_LINES : ''),
      sameBuild: true,
    });
    return undefined;
  }
  if (isLibraryModule(path, { folders: search.ownFolders, launched: fileName(trace.program.split(' ')[0]!) })) {
    keepRecorded(context, module, lookups, true, await libraryFunctions(stacks, module, frames, context));
    resolved.modules.push(report(path, 'library', ''));
    return undefined;
  }
  const found = await findModule(files, search, path);
  if ('problem' in found) {
    keepRecorded(context, module, lookups, false);
    resolved.modules.push(report(path, 'missing', missingNote(trace, module, lookups, found.problem)));
    return undefined;
  }
  return { module, lookups, found, votes: voteOnForm(stacks, frames, found.binary.elf.segments, found.symbols) };
}

const KEPT_WITHOUT_LINES = 'no debug information when the recording was made: function names only; compile with -g';

/** Whether the recording keeps what there is to know of all these. */
function isKept({ trace, search }: Context, module: number, lookups: readonly Lookup[]): boolean {
  const kept = keptModule(search.kept, trace, module);
  return kept !== undefined && lookups.every((lookup) => keptFrames(kept, trace, lookup) !== undefined);
}

function keptStatus({ resolved }: Context, lookups: readonly Lookup[], isLibrary: boolean): ModuleReport['status'] {
  if (isLibrary) return 'library';
  const hasLines = lookups.some(({ nodes }) => resolved.recordedFrames(nodes[0]!).some(({ line }) => line > 0));
  return hasLines ? 'lines' : 'functions';
}

/** The form of addresses that most modules speak for; undefined when as many speak for the other. */
function provenForm(binaries: readonly ModuleBinary[]): AddressForm | undefined {
  let balance = 0;
  for (const { votes } of binaries) balance += Math.sign(votes.offset - votes.address);
  if (balance === 0) return undefined;
  return balance > 0 ? 'offset' : 'address';
}

interface Context {
  readonly trace: RecordedStacks;
  readonly files: SymbolFiles;
  readonly search: SymbolSearch;
  readonly factory: LookupFactory;
  readonly resolved: ResolvedStacks;
  /** Modules whose frames all come from what the recording keeps. */
  readonly kept: Set<number>;
}

/** @param elsewhere the form of addresses that the other modules have, for one that does not say. */
async function resolveModule(
  context: Context,
  binary: ModuleBinary,
  elsewhere: AddressForm | undefined,
): Promise<ModuleReport> {
  const { module, lookups, found } = binary;
  const path = context.trace.stacks.modules.at(module);
  const file = found.binary.path;
  const modified = (await context.files.modified(file)) ?? null;
  const placed = await placesIn(context, binary, elsewhere);
  if (placed === undefined) {
    keepRecorded(context, module, lookups, false);
    const note = `${file}: the address at which it was loaded cannot be told from its entry code: link it with -no-pie`;
    return { ...report(path, 'functions', note), file, modified };
  }
  const { sameBuild, problem } = await compareBuild(context, binary, placed.check);
  const here = { ...report(path, 'changed', ''), file, modified, misfits: placed.check.misfits, sameBuild };
  if (problem !== '') {
    keepRecorded(context, module, lookups, false);
    return { ...here, note: joined(problem, tableNote(context.trace, module, lookups)) };
  }
  const age = sameBuild ? '' : ageNote(context.search, file, modified, placed.check);
  return { ...here, ...(await lookUp(context, binary, placed, age)) };
}

/** Whether a binary is the one that was recorded. @returns why it is not, in words for the user; '' when it may be. */
async function compareBuild(
  { trace, search }: Context,
  { module, found }: ModuleBinary,
  { misfits, checked }: PlaceCheck,
): Promise<{ readonly sameBuild: boolean; readonly problem: string }> {
  const { modules, moduleBuilds } = trace.stacks;
  const noted = search.buildIds[modules.at(module)] ?? moduleBuilds.get(module);
  const sameBuild = noted !== undefined && noted === (await found.binary.elf.buildId());
  const isOther = misfits > checked - misfits;
  if (!isOther && (noted === undefined || sameBuild)) return { sameBuild, problem: '' };
  const why = isOther ? 'its functions and calls lie elsewhere' : 'its build id differs';
  const problem = `${found.binary.path} is not the binary that was recorded (${why}): rebuild it as it was, or record again`;
  return { sameBuild, problem };
}

/**
 * Looks the addresses up in the debug information; without any, in the table of functions.
 * @param age what the user should know of the binary's age; '' when all is well.
 */
async function lookUp(
  context: Context,
  binary: ModuleBinary,
  { places, check }: CheckedPlaces,
  age: string,
): Promise<Pick<ModuleReport, 'status' | 'note'> & { readonly debugFile?: string }> {
  const { module, lookups, found } = binary;
  const addresses = Float64Array.from(places, ({ address, exact }) => (exact ? address : address - 1));
  const source = await findDebugSource(context.files, context.search, found.binary);
  if ('looked' in source) {
    await functionsOnly(context, binary, addresses);
    const looked = source.looked.length === 0 ? '' : ` (looked for a debug file at ${source.looked.join(', ')})`;
    const note = `no debug information${looked}: function names only; compile with -g`;
    return { status: 'functions', note: joined(note, age) };
  }
  try {
    const lookup = await context.factory.open(source.debug, source.alternate);
    await withLines(context, binary, addresses, lookup, check.believable);
    lookup.close();
    const note = joined(age, comparedNote(context.trace, context.resolved, module, lookups));
    return { debugFile: source.debug.path, status: 'lines', note };
  } catch (error) {
    await functionsOnly(context, binary, addresses);
    const note = `${source.debug.path}: the debug information cannot be read (${String(error)}): function names only`;
    return { status: 'functions', note: joined(note, age) };
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
  { module, lookups, found, votes }: ModuleBinary,
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
  if (recorded === 'behind-start') return behindStart(found, placed);
  const frames = lookups.map(({ frame }) => frame);
  const form = recorded ?? formOf(votes, elsewhere, stacks, frames, segments);
  return placed((value) => (form === 'offset' ? addressOfOffset(segments, value) : value));
}

/** The right one of the calls in `_start` is that behind which all other places follow calls too. */
async function behindStart(
  found: FoundModule,
  placed: (address: (value: number) => number) => Promise<CheckedPlaces>,
): Promise<CheckedPlaces | undefined> {
  let best: CheckedPlaces | undefined;
  for (const start of await returnsIntoStart(found)) {
    const candidate = await placed((value) => start + value);
    if (best === undefined || candidate.check.misfits < best.check.misfits) best = candidate;
  }
  return best;
}

async function withLines(
  context: Context,
  binary: ModuleBinary,
  addresses: Float64Array,
  lookup: AddressLookup,
  believable: readonly boolean[],
): Promise<void> {
  const { resolved, trace } = context;
  const { module, lookups } = binary;
  const columns = await lookup.lookup(addresses);
  const outer = await symbolNames(context, binary, addresses);
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

async function functionsOnly(context: Context, binary: ModuleBinary, addresses: Float64Array): Promise<void> {
  const { resolved, trace } = context;
  const { module, lookups } = binary;
  const names = await symbolNames(context, binary, addresses);
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
  { lookups, found }: ModuleBinary,
  addresses: Float64Array,
): Promise<string[]> {
  const raw = lookups.map(
    ({ frame }, i) => symbolAt(found.symbols, addresses[i]!)?.name ?? context.trace.stacks.frame(frame).symbol,
  );
  return context.factory.demangle(raw);
}

/**
 * The frames of a module that is not here, or need not be: the names and lines that the recording keeps, else those that
 * the recorder itself found.
 * @param names where others are known.
 */
function keepRecorded(
  { trace, search, resolved }: Context,
  module: number,
  lookups: readonly Lookup[],
  isLibrary: boolean,
  names?: readonly string[],
): void {
  const kept = keptModule(search.kept, trace, module);
  for (const [i, lookup] of lookups.entries()) {
    const { frame, nodes } = lookup;
    const recorded = trace.stacks.frame(frame);
    const place = resolved.beginPlace(module, NaN, isLibrary);
    const frames = keptFrames(kept, trace, lookup);
    for (const { functionName, file, line, column } of frames ?? [])
      resolved.addFrame(functionName, file, line, column);
    if (frames === undefined)
      resolved.addFrame(names?.[i] ?? recorded.symbol, recorded.sourceFile, recorded.sourceLine, 0);
    for (const node of nodes) resolved.placeOfNode[node] = place;
  }
}

/** A damaged binary, or one whose file server is gone, costs its own lines and nothing else. */
function unreadable(context: Context, { module, lookups, found }: ModuleBinary, error: unknown): ModuleReport {
  keepRecorded(context, module, lookups, false);
  const file = found.binary.path;
  const note = `${file} cannot be read: ${messageOf(error)}`;
  return { ...report(context.trace.stacks.modules.at(module), 'missing', note), file };
}

function report(module: string, status: ModuleReport['status'], note: string): ModuleReport {
  return { module, file: '', debugFile: '', status, modified: null, sameBuild: false, misfits: 0, note };
}
