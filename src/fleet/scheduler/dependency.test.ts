import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDependency, parseDependency, withoutStates } from './dependency.ts';
import { dependencyOfCommand, dependencyOfScript, dependencyOfSubmitLine } from './submit-line.ts';

const job = (number: string, task: number | null = null, minutes = 0) => ({ job: number, task, minutes });

describe('a dependency', () => {
  test('is read with its types, minutes, tasks and what joins the terms', () => {
    expect(parseDependency('afterok:26:27,afterany:28_3')).toEqual({
      needs: 'all',
      terms: [
        { type: 'afterok', jobs: [job('26'), job('27')] },
        { type: 'afterany', jobs: [job('28', 3)] },
      ],
      unknown: [],
    });
    expect(parseDependency('after:22+10:23?singleton')).toEqual({
      needs: 'any',
      terms: [
        { type: 'after', jobs: [job('22', null, 10), job('23')] },
        { type: 'singleton', jobs: [] },
      ],
      unknown: [],
    });
    expect(parseDependency('22:23').terms).toEqual([{ type: 'afterany', jobs: [job('22'), job('23')] }]);
  });

  test('is read as the controller shows it', () => {
    const shown = 'afterok:26(unfulfilled),afternotok:1_*(failed)';
    expect(withoutStates(shown)).toBe('afterok:26,afternotok:1');
    expect(parseDependency(shown).terms).toEqual([
      { type: 'afterok', jobs: [job('26')] },
      { type: 'afternotok', jobs: [job('1')] },
    ]);
  });

  test('that is none is told, the rest is kept', () => {
    expect(parseDependency('afterok:$JOB,afterok:7,later:8,afterok:')).toEqual({
      needs: 'all',
      terms: [{ type: 'afterok', jobs: [job('7')] }],
      unknown: ['afterok:$JOB', 'later:8', 'afterok:'],
    });
    expect(parseDependency('').terms).toEqual([]);
    expect(isDependency('afterok:7')).toBe(true);
    expect(isDependency('7')).toBe(false);
  });

  test('comes back as it was written, whatever it is', () => {
    const number = fc.integer({ min: 1, max: 4_000_000_000 }).map(String);
    const awaited = fc.record({
      job: number,
      task: fc.option(fc.nat(100_000)),
      minutes: fc.oneof(fc.constant(0), fc.nat(10_000)),
    });
    const type = fc.constantFrom('after', 'afterany', 'afterok', 'afternotok', 'aftercorr', 'expand');
    const terms = fc.array(fc.record({ type, jobs: fc.array(awaited, { minLength: 1, maxLength: 4 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(terms, fc.constantFrom(',', '?'), (all, joint) => {
        const text = all
          .map((term) =>
            [
              term.type,
              ...term.jobs.map(
                (one) =>
                  one.job + (one.task === null ? '' : `_${one.task}`) + (one.minutes === 0 ? '' : `+${one.minutes}`),
              ),
            ].join(':'),
          )
          .join(joint);
        expect(parseDependency(text)).toEqual({
          needs: joint === '?' && all.length > 1 ? 'any' : 'all',
          terms: all,
          unknown: [],
        });
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => parseDependency(text).terms.length >= 0));
  });
});

describe('the dependency of a command', () => {
  const declared: readonly (readonly [string, string | null])[] = [
    ['sbatch --parsable -d afterok:22 sim.sh', 'afterok:22'],
    ['sbatch -dafterok:22 sim.sh', 'afterok:22'],
    ['sbatch --dependency=afterok:22:23 sim.sh', 'afterok:22:23'],
    ['sbatch --dependency afterany:22 sim.sh', 'afterany:22'],
    ['sbatch --depend=afterok:22 sim.sh', 'afterok:22'],
    ['sbatch -Hd after:22+5 sim.sh', 'after:22+5'],
    ['sbatch -d 22 sim.sh', '22'],
    ['sbatch -d afterok:1 --dependency=singleton sim.sh', 'singleton'],
    ['/usr/bin/srun -N 2 -n 4 -d afterok:7 ./solver', 'afterok:7'],
    // Options of the script are the script's.
    ['sbatch sim.sh -d 3 --dependency=none', null],
    ['sbatch -D /work -N 2 sim.sh -d /data', null],
    ['sbatch -J d sim.sh', null],
    ['sbatch --job-name -d sim.sh', null],
    ['sbatch --deadline=now+1hour --delay-boot 5 sim.sh', null],
    // Accounting keeps no quotes: a name or a wrapped command of several words.
    ['sbatch -J my job -d afterok:22 sim.sh', 'afterok:22'],
    ['sbatch --wrap=sleep 5 -d afterok:22', 'afterok:22'],
    ['sbatch --wrap sort -d , list', null],
    ['sbatch', null],
    ['sbatch -d', null],
  ];
  test.each(declared)('%s', (line, dependency) => expect(dependencyOfSubmitLine(line)).toBe(dependency));

  test('whose words are known is not split again', () =>
    expect(dependencyOfCommand(['sbatch', '--comment', 'a -d afterok:1', 'x.sh'])).toBeNull());

  test('stands in lines #SBATCH up to the first command', () => {
    const script =
      '#!/bin/bash\n#SBATCH -N 2\n\n# so\n#SBATCH --dependency="afterok:9" # before\necho\n#SBATCH -d afterok:10\n';
    expect(dependencyOfScript(script)).toBe('afterok:9');
    expect(dependencyOfScript('#!/bin/sh\n#SBATCH -d afterok:1\n#SBATCH -d afterok:2')).toBe('afterok:2');
    expect(dependencyOfScript('#!/bin/sh\n##SBATCH -d afterok:1\n')).toBeNull();
  });
});
