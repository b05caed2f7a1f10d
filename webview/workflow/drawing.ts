import { timeTicks } from '../../src/drawing/timeline/ticks.ts';
import { arrowPath } from '../../src/drawing/workflow/arrow-path.ts';
import type { Arrow, TimeAxis, WorkflowPicture } from '../../src/drawing/workflow/workflow-picture.ts';
import type { WorkflowDocument } from '../../src/features/workflow/protocol.ts';
import { svgElement } from '../kit/svg.ts';
import { drawJob, drawLabel, drawStep, type BoxLook } from './boxes.ts';
import { dependencyText } from './words.ts';

/** Dashes of the lines: declared solid, inferred from data dashed, from times dotted. */
export const DASHES: Readonly<Record<Arrow['kind'], string>> = { declared: 'none', data: '8 5', time: '1.5 4.5' };

/** Draws a workflow: arrows above the boxes of jobs, whose edges they reach, and below the words and steps. */
export function drawWorkflow(document: WorkflowDocument, picture: WorkflowPicture, look: BoxLook): SVGElement {
  const root = svgElement('g', { class: 'workflow' });
  if (picture.axis !== null) root.append(drawAxis(picture.axis, picture.height));
  for (const box of picture.boxes) root.append(...drawJob(box, document, look));
  picture.arrows.forEach((arrow, at) => root.append(drawArrow(arrow, at, document)));
  for (const box of picture.boxes) {
    const job = document.jobs[box.job]!;
    root.append(...drawLabel(box, job, look));
    for (const place of box.steps) root.append(...drawStep(place, box.job, job.steps[place.step]!));
  }
  return root;
}

function drawArrow(arrow: Arrow, at: number, document: WorkflowDocument): SVGElement {
  const { kind, isCritical, from, to, dependencies } = arrow;
  const d = arrowPath(arrow.points);
  const group = svgElement('g', { class: `arrow ${kind}${isCritical ? ' critical' : ''}`, 'data-arrow': at });
  const why = [...new Set(dependencies.map((index) => dependencyText(document.dependencies[index]!, document)))];
  const more = why.length > 4 ? `; and ${why.length - 4} more` : '';
  const text = `Job ${document.jobs[from]!.id} → job ${document.jobs[to]!.id}: ${why.slice(0, 4).join('; ')}${more}`;
  group.append(
    // A line of a pixel cannot be hit.
    svgElement('path', { d, class: 'hit', 'data-hit': '' }),
    svgElement('path', {
      d,
      class: 'line',
      'stroke-dasharray': DASHES[kind],
      'stroke-linecap': kind === 'time' ? 'round' : 'butt',
      'marker-end': isCritical ? 'url(#critical-tip)' : 'url(#tip)',
    }),
    svgElement('title', {}, text),
  );
  return group;
}

function drawAxis({ from, to, left, right }: TimeAxis, height: number): SVGElement {
  const group = svgElement('g', { class: 'axis', 'aria-hidden': 'true' });
  const width = right - left;
  for (const { at, label } of timeTicks({ fromNs: 0, toNs: (to - from) * 1e9 }, width)) {
    const x = left + (at / ((to - from) * 1e9)) * width;
    group.append(
      svgElement('line', { x1: x, x2: x, y1: 20, y2: height + 6 }),
      svgElement('text', { x: x + 3, y: 14 }, label),
    );
  }
  return group;
}
