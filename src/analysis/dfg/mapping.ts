import { messageOf } from '../../base/error-message.ts';
import { NONE, NOT_COUNTED, type EventChunk } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { FileIndex } from '../../trace/indices.ts';
import { DEFAULT_LAYER_CHOICE, layerFilter, type LayerChoice } from '../layers/layer-choice.ts';
import type { CallSites } from '../sites/call-sites.ts';
import { collapsedActivity, collapsedFolderOf } from './folders.ts';
import { EventView, type MappedEvent } from './mapped-event.ts';
import { fixedName, parseFixedMapping, type FixedMapping } from './mapping-forms.ts';
import { MappingRules, type RuledEvent } from './rule-mapping.ts';
import { abbreviate, topLevels, type SiteVariable } from './site-paths.ts';

export type { SiteVariable } from './site-paths.ts';

/** Turns an event into the name of its activity; null leaves it out (a mapping is a partial function). */
export type CustomMapping = (event: MappedEvent) => string | null;

/**
 * The mapping f of the DFG paper (equations 4 and 5): which activity an event is.
 * - the fixed ones,
 * - `custom` is a function of a module, `rules` what a document of plain data says (docs/graph.md).
 */
export type Mapping =
  | FixedMapping
  | { readonly kind: 'custom'; readonly map: CustomMapping }
  | { readonly kind: 'rules'; readonly rules: MappingRules };

export const DEFAULT_MAPPING: FixedMapping = { kind: 'call+path', levels: 2 };

/**
 * Reads `call+path:2`, `path:3`, `call`, `call+file`, `site`, or the JSON text of a `MappingDocument`.
 * @throws RangeError that names the forms, or says what is wrong with the document.
 */
