import * as v from 'valibot';
import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { COUNT, list, NAME, NUMBER, TEXT } from '../../base/page-values.ts';

export type { SelectionPart } from '../../analysis/selection/selection.ts';

/** To every view: what is selected, in words, the widest part first; empty when nothing is. */
export interface SelectionWords {
  readonly labels: readonly string[];
}

const MOST_PARTS = 16;

/** Nanoseconds from the origin of a recording. */
const TIME = v.pipe(NUMBER, v.minValue(-Number.MAX_SAFE_INTEGER), v.maxValue(Number.MAX_SAFE_INTEGER));

/** How a graph named its activities. */
const NAMING = v.object({
  /** It can be a document of rules. */
  mapping: v.pipe(v.string(), v.nonEmpty(), v.maxLength(65_536)),
  pathFilter: TEXT,
  ownFilesOnly: v.boolean(),
  grouping: v.picklist(['file', 'pid', 'rank']),
  siteVariables: v.exactOptional(list(v.object({ name: NAME, prefix: NAME }), 100)),
  layer: v.exactOptional(NAME),
});

/** A part that came from a view, a link or the state of a workspace: none of them is trusted. */
export const SELECTION_PART = v.variant('kind', [
  v.object({ kind: v.literal('line'), file: NAME, line: COUNT }),
  v.object({ kind: v.literal('function'), file: TEXT, name: NAME }),
  v.object(v.entriesFromObjects([v.object({ kind: v.literal('activity'), activity: NAME }), NAMING])),
  v.object(v.entriesFromObjects([v.object({ kind: v.literal('edge'), from: NAME, to: NAME }), NAMING])),
  v.object({ kind: v.literal('file'), path: NAME }),
  v.object({ kind: v.literal('rank'), rank: COUNT }),
  v.object({ kind: v.literal('process'), host: TEXT, process: COUNT, thread: v.exactOptional(COUNT) }),
  v.object({ kind: v.literal('host'), host: TEXT }),
  v.object({ kind: v.literal('layer'), layer: NAME }),
  v.object({ kind: v.literal('call'), call: NAME }),
  v.object({ kind: v.literal('operation'), operation: NAME }),
  v.object({
    kind: v.literal('below'),
    call: NAME,
    host: TEXT,
    process: COUNT,
    thread: COUNT,
    file: TEXT,
    line: COUNT,
  }),
  v.pipe(
    v.object({ kind: v.literal('span'), fromNs: TIME, toNs: TIME }),
    v.check(({ fromNs, toNs }) => fromNs <= toNs),
  ),
  v.object({
    kind: v.literal('insight'),
    code: NAME,
    file: v.exactOptional(TEXT),
    line: v.exactOptional(COUNT),
  }),
]);
const SELECTION = list(SELECTION_PART, MOST_PARTS);

export function isSelection(value: unknown): value is Selection {
  return v.is(SELECTION, value);
}

export function isSelectionPart(value: unknown): value is SelectionPart {
  return v.is(SELECTION_PART, value);
}
