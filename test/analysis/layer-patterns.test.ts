import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as snippets from '../../src/analysis/layers/patterns/snippets.ts';
import type { Insight, Snippet } from '../../src/analysis/triggers/insight.ts';
import { absent, corpus } from '../support/corpus.ts';
import { freshFolder, has, open } from '../support/programs.ts';

/**
 * Patterns across layers in recordings of a real program under real libraries (shared/data/otf2): figures 3.16 to 3.21 of
 * Tschüter. The expected numbers are those of OTF2's own library (`expected.json` beside each).
 */
let folder = '';

beforeAll(() => {
  folder = freshFolder('layer-patterns');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function findings(name: string): Promise<ReadonlyMap<string, Insight>> {
  const recording = await open(corpus(name)!, folder);
  try {
    return new Map(recording.insights.map((insight) => [insight.code, insight]));
  } finally {
    await recording.close();
  }
}

const OTF2 = corpus('otf2/hl_write_split');

describe.skipIf(OTF2 === undefined)(OTF2 === undefined ? absent('otf2') : 'recordings of real libraries', () => {
  test('one H5Dwrite and one H5Dread become dozens of requests', async () => {
    const split = (await findings('otf2/hl_write_split')).get('L20')!;
    expect(split.evidence).toMatchObject({ upperCalls: 1, upperBytes: 8388608, lowerMedianBytes: 131072 });
    expect(split.message).toContain('1 H5Dwrite (8 MiB) became 56 reads and writes below (56 for each)');
    expect(split.message).toContain('1 H5Dread (8 MiB) became');
    expect(split.picture!.lanes.map(({ label }) => label)).toEqual(['H5Dwrite', 'pwrite']);
  });

  test('one MPI_File_read through a view is sieved: 32 MiB asked for, 40 MiB read', async () => {
    const sieving = (await findings('otf2/data_sieving_read')).get('L22')!;
    expect(sieving.severity).toBe('ok');
    expect(sieving.evidence).toMatchObject({
      usefulBytes: 33554432,
      lowerReads: 10,
      lowerReadBytes: 41940992,
      holeBytes: 41940992 - 33554432,
      skippedBytes: 2048,
    });
  });

  test.each([
    ['collective_write_agg', 16777216, 4],
    ['btio_full', 5242880, 4],
  ])('%s: rank 0 writes for all four', async (name, bytes, lowerCalls) => {
    const found = await findings(`otf2/${name}`);
    const { evidence, message, severity } = found.get('L23')!;
    expect(evidence).toMatchObject({ processes: 4, aggregators: 1, upperCalls: 16, lowerCalls });
    expect(evidence).toMatchObject({ upperBytes: bytes, lowerBytes: bytes, overlappingDomains: 0 });
    expect(message).toContain('by rank 0 alone');
    expect(severity).toBe('ok');
    expect([...found.values()].filter((insight) => insight.severity === 'high').map(({ code }) => code)).toEqual([]);
  });

  test('independent rows of 640 B are the finding of M03, and no pattern praises them', async () => {
    const found = await findings('otf2/btio_simple');
    expect(found.has('M03')).toBe(true);
    expect(found.get('M03')!.evidence).toMatchObject({ count: 8192, bytes: 5242880 });
    for (const code of ['L20', 'L21', 'L22', 'L23', 'L24']) expect(found.has(code), code).toBe(false);
  });

  test('operations that are waited for at once, apart from those that overlap with work', async () => {
    const idle = (await findings('otf2/aio_nonblocking')).get('L25')!;
    expect(idle.message).toContain('2 × aio_read (2 MiB) are waited for at once');
    expect(idle.message).not.toContain('aio_write');
  });

  test('locks that nobody has to wait for are no finding', async () => {
    expect((await findings('otf2/meta_locks')).has('L26')).toBe(false);
  });
});

const C_NAMES = `#include <hdf5.h>
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
extern MPI_Info info; extern MPI_File mpi_file; extern MPI_Request request; extern MPI_Datatype view;
extern hsize_t block[2]; extern int whole[3], part[3], first[3], count, steps, mode, fd, bytes;
extern MPI_Offset snapshot, offset; extern char *path, *name; extern double *buffer, *written, *next;
extern hid_t set; void compute(double *);
`;

/** Each example as the body of a function; HDF5's files and MPI's have the same name there. */
function inC({ code }: Snippet, number: number): string {
  const isHdf5 = code.includes('H5');
  const names = isHdf5 ? 'hid_t file = 0; (void)file;' : 'MPI_File file = mpi_file; (void)file;';
  return `void example${number}(void)\n{\n${names}\n{\n${code}}\n}\n`;
}

const HINTS = (['read', 'write'] as const).flatMap((direction) => [
  snippets.bufferingHints('c', direction, 2),
  snippets.sievingHints('c', direction, 'disable'),
  snippets.sievingHints('c', direction, 'enable'),
  snippets.collectiveWithView('c', direction === 'read'),
]);
const IN_C = [
  ...HINTS,
  snippets.hdf5Chunks('c', true),
  snippets.hdf5CollectiveMetadata('c'),
  snippets.hdf5MetadataBlock('c'),
  snippets.hdf5NoFillAndCache('c'),
  snippets.hdf5ObjectMetadata('c'),
  snippets.largerStreamBuffer(),
  snippets.overlapped('c'),
  snippets.collectiveWithoutWaiting('c'),
  snippets.openOnceTogether('c'),
  snippets.rangeLock(),
];
const HEADERS = ['-I/usr/include/hdf5/openmpi', '-Wno-implicit-function-declaration'];

test.skipIf(!has('mpicc'))('examples in C compile', () => {
  const file = path.join(folder, 'examples.c');
  writeFileSync(file, C_NAMES + IN_C.map(inC).join(''));
  const { status, stderr } = spawnSync(
    'mpicc',
    ['-std=gnu11', '-fsyntax-only', '-Werror=incompatible-pointer-types', ...HEADERS, file],
    { encoding: 'utf8' },
  );
  expect(stderr.split('\n').filter((line) => line.includes('error:'))).toEqual([]);
  expect(status).toBe(0);
});

/** MPI alone: Debian's HDF5 has its Fortran modules for one compiler version only. */
const IN_FORTRAN = [
  ...(['read', 'write'] as const).flatMap((direction) => [
    snippets.bufferingHints('fortran', direction, 2),
    snippets.sievingHints('fortran', direction, 'disable'),
    snippets.collectiveWithView('fortran', direction === 'read'),
  ]),
  snippets.overlapped('fortran'),
  snippets.collectiveWithoutWaiting('fortran'),
  snippets.openOnceTogether('fortran'),
];

test.skipIf(!has('mpifort'))('examples in Fortran compile', () => {
  const names = `use mpi
implicit none
integer :: info, file, request, view, error, mode, count, step, steps, whole(3), part(3), first(3)
integer(MPI_OFFSET_KIND) :: snapshot, offset
character(len=100) :: path
double precision :: buffer(10), written(10), next(10)
external :: compute
`;
  const routines = IN_FORTRAN.map(
    ({ code }, number) => `subroutine example${number}()\n${names}${code}end subroutine\n`,
  );
  const file = path.join(folder, 'examples.f90');
  writeFileSync(file, routines.join(''));
  const options = ['-fsyntax-only', '-ffree-line-length-none', '-fallow-argument-mismatch', file];
  const { status, stderr } = spawnSync('mpifort', options, { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
  expect(status).toBe(0);
});
