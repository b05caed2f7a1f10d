import type { QueryValue } from '../query-engine.ts';
import { ACCESS_QUESTIONS } from './access-patterns.ts';
import { APPLICATION_QUESTIONS } from './applications.ts';
import { INSIGHT_QUESTIONS } from './insights.ts';
import type { Question, QuestionParameter } from './question.ts';
import { SERVER_QUESTIONS } from './servers.ts';
import { TARGET_QUESTIONS } from './storage-targets.ts';
import { USAGE_QUESTIONS } from './usage.ts';

/** All ready-made questions, in the order in which they are shown. */
export const QUESTIONS: readonly Question[] = [
  ...APPLICATION_QUESTIONS,
  ...ACCESS_QUESTIONS,
  ...TARGET_QUESTIONS,
  ...SERVER_QUESTIONS,
  ...INSIGHT_QUESTIONS,
  ...USAGE_QUESTIONS,
];

/** @throws RangeError in words for the user when there is none of that name. */
export function questionNamed(id: string): Question {
  const question = QUESTIONS.find((known) => known.id === id);
  if (question === undefined)
    throw new RangeError(`There is no question ${id}; there are ${QUESTIONS.map((known) => known.id).join(', ')}.`);
  return question;
}

/**
 * Values for the parameters of a question in their order; those that are not given have their initial value.
 * @throws RangeError in words for the user.
 */
export function questionValues({ id, parameters }: Question, given: readonly QueryValue[]): QueryValue[] {
  if (given.length > parameters.length)
    throw new RangeError(`${id}: takes ${parameters.length} values, not ${given.length}.`);
  return parameters.map((parameter, index) => checked(id, parameter, given[index] ?? parameter.initial));
}

function checked(id: string, { name, kind, choices }: QuestionParameter, value: QueryValue): QueryValue {
  if (choices !== undefined) {
    if (choices.includes(value as string)) return value;
    throw new RangeError(`${id}: ${name} is ${String(value)}; ${choices.join(' or ')} is expected.`);
  }
  if (kind === 'text' || kind === 'instant') {
    if (typeof value === 'string') return value;
  } else {
    const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof amount === 'number' && Number.isFinite(amount) && (kind === 'number' || Number.isSafeInteger(amount)))
      return amount;
  }
  throw new RangeError(`${id}: ${name} is ${String(value)}; ${EXPECTED[kind]} is expected.`);
}

const EXPECTED = {
  integer: 'a whole number',
  number: 'a number',
  text: 'a text',
  instant: 'a moment such as 2018-01-31 12:00:00',
};
