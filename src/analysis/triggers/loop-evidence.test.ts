import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { compile, has } from '../../../test/support/fixes/fix-programs.ts';
import { layerSites, layerTrace } from '../../../test/support/layer-rows.ts';
import type { SiteLoop } from '../loops/site-loops.ts';
import { AdviceContexts } from './advice-context.ts';
import type { Insight } from './insight.ts';
import { withLoops } from './loop-evidence.ts';
import { oneLargerCall, stridedView } from './loop-snippets.ts';
import { textOf } from './message.ts';

const LOOP: SiteLoop = {
  kind: 'contiguous',
  iterations: 34,
  fewestIterations: 34,
  allIterations: 34,
  runs: 1,
  transfers: 2,
  bytes: 48,
  movedBytes: 48,
  isSteady: true,
  stepBytes: 48,
  inLoop: 68,
  inAll: 68,
};
const AMOUNT = { events: 68, bytes: 1632, timeNs: 1 };
const PLACE = {
  ...AMOUNT,
  share: 1,
  shareOfTime: 1,
  streams: 1,
  medianBytes: 24,
  cells: [],
  severity: 'high' as const,
};
const INSIGHT: Insight = {
  code: 'P06',
  trigger: 'posix-small-writes',
  severity: 'high',
  title: 'Many small writes',
  message: '68 writes.',
  evidence: { count: 68 },
  files: [{ file: 4, events: 68, bytes: 0, timeNs: 0 }],
  sites: [{ ...PLACE, site: 3, message: '68 writes.' }],
  recommendations: [],
};

describe('findings name the loop that makes their calls', () => {
  const contexts = new AdviceContexts(layerTrace([]), layerSites());
  const withLoop = (loop: SiteLoop, isMpi = true, viewed: readonly number[] = []): Insight =>
    withLoops([INSIGHT], new Map([['write 3', loop]]), {
      isMpi,
      viewed: new Set(viewed),
      contexts,
    })[0]!;

  test('one larger call for a contiguous loop', () => {
    const { message, evidence, sites, recommendations } = withLoop(LOOP);
    const sentence = 'A loop makes them: 34 iterations of 2 writes (48 B), each where the last one ended: contiguous.';
    expect([message, sites[0]!.message].map((each) => textOf(each))).toEqual([
      `68 writes. ${sentence}`,
      `68 writes. ${sentence}`,
    ]);
    expect(evidence).toMatchObject({ count: 68, loopIterations: 34, callsPerIteration: 2, bytesPerIteration: 48 });
    expect(recommendations.map(({ text }) => text)).toEqual([
      "Make 1 call of 1.59 KiB instead of the loop's 68: what they move lies side by side in the file. One call for each iteration already saves 1 of 2.",
    ]);
  });

  test('nothing for a loop whose end was not looked at', () => {
    expect(withLoop({ ...LOOP, among: 68 }).recommendations).toEqual([]);
    expect(withLoop({ ...LOOP, among: 680, runs: 10 }).recommendations).toHaveLength(1);
  });

  test('no file view where the program has set one: one call for all of its pieces', () => {
    const [advice] = withLoop({ ...LOOP, kind: 'strided', stepBytes: 640 }, true, [4]).recommendations;
    expect(advice!.text).toContain('write all of them with one collective call (MPI_File_write_all)');
  });

  test('a file view for a strided loop', () => {
    const { message, recommendations } = withLoop({ ...LOOP, kind: 'strided', stepBytes: 640, runs: 16 });
    expect(textOf(message)).toContain(
      'A loop, run 16 times, makes them: 34 iterations of 2 writes (48 B), each 640 B further on than the last: strided',
    );
    expect(recommendations[0]!.snippet!.code).toContain('MPI_Type_create_hvector(34, 1, 640, piece, &pieces);');
    expect(withLoop({ ...LOOP, kind: 'strided', stepBytes: 640 }, false).recommendations).toEqual([]);
  });

  test('says of how many calls it speaks where not all were looked at', () => {
    const { message, evidence } = withLoop({ ...LOOP, among: 100_000 });
    expect(textOf(message)).toContain('A loop makes them (as far as the first 100,000 calls show): 34 iterations');
    expect(evidence).toMatchObject({ loopsAmongCalls: 100_000 });
  });

  test('nothing where most calls are made otherwise', () => expect(withLoop({ ...LOOP, inAll: 200 })).toEqual(INSIGHT));
});

describe.skipIf(!has('gcc'))('the examples compile', () => {
  test.each([true, false])('reads: %s', (reads) => {
    const declared = `#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void use(const char *piece);
void loop(int fd, size_t records, size_t size, char **record);
void loop(int fd, size_t records, size_t size, char **record)
{
(void)record;
${oneLargerCall(LOOP, reads)[0]!.code}
(void)moved;
}
`;
    expect(() => compile('c', declared)).not.toThrow();
  });

  test.skipIf(!has('mpicc')).each([true, false])('with MPI, reads: %s', (reads) => {
    const code = stridedView({ ...LOOP, stepBytes: 640 }, reads)[0]!.code;
    const declared = `#include <mpi.h>
void loop(MPI_File file, MPI_Offset first, void *buffer);
void loop(MPI_File file, MPI_Offset first, void *buffer)
{
${code}}
`;
    expect(() => compileWithMpi(declared)).not.toThrow();
  });
});

function compileWithMpi(text: string): void {
  const options = ['-Wall', '-Werror', '-fsyntax-only', '-x', 'c', '-'];
  execFileSync('mpicc', options, { input: text, stdio: 'pipe' });
}
