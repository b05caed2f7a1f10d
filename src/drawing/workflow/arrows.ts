import { addToGroup } from '../../base/grouping.ts';
import type { Arrow, DrawnDependency, DrawnWorkflow } from './workflow-picture.ts';

/** More lines than this are a blot. */
const MOST_ARROWS = 1_500;
const ORDER = ['declared', 'data', 'time'] as const;

/** An arrow that has no way yet. */
export type Link = Omit<Arrow, 'points'>;

/**
 * Dependencies of one kind between the same two jobs are one arrow. What names a job that there is not, or a job itself, is
 * left out. The critical chain comes first, then what was declared: of too many arrows these are kept.
 */
export function linksOf({ jobs, dependencies, criticalChain }: DrawnWorkflow): { links: Link[]; leftOut: number } {
  const next = new Map(criticalChain.slice(1).map((job, i) => [criticalChain[i], job]));
  const isSound = ({ from, to }: DrawnDependency): boolean =>
    jobs[from] !== undefined && jobs[to] !== undefined && from !== to;
  const links = new Map<string, Link & { dependencies: number[] }>();
  dependencies.forEach((dependency, index) => {
    if (!isSound(dependency)) return;
    const { kind, from, to } = dependency;
    const key = `${kind} ${from} ${to}`;
    const known = links.get(key);
    if (known === undefined)
      links.set(key, { kind, from, to, isCritical: next.get(from) === to, dependencies: [index] });
    else known.dependencies.push(index);
  });
  const rank = ({ kind, isCritical }: Link): number => (isCritical ? -1 : ORDER.indexOf(kind));
  const all = [...links.values()].sort((a, b) => rank(a) - rank(b) || a.from - b.from || a.to - b.to);
  return { links: all.slice(0, MOST_ARROWS), leftOut: Math.max(0, all.length - MOST_ARROWS) };
}

/** Pixels between two arrows of the same jobs. */
const BESIDE = 14;

/** How far each arrow is moved down, so that those between the same two jobs lie beside each other. */
export function shiftsOf(links: readonly Link[]): number[] {
  const pairs = new Map<string, number[]>();
  links.forEach(({ from, to }, at) => {
    const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
    addToGroup(pairs, key, at);
  });
  const shifts = new Array<number>(links.length).fill(0);
  for (const pair of pairs.values())
    pair.forEach((at, i) => {
      shifts[at] = (i - (pair.length - 1) / 2) * BESIDE;
    });
  return shifts;
}
