import type { CallMeasure, CallTree } from '../../analysis/call-tree/call-tree.ts';
import { amountOf, measuresOf, measureWords, namedPlace, shareOf } from '../../drawing/call-tree/call-words.ts';
import { flameBlocks } from '../../drawing/call-tree/flame-blocks.ts';
import { flameLegend, flamePicture, LEAST_BLOCK } from '../../drawing/call-tree/flame-picture.ts';
import { withoutLibraryInsides } from '../../drawing/call-tree/shown-tree.ts';
import { Ways, type Way } from '../../drawing/call-tree/ways.ts';
import { branch, type Branch } from '../../drawing/markup/tree.ts';
import { roleColour } from '../../drawing/palette.ts';

/** Pixels of the chart, which shrinks with the page. */
const WIDTH = 1060;
/** Calls, and ways to each, that are listed: part of the whole below which nobody looks, and a bound. */
const LEAST = 0.01;
const MOST_BELOW = 12;
const DEEPEST = 24;

/** Call stacks of a recording as a flame chart, and who made the calls as a list that unfolds; none where none has one. */
export function stackParts(tree: CallTree): Branch[] {
  const shown = withoutLibraryInsides(tree);
  const measure = measuresOf(shown).find((each) => each !== 'bytes');
  if (measure === undefined || !tree.hasStacks) return [];
  const ways = new Ways(shown, { measure, byLine: false });
  const blocks = flameBlocks(ways.root, LEAST_BLOCK / WIDTH);
  const label = `Flame chart: ${measureWords(measure, tree.times)}`;
  const look = { tree: shown, measure, whole: ways.total, width: WIDTH, isUpward: false, isWalked: false, label };
  return [
    branch('h3', {}, 'Call stacks'),
    branch('p', { class: 'soft' }, `${measureWords(measure, tree.times)}: ${amountOf(measure, ways.total)}`),
    flameLegend(shown),
    branch('div', { class: 'stacks' }, flamePicture(blocks, look)),
    branch('p', { class: 'soft' }, 'Which calls, and who made them:'),
    wayList(ways.inverted.next, { ways, measure }, 0),
  ];
}

interface Listed {
  readonly ways: Ways;
  readonly measure: CallMeasure;
}

function wayList(next: readonly Way[], listed: Listed, depth: number): Branch {
  const { ways, measure } = listed;
  const shown = next.filter(({ total }) => total >= LEAST * ways.total).slice(0, MOST_BELOW);
  const items = shown.map((way) => {
    const said = [
      branch('code', {}, namedPlace(ways.tree, way)),
      ` ${shareOf(way.total, ways.total)}, ${amountOf(measure, way.total)}`,
    ];
    if (depth >= DEEPEST || way.next.length === 0) return branch('li', {}, ...said);
    const callers = wayList(way.next, listed, depth + 1);
    return branch(
      'li',
      {},
      branch('details', { open: depth > 0 ? '' : undefined }, branch('summary', {}, ...said), callers),
    );
  });
  const left = next.length - shown.length;
  return branch(
    'ul',
    { class: 'ways' },
    ...items,
    left > 0 ? branch('li', { class: 'soft' }, `and ${left} more`) : null,
  );
}

const ROLES = { program: 'computing', read: 'read', write: 'write', metadata: 'metadata', sync: 'sync' } as const;

function blockColours(isDark: boolean): string {
  const named = Object.entries({ ...ROLES, communication: 'communication' as const }).map(
    ([name, role]) => `.block.${name} { --hue: ${roleColour(role, isDark)}; }`,
  );
  return [`.block { --hue: ${roleColour('rest', isDark)}; }`, ...named].join(' ');
}

export const STACKS_STYLE = `
${blockColours(false)}
@media screen and (prefers-color-scheme: dark) { ${blockColours(true)} }
.flame .block rect { fill: var(--hue); fill-opacity: .34; stroke: var(--hue); }
.flame .block.rest rect { fill: none; }
.flame text { fill: var(--text); font: 11px system-ui, "DejaVu Sans", sans-serif; }
.stacks { overflow-x: auto; } .stacks > .flame { max-width: 100%; height: auto; }
.ways { padding-left: 1.2rem; list-style: none; } .ways summary { color: inherit; }
.legend .key { vertical-align: -1px; }
`;
