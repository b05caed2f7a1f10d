import { expect, test } from 'vitest';
import { COUNTER_NAMES } from '../../src/readers/darshan/counter-names.ts';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { lines, read as readText, row } from '../support/darshan/darshan-samples.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { memoryFile } from '../support/memory-file.ts';

/** Hashes of the names: an anonymised log keeps them. */
const STREAMS = [
  [0xcc7a12a8f35a0099n, '<STDIN>'],
  [0xdcefd8e1e1999787n, '<STDOUT>'],
  [0x6473749c774423afn, '<STDERR>'],
] as const;

function filesOf({ counters, files }: Trace): string[] {
  const [table] = counters!.modules;
  return Array.from({ length: table!.length }, (_, record) => {
    const { path, kind } = files.at(table!.file(record));
    return `${path} ${kind}`;
  });
}

const EXPECTED = ['<STDIN> anonymous', '<STDOUT> anonymous', '<STDERR> anonymous', '3710437467 regular'];

test('standard streams are told by their identifiers, whatever an anonymised log calls them', async () => {
  const { integers, floats } = COUNTER_NAMES.STDIO;
  const record = (id: bigint): Buffer => {
    const zeros = [...integers.map(() => 0)];
    return new Words().int(id, -1, ...zeros).float(...floats.map(() => 0)).bytes;
  };
  const ids = [...STREAMS.map(([id]) => id), 5n];
  // The log has no name at all for standard error.
  const names = ids.filter((id) => id !== STREAMS[2][0]).map((id) => [id, '3710437467'] as const);
  const bytes = writeLog({ names, modules: [{ slot: 9, version: 2, streams: ids.map(record) }] });
  const trace = await readDarshan([memoryFile('a.darshan', bytes)]);
  expect(trace.damage).toEqual([]);
  expect(filesOf(trace)).toEqual(EXPECTED);
});

test('and in the text of darshan-parser', async () => {
  const ids = [...STREAMS.map(([id]) => id), 5n];
  const trace = await readText(
    lines(...ids.map((id) => row('STDIO_OPENS', 1, { module: 'STDIO', id: String(id), name: '3710437467' }))),
  );
  expect(filesOf(trace)).toEqual(EXPECTED);
});
