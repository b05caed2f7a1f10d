import { expect, test } from 'vitest';
import { counterTotals as totalsOfParser, exactTotals, inexactTotals } from '../../src/analysis/counters/totals.ts';
import { counterTotals } from '../../src/export/analysis/counter-totals.ts';
import { COUNTER_NAMES } from '../../src/readers/darshan/counter-names.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import type { CounterLog } from '../../src/trace/counters.ts';
import { lines, read as readText, row } from '../support/darshan/darshan-samples.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { memoryFile } from '../support/memory-file.ts';

/** Identifiers are hashes of 64 bits: added up they are nothing, and as numbers they are rounded. */
const RENAMED = [17_717_503_921_972_640_017n, 0n, 17_717_503_921_972_640_017n, 3n];
/** Bytes of each record: a number holds each, and not their sum. */
const WRITTEN = [2 ** 53 - 1, 2 ** 53 - 1, 2 ** 53 - 1, 2];
const ALL_WRITTEN = '27021597764222975';

function valueOf(counter: string, record: number): number | undefined {
  if (counter === 'POSIX_OPENS') return 2 ** 52;
  return counter === 'POSIX_BYTES_WRITTEN' ? WRITTEN[record] : undefined;
}

function saysSo(counters: CounterLog): void {
  const { totals, identifiers, inexact, exact } = counterTotals(counters)['POSIX']!;
  expect(identifiers).toEqual({ POSIX_RENAMED_FROM: ['17717503921972640017', '3'] });
  expect(totals).not.toHaveProperty('POSIX_RENAMED_FROM');
  expect(totals['POSIX_OPENS']).toBe(2 ** 54);
  expect([...inexact!].sort()).toEqual(['POSIX_BYTES_WRITTEN', 'POSIX_OPENS']);
  expect(exact).toEqual({ POSIX_OPENS: String(2n ** 54n), POSIX_BYTES_WRITTEN: ALL_WRITTEN });
  const [table] = counters.modules;
  const parsers = totalsOfParser(table!);
  expect(parsers.has('POSIX_RENAMED_FROM')).toBe(false);
  // Text, for no number holds it.
  expect(String(parsers.get('POSIX_BYTES_WRITTEN'))).not.toBe(ALL_WRITTEN);
  const ofJob = exactTotals(table!, inexactTotals(Object.fromEntries(parsers)), -1n);
  expect(ofJob).toMatchObject({ POSIX_BYTES_WRITTEN: ALL_WRITTEN });
}

test('identifiers in a log are listed, and sums beyond 2^53 are said to be rounded', async () => {
  const { integers, floats } = COUNTER_NAMES.POSIX;
  const streams = RENAMED.map((renamed, i) => {
    const words = new Words(true).int(7, -1);
    for (const name of integers) words.int(valueOf(name, i) ?? (name === 'POSIX_RENAMED_FROM' ? renamed : 0));
    return words.float(...floats.map(() => 0)).bytes;
  });
  const bytes = writeLog({ version: '3.41', names: [[7n, '/data/a']], modules: [{ slot: 1, version: 4, streams }] });
  const { counters, damage } = await readDarshan([memoryFile('a.darshan', bytes)]);
  expect(damage).toEqual([]);
  saysSo(counters!);
});

test('identifiers in the text of darshan-parser, too', async () => {
  const { counters } = await readText(
    lines(
      ...RENAMED.flatMap((renamed, i) => {
        const of = { id: String(i + 7), name: `/scratch/${i}` };
        const counted = ['POSIX_OPENS', 'POSIX_BYTES_WRITTEN'].map((name) => row(name, valueOf(name, i)!, of));
        return [...counted, row('POSIX_RENAMED_FROM', String(renamed), of)];
      }),
    ),
  );
  saysSo(counters!);
});

test('a value that is rounded itself has no exact sum', async () => {
  const { counters } = await readText(lines(row('POSIX_BYTES_WRITTEN', '18014398509481985')));
  const posix = counterTotals(counters!)['POSIX']!;
  expect([posix.inexact, posix.exact]).toEqual([['POSIX_BYTES_WRITTEN'], {}]);
});

test('where no record has an identifier its counter is 0 as darshan-parser prints it', async () => {
  const { counters } = await readText(lines(row('POSIX_OPENS', 1), row('POSIX_RENAMED_FROM', 0)));
  const posix = counterTotals(counters!)['POSIX']!;
  expect(posix.totals).toMatchObject({ POSIX_OPENS: 1, POSIX_RENAMED_FROM: 0 });
  expect(posix).not.toHaveProperty('identifiers');
  expect(posix).not.toHaveProperty('inexact');
});
