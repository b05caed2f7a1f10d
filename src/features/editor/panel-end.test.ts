import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import type { PageLine } from '../../base/page-line.ts';
import { COUNT, NOTHING } from '../../base/page-values.ts';
import { PanelEnd, type PanelAnswers, type PanelHears } from './panel-end.ts';

const ENDS = { version: 7, state: v.object({ tab: v.string() }) };
const FROM = {
  asks: { double: v.object({ of: COUNT }), half: v.object({ of: COUNT }) },
  says: { drawn: v.object({ rows: COUNT }), back: NOTHING },
};
interface ToPage {
  readonly says: { readonly show: string; readonly said: string };
  readonly answers: { readonly double: number; readonly half: number };
}
type Line = PageLine<typeof ENDS, typeof FROM, ToPage>;

/** A panel whose page is this test. */
function opened(answers: Partial<PanelAnswers<Line>> = {}) {
  const posted: unknown[] = [];
  const calls: unknown[] = [];
  let send: (message: unknown) => void = () => undefined;
  const page = {
    postMessage: (message: unknown) => posted.push(message),
    onDidReceiveMessage: (listener: (message: unknown) => unknown) => {
      send = listener;
      return { dispose: () => calls.push('deaf') };
    },
  };
  const end: PanelEnd<Line> = new PanelEnd<Line>(page, ENDS, FROM, {
    answers: { double: ({ of }) => 2 * of, half: ({ of }) => of / 2, ...answers },
    hears: {
      drawn: ({ rows }) => calls.push(rows),
      back: () => Promise.reject(new Error('there is nothing to go back to')),
    },
    present: () => {
      end.say('show', 'all');
    },
    failed: (error) => calls.push(String(error)),
  });
  return { end, posted, calls, send: (message: unknown) => send(message) };
}
const ask = (name: string, number: number, of: unknown, isInstead = false): unknown => {
  return { ask: name, number, isInstead, value: { of } };
};

test('what is said before the page is ready waits, behind what is to be seen', () => {
  const { end, posted, send } = opened();
  end.present();
  end.say('said', 'early');
  expect(posted).toEqual([]);
  send({ ready: 7 });
  end.say('said', 'late');
  const said = (name: string, value: string): unknown => ({ version: 7, say: name, value });
  expect(posted).toEqual([said('show', 'all'), said('said', 'early'), said('said', 'late')]);
  // A page that was made anew is told what is to be seen, and nothing twice.
  send({ ready: 7 });
  expect(posted.slice(3)).toEqual([said('show', 'all')]);
});

describe('a panel that is hidden', () => {
  const said = (name: string, value: string): unknown => ({ version: 7, say: name, value });
  function hidden() {
    const panel = opened();
    panel.send({ ready: 7 });
    panel.end.seen(false);
    panel.end.present();
    panel.end.say('said', 'one');
    panel.end.say('said', 'two');
    expect(panel.posted.splice(0)).toEqual([said('show', 'all')]);
    panel.end.seen(true);
    return panel;
  }

  test('has a new page, which is told what was said meanwhile, of each name the last', () => {
    const { posted, send } = hidden();
    posted.length = 0;
    send({ ready: 7 });
    expect(posted).toEqual([said('show', 'all'), said('show', 'all'), said('said', 'two')]);
  });

  test('or was only moved: its page is told at once, and nothing twice', () => {
    const { end, posted, send } = hidden();
    expect(posted.splice(0)).toEqual([said('show', 'all'), said('said', 'two')]);
    send({ say: 'drawn', value: { rows: 3 } });
    end.say('said', 'three');
    expect(posted.splice(0)).toEqual([said('said', 'three')]);
    send({ ready: 7 });
    expect(posted).toEqual([said('show', 'all')]);
  });

  test('or is closed: nothing is said to a page that is gone', () => {
    const { end, posted } = hidden();
    posted.length = 0;
    end.dispose();
    end.say('said', 'to nobody');
    expect(posted).toEqual([]);
  });
});

test('a question has its answer, or the error with its name', async () => {
  const failure = Object.assign(new Error('there are none'), { name: 'StaleRowsError' });
  const { posted, send } = opened({ half: () => Promise.reject(failure) });
  send(ask('double', 1, 21));
  send(ask('half', 2, 21));
  await vi.waitFor(() => expect(posted).toHaveLength(2));
  expect(posted).toContainEqual({ version: 7, answer: 1, value: 42 });
  expect(posted).toContainEqual({ version: 7, problem: 2, message: 'there are none', name: 'StaleRowsError' });
});

test('a question in the place of others leaves these without an answer', async () => {
  const waiting: (() => void)[] = [];
  const double: PanelAnswers<Line>['double'] = ({ of }) =>
    new Promise((resolve) => waiting.push(() => resolve(2 * of)));
  const signals: AbortSignal[] = [];
  const { posted, send } = opened({
    double: (question, asked) => {
      signals.push(asked.signal);
      return double(question, asked);
    },
  });
  send(ask('double', 1, 1));
  send(ask('half', 2, 8));
  send(ask('double', 3, 3, true));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  for (const answer of waiting) answer();
  await vi.waitFor(() => expect(posted).toHaveLength(2));
  expect(posted.map((message) => (message as { answer: number }).answer)).toEqual([2, 3]);
});

test('a question that is not of the line fails, and nobody waits for its answer', () => {
  const { posted, send } = opened();
  send(ask('double', 1, '2'));
  send(ask('toString', 2, 2));
  const refused = (number: number, why: string): unknown => {
    return { version: 7, problem: number, message: `This cannot be asked: ${why}.`, name: 'RefusedQuestionError' };
  };
  expect(posted).toEqual([
    refused(1, 'Invalid type: Expected number but received "2"'),
    refused(2, 'this is not known'),
  ]);
});

test('what fails is told, what is not of the line is not heard, and a closed panel hears nothing', async () => {
  const { end, calls, posted, send } = opened();
  for (const none of [null, 'ready', { say: 'drawn', value: { rows: -1 } }, { say: 'toString' }, { ask: 'double' }])
    send(none);
  send({ say: 'drawn', value: { rows: 3, more: 'than is known' } });
  send({ say: 'back' });
  await vi.waitFor(() => expect(calls).toEqual([3, 'Error: there is nothing to go back to']));
  expect(posted).toEqual([]);
  end.dispose();
  expect(calls.at(-1)).toBe('deaf');
});

/** Looked at by the compiler alone. */
export const doNotCompile = [
  // @ts-expect-error nobody answers `half`
  { double: ({ of }) => of } satisfies PanelAnswers<Line>,
  // @ts-expect-error a number is expected
  { double: () => 'two', half: () => 1 } satisfies PanelAnswers<Line>,
  // @ts-expect-error `back` is not heard
  { drawn: () => undefined } satisfies PanelHears<Line>,
  // @ts-expect-error the panel says no such thing
  (end: PanelEnd<Line>): void => end.say('told', ''),
];
// @ts-expect-error no answer is declared for a question
export type Unanswered = PageLine<typeof ENDS, typeof FROM, { says: ToPage['says']; answers: { double: number } }>;
