import type { GraphMarks, ViewGraph } from '../../src/features/graph/protocol.ts';
import { formatShare } from '../../src/base/quantities.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** Height of the bar that says how much of a node is selected. */
const BAR = 4;

/** Dims the nodes and edges that do not take part in the selection; a bar says how much of the others does. */
export function markSelection(canvas: SVGGElement, selection: GraphMarks | undefined): void {
  const isMarked = selection?.isMarked === true;
  const nodes = new Map(selection?.activities.map(({ activity, share }) => [activity, share]));
  const edges = new Map(selection?.edges.map(({ from, to, share }) => [edgeKey(from, to), share]));
  for (const group of canvas.querySelectorAll<SVGElement>('.node')) {
    const share = nodes.get(group.dataset['activity']!) ?? 0;
    mark(group, isMarked, share);
    group.querySelector('.share')?.remove();
    const box = group.querySelector('.box');
    if (isMarked && share > 0 && box !== null) box.after(shareBar(box, share));
  }
  for (const group of canvas.querySelectorAll<SVGElement>('.edge'))
    mark(group, isMarked, edges.get(edgeKey(group.dataset['from']!, group.dataset['to']!)) ?? 0);
}

function mark(group: SVGElement, isMarked: boolean, share: number): void {
  group.classList.toggle('not-selected', isMarked && share === 0);
  const plain = group.dataset['plain'] ?? group.getAttribute('aria-label');
  if (plain === null) return;
  group.dataset['plain'] = plain;
  group.setAttribute('aria-label', isMarked ? `${plain}; ${formatShare(share)} of its events are selected` : plain);
}

function shareBar(box: Element, share: number): SVGElement {
  const bar = document.createElementNS(SVG, 'rect');
  const size = (name: string): number => Number(box.getAttribute(name));
  bar.setAttribute('class', 'share');
  bar.setAttribute('y', String(size('height') - BAR));
  bar.setAttribute('width', String(Math.max(BAR, size('width') * share)));
  bar.setAttribute('height', String(BAR));
  return bar;
}

function edgeKey(from: string, to: string): string {
  return JSON.stringify([from, to]);
}

/** Buttons for the edges that leave a node: lines are hard to hit, and no key reaches them. */
export function appendEdges(
  parent: HTMLElement,
  graph: ViewGraph | undefined,
  activity: string,
  choose: (from: string, to: string) => void,
): void {
  const edges = graph?.edges.filter(({ from }) => from === activity) ?? [];
  if (edges.length === 0) return;
  const followers = document.createElement('div');
  followers.append('followed by: ');
  for (const { from, to, count } of edges) {
    const link = document.createElement('button');
    link.type = 'button';
    link.className = 'link';
    link.textContent = `${to} (${count.toLocaleString('en-US')})`;
    link.title = 'Select where the one directly follows the other';
    link.addEventListener('click', () => choose(from, to));
    followers.append(link);
  }
  parent.append(followers);
}
