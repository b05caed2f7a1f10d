import { CALL_MEASURES, type CallMeasure, type CallPlace, type CallTree } from '../../analysis/call-tree/call-tree.ts';
import { fileName } from '../../base/path-names.ts';
import { formatBytes, formatCount, formatDuration, formatShare } from '../../base/quantities.ts';
import { placeAt } from './shown-tree.ts';
import type { Way } from './ways.ts';

/** Words on places of a call tree, the same on pages, in reports and in terminals. */

export function amountOf(measure: CallMeasure, amount: number): string {
  switch (measure) {
    case 'timeNs':
      return formatDuration(amount);
    case 'bytes':
      return formatBytes(amount);
    case 'calls':
      return formatCount(amount);
  }
}

/** `42 %`; '' where there is nothing to be a part of. */
export function shareOf(amount: number, whole: number): string {
  return whole > 0 ? formatShare(amount / whole) : '';
}

/** Where a place stands: `save.c:42`, or the library. @param line 0 where that is not asked. */
function whereOf({ file, module }: CallPlace, line: number): string {
  if (file !== '') return line > 0 ? `${fileName(file)}:${line}` : fileName(file);
  return fileName(module);
}

/** `save (save.c:42)`; of several lines the one that most goes through: `save (save.c:42, …)`. */
export function namedPlace(tree: CallTree, { node, isOneLine }: Pick<Way, 'node' | 'isOneLine'>): string {
  const place = placeAt(tree, node);
  const where = whereOf(place, tree.line[node]!);
  const more = isOneLine ? '' : ', …';
  if (where === '' || where === place.name) return place.name;
  return `${place.name} (${where}${more})`;
}

/** All about a way in one sentence. @param whole what shares are of. */
export function wayWords(tree: CallTree, way: Way, measure: CallMeasure, whole: number): string {
  const own = way.self > 0 && way.self < way.total ? `, itself ${amountOf(measure, way.self)}` : '';
  return `${namedPlace(tree, way)}: ${shareOf(way.total, whole)}, ${amountOf(measure, way.total)}${own}`;
}

/** What the widths mean. */
export function measureWords(measure: CallMeasure, times: CallTree['times']): string {
  switch (measure) {
    case 'timeNs':
      return times === 'untraced'
        ? 'Time in calls, of all processes together, estimated without the tracer'
        : 'Time in calls, of all processes together';
    case 'bytes':
      return 'Bytes read and written';
    case 'calls':
      return 'Calls that reach files';
  }
}

/** What a tree can be weighed by: what it has nothing of is not offered. */
export function measuresOf(tree: CallTree): CallMeasure[] {
  const has = (measure: CallMeasure): boolean => tree[measure].some((amount) => amount > 0);
  return CALL_MEASURES.filter((measure) => has(measure));
}