export function parseMapping(text: string): Mapping {
  if (!text.trimStart().startsWith('{')) return parseFixedMapping(text);
  return { kind: 'rules', rules: new MappingRules(parseJson(text)) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RangeError(`mapping: this is no JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

export interface MappingOptions {
  readonly mapping: Mapping;
  readonly siteVariables: readonly SiteVariable[];
  /** Only events whose path holds this text. */
  readonly pathFilter: string;
  /** Calls to leave out. */
  readonly withoutCalls: readonly string[];
  /** 1 for files to leave out, by file; undefined leaves none out. */
  readonly ignored?: Uint8Array;
  /** Calls of which layers; the program's own unless it says otherwise. */
  readonly layer?: LayerChoice;
}

/** An activity that was not worked out yet, and those that depend on the call's source line, or on more of the event. */
const UNKNOWN = -2;
const BY_SITE = -3;
const BY_EVENT = -4;

/** Applies a mapping to the events of a trace; each different call and path is worked out once. */
export class ActivityMapper {
  readonly activities = new NameTable();
  /** Activities that each collapsed folder stands for, by the name of its own activity. */
  readonly collapsed = new Map<string, Set<string>>();
  /** Events that were asked for so far, and that a filter leaves out. */
  readonly hidden = { byPath: 0, ofSystem: 0 };
  /** 1 for calls to leave out. */
  private readonly leftOut: Uint8Array;
  /** For each file: index of its label, or NONE when the filter drops it. */
  private readonly labelOfFile: Int32Array;
  private readonly labels = new NameTable();
  /** For each call a row with the activity of each label (of each file, with a mapping of the user's); made when needed. */
  private readonly known: Int32Array[] = [];
  private readonly knownSites: Int32Array;
  /** 1 for files whose path does not hold what is wanted. */
  private readonly otherPaths: Uint8Array;
  /** Events without a file are left out; the mapping would have them, and a filter has not. */
  private readonly needsFile: boolean;
  private readonly mapsNoFile: boolean;
  /** Files of one label can be different activities. */
  private readonly isByFile: boolean;
  private readonly rules: MappingRules | undefined;
  private readonly siteVariables: readonly SiteVariable[];
  private readonly view: EventView;
  private readonly isOfLayer: ((chunk: EventChunk, i: number) => boolean) | undefined;

  /** @throws RangeError in words for the user when there is no such layer. */
  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly options: MappingOptions,
  ) {
    const { mapping, pathFilter, ignored, withoutCalls } = options;
    this.rules = mapping.kind === 'rules' ? mapping.rules : undefined;
    this.siteVariables = [...(this.rules?.siteVariables ?? []), ...options.siteVariables];
    this.isByFile = mapping.kind === 'custom' || mapping.kind === 'rules';
    this.mapsNoFile = ['call', 'site', 'custom', 'rules'].includes(mapping.kind);
    this.needsFile = pathFilter !== '' || ignored !== undefined || !this.mapsNoFile;
    this.otherPaths = Uint8Array.from(trace.files.files, ({ path }) => (path.includes(pathFilter) ? 0 : 1));
    this.leftOut = Uint8Array.from(trace.calls.names, (name) =>
      withoutCalls.includes(name) || this.rules?.leavesOut(name) === true ? 1 : 0,
    );
    this.labelOfFile = Int32Array.from(trace.files.files, ({ path }, file) => {
      if (this.otherPaths[file] === 1 || ignored?.[file] === 1) return NONE;
      return this.labels.intern(this.label(abbreviate(path, this.siteVariables)));
    });
    this.view = new EventView(trace, callSites);
    this.knownSites = new Int32Array(callSites.sites.length).fill(UNKNOWN);
    this.isOfLayer = layerFilter(trace, options.layer ?? DEFAULT_LAYER_CHOICE);
  }

  /** Whether a row is a call that graphs count, of a layer that is wanted. */
  counts(chunk: EventChunk, i: number): boolean {
    return (chunk.flags[i]! & NOT_COUNTED) === 0 && (this.isOfLayer === undefined || this.isOfLayer(chunk, i));
  }

  /** Index of the activity of an event that counts, or NONE. */
  activity(chunk: EventChunk, i: number): number {
    const call = chunk.call[i]!;
    const file = chunk.file[i]!;
    if (this.leftOut[call] === 1) return NONE;
    const { mapping } = this.options;
    const label = file === NONE ? NONE : this.labelOfFile[file]!;
    if (label === NONE && (this.needsFile || file !== NONE)) {
      this.countHidden(file);
      return NONE;
    }
    if (mapping.kind === 'site') return this.siteActivity(chunk.stack[i]!);
    const row = (this.known[call] ??= this.unknownRow());
    // NONE is −1: the first place is for events without a file.
    const at = (this.isByFile ? file : label) + 1;
    if (mapping.kind === 'custom') {
      if (row[at]! >= NONE) return row[at]!;
      const activity = this.customActivity(mapping.map, chunk, i);
      // Who asked for no more than call, path and host says the same of the next such call.
      row[at] = this.view.asksForMore ? BY_EVENT : activity;
      return activity;
    }
    if (row[at] === UNKNOWN) row[at] = this.find(mapping, this.trace.calls.names[call]!, label, file);
    if (row[at] === BY_EVENT) return this.ruledActivity(chunk, i, label);
    return row[at] === BY_SITE ? this.siteActivity(chunk.stack[i]!) : row[at]!;
  }

  private customActivity(map: CustomMapping, chunk: EventChunk, i: number): number {
    this.view.look(chunk, i);
    const name: unknown = map(this.view.event);
    if (name === null) return NONE;
    if (typeof name !== 'string') throw new RangeError(`mapping: a name or null is expected, not ${typeof name}`);
    return this.intern(name);
  }

  private countHidden(file: FileIndex): void {
    if (file === NONE && !this.mapsNoFile) return;
    const isOtherPath = file === NONE ? this.options.pathFilter !== '' : this.otherPaths[file] === 1;
    if (isOtherPath) this.hidden.byPath++;
    else this.hidden.ofSystem++;
  }

  private unknownRow(): Int32Array {
    const places = this.isByFile ? this.labelOfFile.length : this.labels.length;
    return new Int32Array(places + 1).fill(UNKNOWN);
  }

  private siteActivity(stack: number): number {
    const site = stack === NONE ? NONE : this.callSites.siteOfNode[stack]!;
    if (site === NONE) return NONE;
    if (this.knownSites[site] === UNKNOWN) {
      const { file, line, functionName } = this.callSites.sites[site]!;
      const name = line > 0 ? `${functionName} (${file.split('/').at(-1)!}:${line})` : functionName;
      this.knownSites[site] = this.intern(name);
    }
    return this.knownSites[site]!;
  }

  private label(path: string): string {
    const { mapping } = this.options;
    return mapping.kind === 'call+path' || mapping.kind === 'path' ? topLevels(path, mapping.levels) : path;
  }

  /** Of a call whose rules have conditions on the event itself. */
  private ruledActivity(chunk: EventChunk, i: number, label: number): number {
    this.view.look(chunk, i);
    const call = this.trace.calls.names[chunk.call[i]!]!;
    const activity = this.ruled(this.rules!, this.ruledEvent(call, label, chunk.file[i]!), this.view.event);
    return activity === BY_SITE ? this.siteActivity(chunk.stack[i]!) : activity;
  }

  private ruledEvent(call: string, label: number, file: FileIndex): RuledEvent {
    const { path, host } = file === NONE ? { path: null, host: '' } : this.trace.files.at(file);
    return {
      call,
      path,
      host,
      abbreviated: label === NONE ? null : this.labels.at(label),
    };
  }

  /** Index of the activity, NONE, or BY_SITE. */
  private ruled(rules: MappingRules, event: RuledEvent, whole: MappedEvent | undefined): number {
    const named = rules.nameOf(event, whole);
    if (named !== undefined) return this.intern(named);
    if (rules.base === null) return NONE;
    if (rules.base.kind === 'site') return BY_SITE;
    return this.intern(fixedName(rules.base, rules.groupedCall(event.call), event.abbreviated));
  }

  /** Index of the activity, NONE, BY_SITE, or BY_EVENT. */
  private find(mapping: Exclude<Mapping, { kind: 'custom' }>, call: string, label: number, file: FileIndex): number {
    const event = this.ruledEvent(call, label, file);
    if (mapping.kind !== 'rules') return this.intern(fixedName(mapping, call, event.abbreviated));
    return mapping.rules.dependsOnMore(event) ? BY_EVENT : this.ruled(mapping.rules, event, undefined);
  }

  private intern(name: string | null): number {
    if (name === null) return NONE;
    const folders = this.rules?.collapsed ?? [];
    const folder = folders.length === 0 ? null : collapsedFolderOf(name, folders);
    if (folder === null) return this.activities.intern(name);
    const whole = collapsedActivity(folder);
    const held = this.collapsed.get(whole);
    if (held === undefined) this.collapsed.set(whole, new Set([name]));
    else held.add(name);
    return this.activities.intern(whole);
  }
}
