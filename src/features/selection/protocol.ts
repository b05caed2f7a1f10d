import type { ActivityNaming, Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { isCount, isRecord, isText } from '../../base/guards.ts';

export type { ActivityNaming, Selection, SelectionPart } from '../../analysis/selection/selection.ts';

/** To every view: what is selected, in words, the widest part first; empty when nothing is. */
export interface SelectionMessage {
  readonly kind: 'selection';
  readonly labels: readonly string[];
}

/** A mapping can be a document of rules. */
const LONGEST_MAPPING = 65_536;
const MOST_PARTS = 16;
const MOST_VARIABLES = 100;

/** Whether something that came from a view, a link or the state of a workspace is a selection: none of them is trusted. */
export function isSelection(value: unknown): value is Selection {
  return Array.isArray(value) && value.length <= MOST_PARTS && value.every(isSelectionPart);
}

export function isSelectionPart(value: unknown): value is SelectionPart {
  if (!isRecord(value)) return false;
  switch (value['kind']) {
    case 'line':
      return isName(value['file']) && isCount(value['line']);
    case 'function':
      return isText(value['file']) && isName(value['name']);
    case 'activity':
      return isName(value['activity']) && isNaming(value);
    case 'edge':
      return isName(value['from']) && isName(value['to']) && isNaming(value);
    case 'file':
      return isName(value['path']);
    case 'rank':
      return isCount(value['rank']);
    case 'process':
      return isText(value['host']) && isCount(value['process']) && isOptional(value['thread'], isCount);
    case 'host':
      return isText(value['host']);
    case 'layer':
      return isName(value['layer']);
    case 'call':
      return isName(value['call']);
    case 'operation':
      return isName(value['operation']);
    case 'below':
      return (
        isName(value['call']) &&
        isText(value['host']) &&
        isText(value['file']) &&
        ['process', 'thread', 'line'].every((name) => isCount(value[name]))
      );
    case 'span':
      return isTime(value['fromNs']) && isTime(value['toNs']) && value['fromNs'] <= value['toNs'];
    case 'insight':
      return isName(value['code']) && isOptional(value['file'], isText) && isOptional(value['line'], isCount);
    default:
      return false;
  }
}

function isNaming(value: Record<string, unknown>): value is Record<keyof ActivityNaming, unknown> {
  const { mapping, pathFilter, ownFilesOnly, grouping, siteVariables, layer } = value;
  return (
    typeof mapping === 'string' &&
    mapping !== '' &&
    mapping.length <= LONGEST_MAPPING &&
    isText(pathFilter) &&
    typeof ownFilesOnly === 'boolean' &&
    (grouping === 'file' || grouping === 'pid' || grouping === 'rank') &&
    isOptional(siteVariables, areVariables) &&
    isOptional(layer, isName)
  );
}

function areVariables(value: unknown): boolean {
  const isVariable = (each: unknown): boolean => isRecord(each) && isName(each['name']) && isName(each['prefix']);
  return Array.isArray(value) && value.length <= MOST_VARIABLES && value.every(isVariable);
}

function isName(value: unknown): value is string {
  return isText(value) && value !== '';
}

/** Nanoseconds from the origin of a recording. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isOptional(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value === undefined || isRight(value);
}
