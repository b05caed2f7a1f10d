import { CallStackTable } from '../../trace/call-stacks.ts';
import { CallTable, LAYERS } from '../../trace/calls.ts';
import type { DamageLog } from '../../trace/damage.ts';
import type { Communicator, Definitions, FileDefinition, Paradigm, Property } from '../../trace/definitions.ts';
import { EventTable, NONE } from '../../trace/events.ts';
import { FileTable, HandleTable } from '../../trace/files.ts';
import { FunctionCallTable } from '../../trace/function-calls.ts';
import { MessageTable } from '../../trace/messages.ts';
import type { ReadOptions, RecordingPart, Stream } from '../../trace/trace.ts';
import type { Anchor } from './anchor.ts';
import { UNDEFINED_32 } from './byte-cursor.ts';
import { CallNames } from './call-names.ts';
import { Ticks } from './clock.ts';
import type { RawDefinitions, RawValue } from './definition-records.ts';
import { frameOf, isOwn, makeRegion, type Region, type RegionFacts } from './regions.ts';
import { SystemTree } from './system-tree.ts';
import { communicatorsOf, streamsOf, type LocationStream } from './streams.ts';

/** Layers by the identification of I/O paradigms (OTF2's list of known ones); others are libraries of their own. */
const LAYER_OF_PARADIGM: Readonly<Record<string, number>> = {
  POSIX: LAYERS.indexOf('POSIX'),
  ISOC: LAYERS.indexOf('STDIO'),
  'MPI-IO': LAYERS.indexOf('MPI-IO'),
  netCDF: LAYERS.indexOf('NetCDF'),
  PnetCDF: LAYERS.indexOf('PnetCDF'),
  HDF5: LAYERS.indexOf('HDF5'),
};
const OTHER_LIBRARY = LAYERS.indexOf('I/O library');
const OPERATING_SYSTEM = 1;
/** Of OTF2_IoStatusFlag. */
const APPEND = 2;
const STRING_TYPE = 11;
const PARADIGM_PROPERTIES = ['version'];

/** What the files of a whole archive say. */
interface GlobalDefinitions {
  readonly raw: RawDefinitions;
  readonly anchor: Anchor;
  /** The file of the definitions, for messages. */
  readonly where: string;
}

/** The definitions of an archive as tables of the trace; numbers of the archive lead to indices into them. */
export class Archive {
  readonly raw: RawDefinitions;
  readonly anchor: Anchor;
  private readonly where: string;
  readonly events: EventTable;
  readonly files: FileTable;
  readonly handles = new HandleTable();
  readonly calls = new CallTable();
  readonly callNames = new CallNames(this.calls);
  readonly stacks = new CallStackTable();
  readonly functions = new FunctionCallTable();
  readonly messages = new MessageTable();
  readonly ticks: Ticks;
  readonly locations: readonly LocationStream[];
  readonly streams: readonly Stream[];
  readonly parts: readonly RecordingPart[];
  readonly communicators: readonly Communicator[];
  readonly program: { text: string } = { text: '' };
  readonly regions: Region[] = [];
  private readonly regionIndices = new Map<number, number>();
  private readonly contextNodes = new Map<number, number>();
  /** Members of the first side of each inter-communicator. */
  readonly firstSides: ReadonlyMap<number, number>;
  private readonly communicatorIndices: ReadonlyMap<number, number>;
  private readonly fileIndices = new Map<number, number>();
  private readonly handleIndices = new Map<number, number>();
  /** Handles that were there before the program began, and whose writes go to the end. */
  readonly appendsFromTheStart = new Set<number>();
  private readonly paradigms: Paradigm[] = [];
  private readonly fileDefinitions: readonly FileDefinition[];
  private readonly handleNames = new Map<number, string>();
  private readonly module: string;

