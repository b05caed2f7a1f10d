import type { NumberText, ReplayNode, ReplayTask } from '../program.ts';
import { isSeries } from '../run/task-program.ts';
import { leastDigits, NUMBER } from './counted-path.ts';

/** A number of a task: its constant, and the terms of the series around it. */
interface TaskNumber {
  readonly constant: number;
  /** ` + 640 * i`, or ''. */
  readonly terms: string;
  /** In paths without terms: the number as it stands there. */
  readonly digits?: string;
}

/** What a task does: without its numbers, and these one by one. */
interface TaskOutline {
  readonly key: string;
  readonly numbers: readonly TaskNumber[];
}

const FIELDS = ['offset', 'displacement', 'peer', 'bytes', 'length', 'count'] as const;

/**
 * Neighbouring tasks that do the same with numbers that grow by the same from task to task become one, with RANK in its
 * expressions: it does the same for each rank, and runs at another SIZE where all are one.
 */
export function joinTasks(bodies: readonly (readonly ReplayNode[])[]): ReplayTask[] {
  const outlines = bodies.map(outlineOf);
  const tasks: ReplayTask[] = [];
  for (let first = 0; first < bodies.length;) {
    let end = first + 1;
    while (end < bodies.length && goesOn(outlines, first, end)) end++;
    const body = end - first === 1 ? bodies[first]! : withRank(bodies[first]!, outlines, first);
    const own = end - first === 1 ? String(first) : `${first}..${end - 1}`;
    tasks.push({ ranks: end - first === bodies.length && end > 1 ? 'all' : own, body });
    first = end;
  }
  return tasks;
}

function outlineOf(body: readonly ReplayNode[]): TaskOutline {
  const numbers: TaskNumber[] = [];
  const fixed = mapped(body, (number) => {
    numbers.push(number);
    return number.terms;
  });
  return { key: JSON.stringify(fixed), numbers };
}

/** Whether a task does what those from `first` on do, its numbers one step further. */
function goesOn(outlines: readonly TaskOutline[], first: number, rank: number): boolean {
  const begin = outlines[first]!;
  const last = outlines[rank - 1]!;
  const its = outlines[rank]!;
  if (its.key !== begin.key) return false;
  const next = outlines[first + 1]!;
  return its.numbers.every((number, i) => {
    const { constant, digits } = begin.numbers[i]!;
    const step = next.numbers[i]!.constant - constant;
    if (number.constant - last.numbers[i]!.constant !== step || !Number.isSafeInteger(constant - step * first))
      return false;
    return digits === undefined || number.digits === String(number.constant).padStart(leastDigits(digits), '0');
  });
}

function withRank(body: readonly ReplayNode[], outlines: readonly TaskOutline[], first: number): ReplayNode[] {
  const next = outlines[first + 1]!.numbers;
  let at = 0;
  return mapped(body, ({ constant, terms }) => {
    const step = next[at++]!.constant - constant;
    return numberText(constant - step * first, step, terms);
  });
}

/** A number of tasks: `constant + step * RANK`, and what the series add. */
function numberText(constant: number, step: number, terms: string): NumberText {
  const factor = Math.abs(step) === 1 ? 'RANK' : `${Math.abs(step)} * RANK`;
  if (step === 0) {
    if (terms === '') return constant;
    return constant === 0 && terms.startsWith(' + ') ? terms.slice(3) : `${constant}${terms}`;
  }
  // A number of no task is below zero: it grows then.
  if (constant < 0) return `${factor} - ${-constant}${terms}`;
  if (constant === 0 && step > 0) return `${factor}${terms}`;
  return `${constant} ${step < 0 ? '-' : '+'} ${factor}${terms}`;
}

function numberOf(value: NumberText): TaskNumber {
  if (typeof value === 'number') return { constant: value, terms: '' };
  const [, constant, terms] = /^(\d+)( [+-] .*)$/.exec(value) ?? [];
  if (constant !== undefined) return { constant: Number(constant), terms: terms! };
  return { constant: 0, terms: ` + ${value}` };
}

/** The nodes with each number replaced. */
function mapped(body: readonly ReplayNode[], change: (number: TaskNumber) => NumberText): ReplayNode[] {
  return body.map((node) => {
    const fields: Record<string, unknown> = { ...node };
    for (const field of FIELDS)
      if (fields[field] !== undefined) fields[field] = change(numberOf(fields[field] as NumberText));
    // The two paths of a rename are as they are.
    if (typeof fields['path'] === 'string' && fields['to'] === undefined)
      fields['path'] = mappedPath(fields['path'], change);
    if (isSeries(node)) fields['body'] = mapped(node.body, change);
    return fields as unknown as ReplayNode;
  });
}

/** All numbers of a path may grow from task to task, those that count in series as well as those that do not. */
function mappedPath(path: string, change: (number: TaskNumber) => NumberText): string {
  if (/\{\{|\}\}/.test(path)) return path;
  const numbers = new RegExp(String.raw`\{([^{}:]+)(:\d+)?\}|${NUMBER}`, 'g');
  return path.replace(numbers, (text: string, expression: string | undefined, digits = '') => {
    if (expression !== undefined) return `{${change(numberOf(expression))}${digits}}`;
    const changed = change({ constant: Number(text), terms: '', digits: text });
    if (changed === Number(text)) return text;
    // An outline has no number there: those of other tasks may have no zero in front.
    const least = changed === '' ? 0 : leastDigits(text);
    return `{${changed}${least === 0 ? '' : `:${least}`}}`;
  });
}
