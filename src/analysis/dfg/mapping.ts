import { NONE } from '../../trace/events.ts';
import { NameTable } from '../../trace/names.ts';
import type { Trace } from '../../trace/trace.ts';
import type { CallSites } from '../sites/call-sites.ts';

/** A path prefix that stands for a site's variable: `$SCRATCH` for `/p/scratch/project`. */
export interface SiteVariable {
  /** With its dollar sign. */
  readonly name: string;
  /** A folder; `*` stands for one path part (`/home/*`). */
  readonly prefix: string;
}

/** What a mapping written by the user sees of an event. */
interface MappedEvent {
  readonly call: string;
  readonly path: string | null;
  readonly host: string;
}

/** Turns an event into the name of its activity; null leaves it out (a mapping is a partial function). */
export type CustomMapping = (event: MappedEvent) => string | null;

/**
 * The mapping f of the DFG paper (equations 4 and 5): which activity an event is.
 * - `call+path` is f̂ of equation 4: the call and the top directory levels of its path,
 * - `path`, `call`, `call+file` leave the one or the other out or keep the path whole,
 * - `site` is the place in the source code.
 */
export type Mapping =
  | { readonly kind: 'call+path' | 'path'; readonly levels: number }
  | { readonly kind: 'call' | 'call+file' | 'site' }
  | { readonly kind: 'custom'; readonly map: CustomMapping };

export const DEFAULT_MAPPING: Mapping = { kind: 'call+path', levels: 2 };

/**
 * Reads `call+path:2`, `path:3`, `call`, `call+file`, `site`.
 * @throws RangeError that names the forms.
 */
export function parseMapping(text: string): Mapping {
  const match = /^(call\+path|path)(?::(\d{1,2}))?$/.exec(text);
  if (match !== null && match[2] !== '0') {
    return { kind: match[1] as 'call+path' | 'path', levels: Number(match[2] ?? '2') };
  }
  if (text === 'call' || text === 'call+file' || text === 'site') return { kind: text };
  throw new RangeError(`"${text}" is no mapping: call+path:N, path:N, call, call+file, or site`);
}

/**
 * The top directory levels of a path: `/usr/lib/x/libc.so` with 2 levels is `/usr/lib`. A site variable counts as the
 * first level. Names that are no paths (`pipe:[123]`) stay whole.
 */
export function topLevels(path: string, levels: number): string {
  if (!path.startsWith('/') && !path.startsWith('$')) return path;
  let end = path.startsWith('/') ? 0 : -1;
  for (let level = 0; level < levels; level++) {
    end = path.indexOf('/', end + 1);
    if (end < 0) return path;
  }
  return path.slice(0, end);
}

/** The path with the site variable whose prefix is the longest that fits (the paper's f̄). */
export function abbreviate(path: string, variables: readonly SiteVariable[]): string {
  let best = '';
  let longest = 0;
  for (const { name, prefix } of variables) {
    const length = fittingLength(path, prefix);
    if (length > longest) {
      longest = length;
      best = name;
    }
  }
  return longest === 0 ? path : best + path.slice(longest);
}

/** How much of the path the prefix covers; 0 when it does not fit. Only whole path parts fit. */
function fittingLength(path: string, prefix: string): number {
  const wanted = prefix.replace(/\/+$/, '').split('/');
  const parts = path.split('/');
  if (parts.length < wanted.length || wanted.length < 2) return 0;
  let length = -1;
  for (const [i, part] of wanted.entries()) {
    if (part !== '*' && part !== parts[i]) return 0;
    length += parts[i]!.length + 1;
  }
  return length;
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
}

/** An activity that was not worked out yet. */
const UNKNOWN = -2;

/** Applies a mapping to the events of a trace; each different call and path is worked out once. */
export class ActivityMapper {
  readonly activities = new NameTable();
  /** 1 for calls to leave out. */
  private readonly leftOut: Uint8Array;
  /** For each file: index of its label, or NONE when the filter drops it. */
  private readonly labelOfFile: Int32Array;
  private readonly labels = new NameTable();
  /** For each call a row with the activity of each label (of each file, with a mapping of the user's); made when needed. */
  private readonly known: Int32Array[] = [];
  /** Events without a file are left out. */
  private readonly needsFile: boolean;

  constructor(
    private readonly trace: Trace,
    private readonly callSites: CallSites,
    private readonly options: MappingOptions,
  ) {
    const kindsWithoutFile = ['call', 'site', 'custom'];
    this.needsFile =
      options.pathFilter !== '' || options.ignored !== undefined || !kindsWithoutFile.includes(options.mapping.kind);
    this.leftOut = Uint8Array.from(trace.calls.names, (name) => (options.withoutCalls.includes(name) ? 1 : 0));
    this.labelOfFile = Int32Array.from(trace.files.files, ({ path }, file) => {
      if (!path.includes(options.pathFilter) || options.ignored?.[file] === 1) return NONE;
      return this.labels.intern(this.label(abbreviate(path, options.siteVariables)));
    });
  }

  /** Index of an event's activity, or NONE. */
  activity(call: number, file: number, stack: number): number {
    if (this.leftOut[call] === 1) return NONE;
    const { mapping } = this.options;
    const label = file === NONE ? NONE : this.labelOfFile[file]!;
    if (label === NONE && (this.needsFile || file !== NONE)) return NONE;
    if (mapping.kind === 'site') return this.siteActivity(stack);
    const row = (this.known[call] ??= this.unknownRow());
    // NONE is −1: the first place is for events without a file.
    const at = (mapping.kind === 'custom' ? file : label) + 1;
    if (row[at] === UNKNOWN) {
      const name = this.name(this.trace.calls.names[call]!, label, file);
      row[at] = name === null ? NONE : this.activities.intern(name);
    }
    return row[at]!;
  }

  private unknownRow(): Int32Array {
    const places = this.options.mapping.kind === 'custom' ? this.labelOfFile.length : this.labels.length;
    return new Int32Array(places + 1).fill(UNKNOWN);
  }

  private siteActivity(stack: number): number {
    const site = stack === NONE ? NONE : this.callSites.siteOfNode[stack]!;
    if (site === NONE) return NONE;
    const { file, line, functionName } = this.callSites.sites[site]!;
    return this.activities.intern(line > 0 ? `${functionName} (${file.split('/').at(-1)!}:${line})` : functionName);
  }

  private label(path: string): string {
    const { mapping } = this.options;
    return mapping.kind === 'call+path' || mapping.kind === 'path' ? topLevels(path, mapping.levels) : path;
  }

  private name(call: string, label: number, file: number): string | null {
    const { mapping } = this.options;
    switch (mapping.kind) {
      case 'call':
        return call;
      case 'path':
        return this.labels.at(label);
      case 'custom': {
        const { path, host } = file === NONE ? { path: null, host: '' } : this.trace.files.at(file);
        return mapping.map({ call, path, host });
      }
      default:
        return `${call}:${this.labels.at(label)}`;
    }
  }
}