  constructor(
    { raw, anchor, where }: GlobalDefinitions,
    fileOf: (location: string) => { readonly name: string; readonly path: string },
    readonly damage: DamageLog,
    options: ReadOptions,
  ) {
    this.raw = raw;
    this.anchor = anchor;
    this.where = where;
    this.events = new EventTable(options.chunkStore);
    this.files = new FileTable(options.sharedPaths);
    this.ticks = new Ticks(raw.clock ?? { ticksPerSecond: 1e9, offsetHigh: 0, offsetLow: 0, length: 0, realtime: NaN });
    const tree = new SystemTree(raw, (text) => this.text(text));
    const { locations, streams, parts } = streamsOf(raw, tree, fileOf);
    this.locations = locations;
    this.streams = streams;
    this.parts = parts;
    const found = communicatorsOf(raw, locations, (text) => this.text(text));
    this.communicators = found.communicators;
    this.communicatorIndices = found.indices;
    this.firstSides = found.firstSides;
    this.module = anchor.description || anchor.machine || 'program';
    this.stacks.moduleForms.set(this.stacks.modules.intern(this.module), 'named');
    this.fileDefinitions = this.defineFiles(tree);
    for (const { identification, name, isParallel, flags, properties } of raw.ioParadigms.values()) {
      this.paradigms.push({
        layer: this.layerOfText(this.text(identification)),
        identification: this.text(identification),
        name: this.text(name),
        isParallel,
        isOperatingSystem: (flags & OPERATING_SYSTEM) !== 0,
        properties: properties.map(({ property, value }) => ({
          name: PARADIGM_PROPERTIES[property] ?? `property ${property}`,
          value: this.valueOf(value),
        })),
      });
    }
    this.defineHandles();
    for (const [handle, { status }] of raw.preCreated) {
      if (status & APPEND) this.appendsFromTheStart.add(this.handleOf(handle));
    }
  }

  /** The text that a number stands for; '' when it is undefined. */
  text(reference: number): string {
    if (reference === UNDEFINED_32) return '';
    const text = this.raw.strings.get(reference);
    if (text === undefined) this.undefinedReference('string', reference);
    return text ?? '';
  }

  undefinedReference(kind: string, reference: number): void {
    this.damage.add('no-beginning', this.where, `${kind} ${reference} is used and not defined`, `the ${kind}'s name`);
  }

  /** Index into `regions`; one that is not defined gets a name that says so, so that enter and leave agree. */
  regionOf(reference: number): number {
    let index = this.regionIndices.get(reference);
    if (index !== undefined) return index;
    const facts = this.factsOf(reference);
    index = this.regions.push(makeRegion(facts, this.functions, this.stacks, this.module)) - 1;
    this.regionIndices.set(reference, index);
    return index;
  }

  private factsOf(reference: number): RegionFacts {
    const raw = this.raw.regions.get(reference);
    if (raw === undefined) {
      this.undefinedReference('region', reference);
      return { name: `region ${reference} (not defined)`, role: 0, paradigm: 0, sourceFile: '', sourceLine: 0 };
    }
    const name = this.text(raw.name) || this.text(raw.canonicalName);
    const { role, paradigm, beginLine } = raw;
    const sourceFile = this.text(raw.sourceFile);
    return { name, role, paradigm, sourceFile, sourceLine: beginLine === UNDEFINED_32 ? 0 : beginLine };
  }

  /** The region that a calling context stands for, as `regionOf` gives it. */
  regionOfContext(reference: number): number {
    return this.regionOf(this.raw.callingContexts.get(reference)?.region ?? UNDEFINED_32);
  }

  /** The node of a calling context and its callers in the table of stacks. */
  nodeOfContext(reference: number): number {
    const chain: number[] = [];
    let at = reference;
    // A context that is its own caller ends the chain.
    while (at !== UNDEFINED_32 && !this.contextNodes.has(at) && chain.length < MOST_DEEP && !chain.includes(at)) {
      chain.push(at);
      at = this.raw.callingContexts.get(at)?.parent ?? UNDEFINED_32;
    }
    let node = this.contextNodes.get(at) ?? NONE;
    for (const context of chain.reverse()) {
      node = this.stacks.internNode(node, this.contextFrame(context));
      this.contextNodes.set(context, node);
    }
    return node;
  }

