import { GROUP_NAMES, SHARE_GROUPS } from '../../src/drawing/workflow/share-parts.ts';
import type { ArrowKind, WorkflowPicture } from '../../src/drawing/workflow/workflow-picture.ts';
import { make } from '../kit/dom.ts';
import { svgElement } from '../kit/svg.ts';
import { DASHES } from './drawing.ts';

interface Entry {
  readonly sign: readonly SVGElement[];
  readonly text: string;
}

const KINDS: readonly (readonly [kind: ArrowKind, text: string])[] = [
  ['declared', 'declared to the scheduler'],
  ['data', 'data: written, then read'],
  ['time', 'by times only'],
];
const FILES = ['read', 'read-write', 'write'] as const;
const WIDTH = 34;
const HEIGHT = 14;

function entries(picture: WorkflowPicture): Entry[] {
  const box = { y: 1, width: WIDTH, height: HEIGHT - 2 };
  const line = (dashes: string, kind: string): SVGElement => {
    const path = svgElement('path', { d: `M0 ${HEIGHT / 2} H${WIDTH - 2}`, class: 'line', 'stroke-dasharray': dashes });
    path.setAttribute('marker-end', kind.includes('critical') ? 'url(#critical-tip)' : 'url(#tip)');
    const group = svgElement('g', { class: `arrow ${kind}` });
    group.append(path);
    return group;
  };
  return [
    ...SHARE_GROUPS.map((group) => ({
      text: GROUP_NAMES[group],
      sign: [
        svgElement('rect', { ...box, class: `part ${group}` }),
        ...(group === 'communication' ? [svgElement('rect', { ...box, fill: 'url(#hatch)', class: 'hatch' })] : []),
      ],
    })),
    { text: 'nothing recorded', sign: [svgElement('rect', { ...box, class: 'part unknown' })] },
    {
      text: 'files read, read and written, written',
      sign: FILES.map((mode, i) =>
        svgElement('rect', {
          x: (i * WIDTH) / 3,
          y: 2,
          width: WIDTH / 3 - 1,
          height: HEIGHT - 4,
          class: `files ${mode}`,
        }),
      ),
    },
    ...KINDS.map(([kind, text]) => ({ text, sign: [line(DASHES[kind], kind)] })),
    { text: 'critical chain', sign: [line('none', 'declared critical')] },
    ...(picture.axis === null ? [] : [{ text: 'waiting in the queue', sign: [queueSign()] }]),
  ];
}

function queueSign(): SVGElement {
  const group = svgElement('g', { class: 'queue' });
  group.append(svgElement('rect', { y: 3, width: WIDTH, height: HEIGHT - 6 }));
  return group;
}

/** Below the graph. */
export function legendList(picture: WorkflowPicture): HTMLElement {
  const rows = entries(picture).map(({ sign, text }) => {
    const drawing = svgElement('svg', { width: WIDTH, height: HEIGHT, 'aria-hidden': 'true' });
    drawing.append(...sign);
    const item = make('li', {}, text);
    item.prepend(drawing);
    return item;
  });
  return make('ul', { class: 'signs', 'aria-label': 'Legend' }, ...rows);
}

/** The same below the drawing itself, for a picture that is saved. */
export function legendDrawing(picture: WorkflowPicture): SVGElement {
  const group = svgElement('g', { class: 'legend' });
  let x = 0;
  let y = picture.height + 28;
  const right = Math.max(700, picture.width);
  for (const { sign, text } of entries(picture)) {
    const width = WIDTH + 14 + text.length * 7;
    if (x > 0 && x + width > right) {
      x = 0;
      y += 22;
    }
    const entry = svgElement('g', { transform: `translate(${x} ${y})` });
    entry.append(...sign, svgElement('text', { x: WIDTH + 6, y: 11.5 }, text));
    group.append(entry);
    x += width + 12;
  }
  return group;
}
