import { shortened } from '../../src/drawing/graph/graph-shapes.ts';
import { cssColour } from '../../src/drawing/timeline/category-colours.ts';
import { jobColour, textOnJob } from '../../src/drawing/workflow/job-colours.ts';
import { shareParts } from '../../src/drawing/workflow/share-parts.ts';
import type { Box, JobBox } from '../../src/drawing/workflow/workflow-picture.ts';
import type { AccessMode, WorkflowDocument, WorkflowJob, WorkflowStep } from '../../src/features/workflow/protocol.ts';
import { visibleText } from '../kit/dom.ts';
import { svgElement } from '../kit/svg.ts';
import { isFailed, jobText, stepText } from './words.ts';

/** Of a step's box: its number, its share, its files. */
const NUMBER_HEIGHT = 15;
const FILES_HEIGHT = 14;
/** What is narrower has no words. */
const LEAST_FOR_WORDS = 16;
/** What is narrower or lower has no files either. */
const LEAST_FOR_FILES = 9;
const MODES: readonly AccessMode[] = ['read', 'read-write', 'write'];

export interface BoxLook {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
}

/** A job's box, and its time in the queue; its label and its steps stand beside it in the tree, for a button holds no buttons. */
export function drawJob(box: JobBox, document: WorkflowDocument, look: BoxLook): SVGElement[] {
  const job = document.jobs[box.job]!;
  const { x, y, width, height } = box;
  const text = jobText(job, box.job, document);
  const group = svgElement('g', {
    class: `job${isFailed(job.state) ? ' failed' : ''}${document.criticalChain.includes(box.job) ? ' critical' : ''}`,
    role: 'button',
    tabindex: -1,
    'aria-label': visibleText(text),
    'data-job': box.job,
  });
  const back = svgElement('rect', { x, y, width, height, rx: Math.min(6, width / 4), class: 'back' });
  if (!look.isHighContrast) back.style.setProperty('--job', cssColour(jobColour(box.job, look.isDark)));
  group.append(back, svgElement('title', {}, text));
  const queue = box.queue === null ? [] : [drawQueue(box.queue, job)];
  return [...queue, group];
}

function drawQueue({ x, y, width, height }: Box, { id, queued }: WorkflowJob): SVGElement {
  const group = svgElement('g', { class: 'queue', 'aria-hidden': 'true' });
  const waited = queued === null ? '' : `: ${Math.round(queued)} s`;
  group.append(svgElement('rect', { x, y, width, height }), svgElement('title', {}, `Job ${id} in the queue${waited}`));
  return group;
}

export function drawLabel({ x, y, width, leftOut, job: at }: JobBox, job: WorkflowJob, look: BoxLook): SVGElement[] {
  if (width < 2 * LEAST_FOR_WORDS) return [];
  const mark = isFailed(job.state) ? '✗ ' : '';
  const more = leftOut > 0 ? ` (+${leftOut} steps)` : '';
  const long = `${mark}Job ${job.id}${job.name === '' ? '' : `: ${job.name}`}${more}`;
  const short = `${mark}Job ${job.id}`;
  const room = width + 8;
  const fitting = long.length * 6.5 <= width - 12 ? long : short.length * 6.5 <= width - 6 ? short : `${mark}${job.id}`;
  const label = svgElement(
    'text',
    { x: x + 6, y: y + 15, class: 'label', 'aria-hidden': 'true' },
    shortened(fitting, room),
  );
  if (!look.isHighContrast) label.style.setProperty('--on-job', textOnJob(at, look.isDark));
  return [label];
}

/** A step's box: coloured by what its time went to, and its files below. Its words stand beside it in the tree. */
export function drawStep(place: Box & { readonly step: number }, job: number, step: WorkflowStep): SVGElement[] {
  const { x, y, width, height } = place;
  const group = svgElement('g', {
    class: `step${isFailed(step.state) ? ' failed' : ''}${step.recording.length > 0 ? ' recorded' : ''}`,
    role: 'button',
    tabindex: -1,
    'aria-label': visibleText(stepText(step)),
    'data-job': job,
    'data-step': place.step,
  });
  const hasWords = width >= LEAST_FOR_WORDS && height > 2 * NUMBER_HEIGHT + FILES_HEIGHT;
  const hasFiles = width >= LEAST_FOR_FILES && height > 2 * FILES_HEIGHT && step.files.length > 0;
  const top = hasWords ? NUMBER_HEIGHT : 0;
  const share = { x, y: y + top, width, height: height - top - (hasFiles ? FILES_HEIGHT : 0) };
  group.append(svgElement('rect', { x, y, width, height, class: 'room' }));
  group.append(...drawShare(share, step));
  const words: SVGElement[] = [];
  if (hasWords)
    words.push(svgElement('text', { x: x + 4, y: y + 11.5, class: 'number' }, shortened(step.step, width + 14)));
  if (hasFiles)
    for (const { box, count } of fileBoxes({ x, y: y + height - FILES_HEIGHT, width, height: FILES_HEIGHT }, step)) {
      group.append(box);
      if (count !== null) words.push(count);
    }
  group.append(svgElement('rect', { x, y, width, height, class: 'frame' }), svgElement('title', {}, stepText(step)));
  for (const each of words) each.setAttribute('aria-hidden', 'true');
  return [group, ...words];
}

/** Computation at the bottom, then communication, then I/O; what was not recorded stays empty. */
function drawShare({ x, y, width, height }: Box, { share }: WorkflowStep): SVGElement[] {
  const parts = shareParts(share);
  if (parts.length === 0) return [svgElement('rect', { x, y, width, height, class: 'part unknown' })];
  let bottom = y + height;
  return parts.flatMap(({ group, part }) => {
    const size = height * part;
    bottom -= size;
    if (size === 0) return [];
    const place = { x, y: bottom, width, height: size };
    const filled = svgElement('rect', { ...place, class: `part ${group}` });
    // A second sign for those who do not tell the colours apart.
    return group === 'communication'
      ? [filled, svgElement('rect', { ...place, fill: 'url(#hatch)', class: 'hatch' })]
      : [filled];
  });
}

interface FileBox {
  readonly box: SVGElement;
  /** Null where it does not fit. */
  readonly count: SVGElement | null;
}

/** One box for each access mode: read-only, read and written, write-only, from left to right. */
function fileBoxes({ x, y, width, height }: Box, { files }: WorkflowStep): FileBox[] {
  const third = width / MODES.length;
  return MODES.flatMap((mode, i): FileBox[] => {
    const used = files.filter((use) => use.mode === mode).length;
    if (used === 0) return [];
    const inner = { x: x + i * third + third * 0.08, y: y + 2, width: third * 0.84, height: height - 4 };
    const box = svgElement('rect', { ...inner, class: `files ${mode}` });
    if (inner.width < String(used).length * 6 + 3) return [{ box, count: null }];
    const at = { x: inner.x + inner.width / 2, y: y + height - 4, class: `file-count ${mode}` };
    return [{ box, count: svgElement('text', at, String(used)) }];
  });
}
