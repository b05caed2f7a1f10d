import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluateSelection } from '../../src/analysis/selection/evaluate-selection.ts';
import { analysisOf } from '../../src/features/findings/answers.ts';
import { selectionInputs } from '../../src/session/reading/selected-events.ts';
import { freshFolder, has, open, recordEmit } from '../support/programs.ts';

/** The dearest call of the line is the one that opens the file; what is said of the line is about the others. */
const CROWDED = `#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int fd = -1;
    for (int i = 0; i < 400; i++)
        if ((fd < 0 && (fd = open("out.dat", O_CREAT | O_TRUNC | O_RDWR, 0644)) < 0) || lseek(fd, i * 10L, SEEK_SET) < 0 || write(fd, "0123456789", 10) != 10)
            return 1;
    return close(fd);
}
`;

const folder = freshFolder('guilty-call');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isPossible = has('gcc', 'strace');

describe.skipIf(!isPossible)(isPossible ? 'several calls on a line' : 'gcc or strace is not on this machine', () =>
  test('the one that a finding is about has its mark, and its stack', async () => {
    const recording = await open(recordEmit(folder, CROWDED), folder);
    const text = CROWDED.split('\n')[7]!;
    const { insights } = await analysisOf([recording]);
    const marked = insights.map(({ code, sites: [site] }) => [code, text.slice(site!.column - 1).split('(')[0]]);
    expect(Object.fromEntries(marked)).toMatchObject({ P06: 'write', L03: 'lseek' });
    const { mask } = evaluateSelection(selectionInputs(recording), [{ kind: 'insight', code: 'P06' }]);
    expect(mask.count).toBe(400);
  }),
);