  private contextFrame(reference: number): number {
    const context = this.raw.callingContexts.get(reference);
    if (context === undefined) this.undefinedReference('calling context', reference);
    const region = context?.region ?? UNDEFINED_32;
    const place = this.raw.codeLocations.get(context?.codeLocation ?? UNDEFINED_32);
    if (place === undefined) return this.regions[this.regionOf(region)]!.frame;
    const facts = this.factsOf(region);
    const own = isOwn(facts, this.regions[this.regionOf(region)]!.isIo);
    return frameOf(facts, this.stacks, own ? this.module : '', this.text(place.file), place.line);
  }

  /** Index into `Trace.definitions.communicators`, or NONE. */
  communicatorOf(reference: number): number {
    if (reference === UNDEFINED_32) return NONE;
    const index = this.communicatorIndices.get(reference);
    if (index === undefined) this.undefinedReference('communicator', reference);
    return index ?? NONE;
  }

  /** Index into `files`, or NONE. */
  fileOf(reference: number): number {
    if (reference === UNDEFINED_32) return NONE;
    const index = this.fileIndices.get(reference);
    if (index === undefined) this.undefinedReference('file', reference);
    return index ?? NONE;
  }

  /** Index into `handles`, or NONE. */
  handleOf(reference: number): number {
    if (reference === UNDEFINED_32) return NONE;
    const index = this.handleIndices.get(reference);
    if (index === undefined) this.undefinedReference('I/O handle', reference);
    return index ?? NONE;
  }

  /** Index into LAYERS of an I/O paradigm by its number. */
  layerOf(paradigm: number): number {
    const raw = this.raw.ioParadigms.get(paradigm);
    if (raw === undefined) this.undefinedReference('I/O paradigm', paradigm);
    return raw === undefined ? OTHER_LIBRARY : this.layerOfText(this.text(raw.identification));
  }

  /** Whether an attribute is the offset of an operation in its file, as Score-P names it. */
  isOffset(attribute: number): boolean {
    return this.text(this.raw.attributes.get(attribute)?.name ?? UNDEFINED_32) === 'Offset';
  }

  get definitions(): Definitions {
    const { paradigms, fileDefinitions: files, communicators, handleNames } = this;
    return { paradigms, files, communicators, handleNames };
  }

  private layerOfText(identification: string): number {
    return LAYER_OF_PARADIGM[identification] ?? OTHER_LIBRARY;
  }

  private valueOf({ type, value, exact }: RawValue): string | number {
    if (type === STRING_TYPE) return this.text(value);
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : exact;
  }

  private defineFiles(tree: SystemTree): FileDefinition[] {
    const properties = new Map<number, Property[]>();
    for (const { file, name, value } of this.raw.ioFileProperties) {
      const list = properties.get(file) ?? [];
      list.push({ name: this.text(name), value: this.valueOf(value) });
      properties.set(file, list);
    }
    return [...this.raw.ioFiles].map(([reference, { name, scope, isDirectory }]) => {
      const file = this.files.intern(tree.hostOf(scope), this.text(name));
      this.fileIndices.set(reference, file);
      return { file, isDirectory, scope: tree.nameOf(scope), properties: properties.get(reference) ?? [] };
    });
  }

  private defineHandles(): void {
    const { raw, handles } = this;
    for (const [reference, { name, file, paradigm, flags, communicator }] of raw.ioHandles) {
      const index = handles.add(this.fileOf(file), NONE, NONE, {
        layer: this.layerOf(paradigm),
        communicator: this.communicatorOf(communicator),
        flags,
      });
      this.handleIndices.set(reference, index);
      const text = this.text(name);
      if (text !== '') this.handleNames.set(index, text);
    }
    for (const [reference, { parent }] of raw.ioHandles) {
      handles.parent.values[this.handleIndices.get(reference)!] = this.handleOf(parent);
    }
  }
}

/** Deeper chains of calling contexts are cut. */
const MOST_DEEP = 1024;
