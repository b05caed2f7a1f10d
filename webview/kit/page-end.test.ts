import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageLine } from '../../src/base/page-line.ts';
import { PageEnd, unlessOvertaken, type PageHears } from './page-end.ts';

const ENDS = { version: 7, state: v.object({ tab: v.string() }) };
interface From {
  readonly asks: { readonly double: v.GenericSchema<{ readonly of: number }> };
  readonly says: {
    readonly drawn: v.GenericSchema<{ readonly rows: number }>;
    readonly back: v.GenericSchema<undefined>;
  };
}
interface ToPage {
  readonly says: { readonly show: string; readonly said: string };
  readonly answers: { readonly double: number };
}
type Line = PageLine<typeof ENDS, From, ToPage>;

let posted: unknown[];
let kept: unknown;
let told: string[];

beforeEach(() => {
  posted = [];
  kept = undefined;
  told = [];
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('acquireVsCodeApi', () => ({
    postMessage: (message: unknown) => posted.push(message),
    getState: () => kept,
    setState: (state: unknown) => {
      kept = state;
    },
  }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function listening(): PageEnd<Line> {
  const page = new PageEnd<Line>(ENDS);
  const hears: PageHears<Line> = {
    show: (what) => told.push(`shown: ${what}`),
    said: (what) => told.push(`said: ${what}`),
  };
  page.listen(hears, (message) => told.push(message));
  return page;
}
const receive = (data: unknown): boolean => window.dispatchEvent(new MessageEvent('message', { data }));

test('says that it is ready, hears its panel, and refuses one of another version', () => {
  listening().say('back');
  expect(posted).toEqual([{ ready: 7 }, { say: 'back', value: undefined }]);
  receive({ version: 7, say: 'show', value: 'all' });
  receive({ version: 8, say: 'said', value: 'more' });
  expect(told).toEqual(['shown: all', expect.stringContaining('another version of I/O Lens')]);
});

test('an answer belongs to its question; a problem is an error with its name', async () => {
  const page = listening();
  const [one, two] = [page.ask('double', { of: 1 }), page.ask('double', { of: 2 })];
  receive({ version: 7, problem: 2, message: 'not any more', name: 'StaleRowsError' });
  receive({ version: 7, answer: 1, value: 2 });
  expect(await one).toBe(2);
  await expect(two).rejects.toMatchObject({ name: 'StaleRowsError', message: 'not any more' });
});

test('of questions in the place of each other only the newest is answered, and nobody is told of the rest', async () => {
  const page = listening();
  const tell = unlessOvertaken((message) => told.push(message));
  const first = page.askInstead('double', { of: 1 }).catch(tell);
  const second = page.askInstead('double', { of: 2 });
  receive({ version: 7, answer: 1, value: 2 });
  receive({ version: 7, answer: 2, value: 4 });
  expect(await first).toBeUndefined();
  expect(await second).toBe(4);
  expect(told).toEqual([]);
  const third = page.ask('double', { of: 3 }).catch(tell);
  page.forget('The store was read again.');
  await third;
  expect(told).toEqual(['The store was read again.']);
});

test('takes the state that it kept, and none from elsewhere', () => {
  new PageEnd<Line>(ENDS).keep({ tab: 'jobs' });
  expect(new PageEnd<Line>(ENDS).kept).toEqual({ tab: 'jobs' });
  kept = { tab: 3 };
  expect(new PageEnd<Line>(ENDS).kept).toBeUndefined();
});

/** Looked at by the compiler alone. */
export const doNotCompile = [
  // @ts-expect-error the page does not hear `said`
  { show: () => undefined } satisfies PageHears<Line>,
  // @ts-expect-error nobody answers this
  (page: PageEnd<Line>) => page.ask('third', { of: 3 }),
  // @ts-expect-error it has to be said of what
  (page: PageEnd<Line>) => page.ask('double'),
  // @ts-expect-error an answer is a number
  (page: PageEnd<Line>): Promise<string> => page.ask('double', { of: 2 }),
  // @ts-expect-error rows are counted
  (page: PageEnd<Line>) => page.say('drawn', { rows: 'three' }),
  // @ts-expect-error there is more to say
  (page: PageEnd<Line>) => page.say('drawn'),
  // @ts-expect-error a tab has a name
  (page: PageEnd<Line>) => page.keep({ tab: 3 }),
];
