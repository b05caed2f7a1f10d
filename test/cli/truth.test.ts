import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { freshFolder, has } from '../support/programs.ts';
import { shareOf } from '../support/rounds.ts';
import { analyse, isLoud, named, recordVariant, RECORDERS, shortText } from '../support/truth/truth-findings.ts';
import { ENVIRONMENT, makeVariant, truthPrograms } from '../support/truth/truth-programs.ts';
import { Recount } from '../support/truth/truth-slots.ts';

/**
 * A part of `npm run bench -- truth` that asserts no time: places that cost much by their making are found on their lines by
 * both recorders, clean programs are left in peace, and the raw recording holds what is said of it.
 */

const canTrace = has('gcc', 'strace') && spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const programs = truthPrograms().filter(({ kind }) => kind === 'c');
const folder = freshFolder('truth');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!canTrace)(canTrace ? 'truth' : 'truth: needs gcc, strace and processes that can be traced', () =>
  test.for(shareOf(programs))('$source', (program) => {
    const variant = makeVariant(program, 0, folder);
    if (typeof variant === 'string') throw new Error(variant);
    const [command, ...options] = variant.command(0);
    execFileSync(command!, options, { env: ENVIRONMENT, stdio: 'ignore' });
    for (const recorder of RECORDERS) {
      const recording = recordVariant(variant, recorder, folder, false);
      const analysed = analyse(recording);
      if (recorder === 'strace') {
        const recount = new Recount(recording, command!);
        expect(analysed.insights.flatMap((finding) => recount.check(finding).wrong)).toEqual([]);
      }
      const dear = program.planted.filter(({ little }) => !little);
      const found = dear.map((planted) => named(analysed, program, planted, recorder).finding?.code);
      dear.forEach(({ codes }, i) => expect(codes, `${recorder}: line ${dear[i]!.line}`).toContain(found[i]));
      if (program.planted.length === 0) expect(analysed.insights.filter(isLoud).map(shortText), recorder).toEqual([]);
    }
  }),
);
