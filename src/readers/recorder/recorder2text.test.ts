import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { absent, corpus } from '../../../test/support/corpus.ts';
import { contentOfFolder, recorderFiles } from '../../../test/support/recorder/recorder-folder.ts';
import { DamageLog } from '../../trace/damage.ts';
import { argumentsOfRank } from './prepared-call.ts';
import { RecorderDirectory } from './recorder-directory.ts';
import { RecorderFiles } from './recorder-files.ts';

/** Type of a function as recorder2text counts it: POSIX, MPI-IO, MPI, HDF5. */
function typeOf(name: string): number {
  if (name.startsWith('H5')) return 3;
  if (name.startsWith('MPI_File')) return 1;
  return name.startsWith('MPI') ? 2 : 0;
}

/** The lines of recorder2text, apart in times and what was called. */
async function linesOf(
  folder: string,
): Promise<{ ranks: { times: [number, number]; call: string }[][]; damage: number }> {
  const damage = new DamageLog();
  const files = new RecorderFiles(await recorderFiles(contentOfFolder(folder)), damage);
  const directory = await RecorderDirectory.open(files, damage);
  const { resolution, functions } = directory.metadata;
  const ranks = [];
  for (let rank = 0; rank < directory.ranks; rank++) {
    const { records } = (await directory.rank(rank))!;
    const lines = Array.from({ length: records.length }, (_, i) => {
      const signature = records.signatureAt(records.signature[i]!)!;
      const name = functions[signature.function]!;
      const texts = argumentsOfRank(signature, rank).map((text) => `${text} `);
      const times: [number, number] = [records.start[i]! * resolution, records.end[i]! * resolution];
      return { times, call: `${name} ${signature.level} ${typeOf(name)} ( ${texts.join('')})` };
    });
    ranks.push(lines);
  }
  return { ranks, damage: damage.list().length };
}

const NAMES = ['btio_full', 'btio_simple', 'collective_write', 'collective_write_ipc', 'hdf5_chunked', 'meta'];
const places = NAMES.map((name) => [name, corpus(`recorder/${name}`)] as const);

describe('every record as recorder2text prints it', () => {
  for (const [name, place] of places.filter(([, at]) => at === undefined)) test.skip(`${absent(name)}${place ?? ''}`);

  test.each(places.flatMap(([name, place]) => (place === undefined ? [] : [[name, place] as const])))(
    '%s',
    async (name, place) => {
      const { ranks, damage } = await linesOf(place);
      expect(damage).toBe(0);
      for (const [rank, lines] of ranks.entries()) {
        const file = path.join(place, 'recorder2text', `${rank}.txt.gz`);
        const expected = gunzipSync(readFileSync(file))
          .toString()
          .split('\n')
          .filter((line) => line !== '');
        expect(lines.map(({ call }) => call)).toEqual(expected.map((line) => line.split(' ').slice(2).join(' ')));
        // In this mode recorder2text takes the times of rank 0 for every rank.
        if (name.endsWith('_ipc') && rank > 0) continue;
        lines.forEach(({ times }, i) => {
          const [start, end] = expected[i]!.split(' ').map(Number);
          expect(Math.abs(times[0] - start!)).toBeLessThan(1.01e-7);
          expect(Math.abs(times[1] - end!)).toBeLessThan(1.01e-7);
        });
      }
    },
  );

  test('ranks that were compressed together have times of their own', async () => {
    const { ranks } = await linesOf(corpus('recorder/collective_write_ipc')!);
    const firsts = ranks.map((lines) => lines[0]!.times[0]);
    expect(new Set(firsts).size).toBe(ranks.length);
  });
});
