import type { SiteVariable } from '../dfg/mapping.ts';

/**
 * What the user has selected, the same in all views: a chain of parts, each of which narrows what the part before leaves.
 * Everything is named as people name it (paths, lines, ranks) and never by an index, so that a selection outlives the
 * recording it was made in: it holds for a second recording, after reading anew, and in a link.
 */
export type Selection = readonly SelectionPart[];

export type SelectionPart =
  /** Calls whose call site is this line; the file as on this machine where it is here, the line as recorded. */
  | { readonly kind: 'line'; readonly file: string; readonly line: number }
  /** Calls below a function of the user's code, however deep. */
  | { readonly kind: 'function'; readonly file: string; readonly name: string }
  | ({ readonly kind: 'activity'; readonly activity: string } & ActivityNaming)
  /** Events of `from` that `to` follows directly in their case, and those of `to` that follow; ● and ■ are the ends. */
  | ({ readonly kind: 'edge'; readonly from: string; readonly to: string } & ActivityNaming)
  /** Calls on a file, by its recorded path. */
  | { readonly kind: 'file'; readonly path: string }
  /** All processes and threads of a rank. */
  | { readonly kind: 'rank'; readonly rank: number }
  /** One process with its threads; with `thread`, that thread only. Host '' where the recording knows none. */
  | { readonly kind: 'process'; readonly host: string; readonly process: number; readonly thread?: number }
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'layer'; readonly layer: string }
  | { readonly kind: 'call'; readonly call: string }
  /** All calls that do the same, whatever their names: one of OPERATIONS. */
  | { readonly kind: 'operation'; readonly operation: string }
  /**
   * One call, and all calls of lower layers that it became. It is told by what it is and where the recording holds it: a
   * line (or the number of a record) of one of the recording's files.
   */
  | {
      readonly kind: 'below';
      readonly call: string;
      readonly host: string;
      readonly process: number;
      readonly thread: number;
      readonly file: string;
      readonly line: number;
    }
  /** Events that overlap a span of time; nanoseconds from the trace's origin. */
  | { readonly kind: 'span'; readonly fromNs: number; readonly toNs: number }
  /** Calls at the places of a finding; with `file` and `line`, at one of its places. */
  | { readonly kind: 'insight'; readonly code: string; readonly file?: string; readonly line?: number };

/** How a graph named its activities: part of what an activity or an edge means. */
export interface ActivityNaming {
  /** As `parseMapping` reads it. */
  readonly mapping: string;
  readonly pathFilter: string;
  readonly ownFilesOnly: boolean;
  readonly grouping: 'file' | 'pid' | 'rank';
  /** Prefixes that the names are abbreviated by; none by default. */
  readonly siteVariables?: readonly SiteVariable[];
  /** Calls of which layers (`layers/layer-choice`); the program's own by default. */
  readonly layer?: string;
}
