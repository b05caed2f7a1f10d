import type { CaseGrouping } from '../../analysis/dfg/cases.ts';
import type { SiteVariable } from '../../analysis/dfg/site-paths.ts';

export { DEFAULT_LAYER_CHOICE, LAYER_CHOICES } from '../../analysis/layers/layer-choice.ts';

/** How a graph is wanted; plain data, see GraphOptions. */
export interface GraphRequest {
  /**
   * `call+path:2` and the like, the JSON text of a `MappingDocument`, or the path of a JavaScript module whose default
   * export maps an event to a name.
   */
  readonly mapping: string;
  readonly siteVariables: readonly SiteVariable[];
  readonly pathFilter: string;
  readonly withoutCalls: readonly string[];
  /** Leaves out the files that findings leave out (system, loader, libraries). */
  readonly ownFilesOnly: boolean;
  readonly grouping: CaseGrouping;
  /** Calls of which layers: `outermost` (the default), `requests`, `all`, or the name of a layer. */
  readonly layer?: string;
  /** Globs of case names; both or neither. */
  readonly green: readonly string[];
  readonly red: readonly string[];
}

export const PLAIN_GRAPH: GraphRequest = {
  mapping: 'call+path:2',
  siteVariables: [],
  pathFilter: '',
  withoutCalls: [],
  ownFilesOnly: false,
  grouping: 'file',
  green: [],
  red: [],
};
