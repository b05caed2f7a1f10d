import { NONE } from '../../trace/events.ts';
import { groupCases } from '../dfg/cases.ts';
import { forEachMapped } from '../dfg/directly-follows-graph.ts';
import { END, START } from '../dfg/graph.ts';
import { ActivityMapper, parseMapping } from '../dfg/mapping.ts';
import { EventBits } from './event-mask.ts';
import { NothingNamed, type EventCondition } from './event-condition.ts';
import type { SelectionInputs } from './selection-inputs.ts';
import type { ActivityNaming, SelectionPart } from './selection.ts';

/** Activities and edges mean the very events that a graph of the same naming counts. */

/**
 * A selection names no module of the user's as its mapping: it may come from a link, and must not run code.
 * @throws RangeError in words for the user when the mapping cannot be read.
 */
export function mapperOf(inputs: SelectionInputs, naming: ActivityNaming): ActivityMapper {
  const { mapping, siteVariables = [], pathFilter, ownFilesOnly, layer } = naming;
  return new ActivityMapper(inputs.trace, inputs.callSites, {
    mapping: parseMapping(mapping),
    siteVariables,
    pathFilter,
    withoutCalls: [],
    ...(ownFilesOnly && { ignored: inputs.ignored }),
    ...(layer !== undefined && { layer }),
  });
}

export function activityCondition(
  inputs: SelectionInputs,
  part: Extract<SelectionPart, { kind: 'activity' }>,
): EventCondition | NothingNamed {
  const mapper = namedBy(inputs, part);
  if (mapper instanceof NothingNamed) return mapper;
  const wanted = mapper.activities.intern(part.activity);
  return (chunk, i) => mapper.counts(chunk, i) && mapper.activity(chunk, i) === wanted;
}

/** Whether two events follow each other is known only when their case is gone through by time, so this is a pass of its own. */
export function edgeCondition(
  inputs: SelectionInputs,
  part: Extract<SelectionPart, { kind: 'edge' }>,
): EventCondition | NothingNamed {
  const mapper = namedBy(inputs, part);
  if (mapper instanceof NothingNamed) return mapper;
  const { trace } = inputs;
  const cases = groupCases(trace, part.grouping);
  const from = part.from === START ? NONE : mapper.activities.intern(part.from);
  const to = part.to === END ? NONE : mapper.activities.intern(part.to);
  const lastActivity = new Int32Array(cases.names.length).fill(NONE);
  const lastRow = new Float64Array(cases.names.length).fill(NONE);
  const found = new EventBits(trace.events.length);
  forEachMapped(trace, mapper, cases, (activity, kase, _chunk, _i, row) => {
    if (activity === to && lastActivity[kase] === from) {
      if (from !== NONE) found.add(lastRow[kase]!);
      found.add(row);
    }
    lastActivity[kase] = activity;
    lastRow[kase] = row;
  });
  if (to === NONE) {
    lastActivity.forEach((activity, kase) => {
      if (activity !== NONE && activity === from) found.add(lastRow[kase]!);
    });
  }
  if (found.count === 0)
    return new NothingNamed(`the activity ${part.to} never directly follows ${part.from} in this recording`);
  return (_chunk, _i, row) => found.has(row);
}

function namedBy(inputs: SelectionInputs, naming: ActivityNaming): ActivityMapper | NothingNamed {
  try {
    return mapperOf(inputs, naming);
  } catch (error) {
    if (error instanceof RangeError) return new NothingNamed(error.message);
    throw error;
  }
}
