import type { CallPlace, CallTree, CallMeasure } from '../../analysis/call-tree/call-tree.ts';
import { branch, type Branch } from '../markup/tree.ts';
import { shortened } from '../graph/graph-shapes.ts';
import { wayWords } from './call-words.ts';
import { rowsOf, type FlameBlock } from './flame-blocks.ts';
import { placeAt } from './shown-tree.ts';

/** Height of a row of blocks. */
const FLAME_ROW = 20;
/** Pixels below which a block is not drawn. */
export const LEAST_BLOCK = 2;
/** Pixels from which on a block has a name. */
const NAMED = 26;

export interface FlameLook {
  readonly tree: CallTree;
  readonly measure: CallMeasure;
  /** What shares are of. */
  readonly whole: number;
  readonly width: number;
  /** The first block stands at the bottom: callers above what they call. */
  readonly isUpward: boolean;
  /** Its places are named as parts of a tree that the keyboard walks. */
  readonly isWalked: boolean;
  readonly label: string;
  /** What is looked for stands out. */
  readonly isFound?: (place: CallPlace) => boolean;
}

/** The class that gives a block its colour. */
function blockClass({ kind, operation }: CallPlace): string {
  if (kind !== 'call') return kind;
  switch (operation) {
    case 'read':
    case 'write':
    case 'sync':
      return operation;
    case 'message':
      return 'communication';
    default:
      return 'metadata';
  }
}

/** The blocks as one SVG element, whose colours come by class from the style sheet of whoever shows it. */
export function flamePicture(blocks: readonly FlameBlock[], look: FlameLook): Branch {
  const { width, isWalked, label } = look;
  const rows = rowsOf(blocks);
  const height = Math.max(1, rows) * FLAME_ROW;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  return branch(
    'svg',
    { class: 'flame', ...size, role: isWalked ? 'tree' : 'img', 'aria-label': label },
    ...blocks.map((block, at) => drawnBlock(block, at, rows, look)),
  );
}

function drawnBlock({ way, from, width, depth }: FlameBlock, at: number, rows: number, look: FlameLook): Branch {
  const { tree, measure, whole, isUpward, isWalked } = look;
  const place = placeAt(tree, way.node);
  const words = wayWords(tree, way, measure, whole);
  const room = width * look.width;
  const y = (isUpward ? rows - 1 - depth : depth) * FLAME_ROW;
  const walked = { role: 'treeitem', tabindex: at === 0 ? 0 : -1, 'aria-level': depth + 1, 'aria-label': words };
  const found = look.isFound?.(place) === true ? ' found' : '';
  // A gap tells neighbours of one colour apart. A picture of its own cuts its text where guessed widths are too small.
  const box = { x: rounded(from * look.width), y, width: rounded(Math.max(1, room - 1)), height: FLAME_ROW - 1 };
  return branch(
    'svg',
    { class: `block ${blockClass(place)}${found}`, 'data-block': at, ...box, ...(isWalked && walked) },
    branch('title', {}, words),
    branch('rect', { width: '100%', height: '100%' }),
    room < NAMED ? null : branch('text', { x: 4, y: 14 }, shortened(place.name, room + 8)),
  );
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

const KEYS = [
  ['program', 'function of the program'],
  ['library', 'library'],
  ['read', 'read'],
  ['write', 'write'],
  ['metadata', 'other call'],
  ['sync', 'waits for the storage'],
  ['communication', 'communication'],
] as const;

/** What the colours mean, of those that occur. */
export function flameLegend(tree: CallTree): Branch {
  const shown = new Set(tree.place.map((place) => blockClass(tree.places[place]!)));
  const entries = KEYS.filter(([kind]) => shown.has(kind)).map(([kind, words]) =>
    branch(
      'li',
      {},
      branch(
        'svg',
        { class: 'key flame', width: 12, height: 12 },
        branch('svg', { class: `block ${kind}` }, branch('rect', { width: 12, height: 12 })),
      ),
      ` ${words}`,
    ),
  );
  return branch('ul', { class: 'legend', 'aria-hidden': 'true' }, ...entries);
}
