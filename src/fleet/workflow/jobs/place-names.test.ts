import { expect, test } from 'vitest';
import { accountedJob, accountedStep } from '../../scheduler/accounting.ts';
import { accountedJobs } from './accounted-jobs.ts';
import { PlaceNames } from './place-names.ts';

/** Jobs whose numbers also stand in what tools call their files. */
const NUMBERS = ['1', '2', '3', '4', '10', '11', '42', '569', '7569', '25779', '20123456'];
const STEPS = NUMBERS.flatMap((id) => ['0', '1', '21'].map((step) => accountedStep({ job_id: id, step })));
const JOBS = accountedJobs(
  NUMBERS.map((id) => accountedJob({ job_id: id, start_time: 1 })),
  STEPS,
);
const names = new PlaceNames(JOBS);

function named(place: string): string | undefined {
  const { job, step } = names.find([place]);
  return step?.id ?? job?.id;
}

test.each([
  ['1.0/vm-25779-10d1b7569c4.iorec', '1.0'],
  ['1.0/vm-25779-10.iorec', '1.0'],
  ['42.1/solve-2.0.iolens/n3-11-42.iorec', '42.1'],
  ['solve-42.1.iolens/vm-25779-10d1b7569c4.iorec', '42.1'],
  ['42.1/solve_n2_3.st', '42.1'],
  ['42/solve_node1_3.st', '42'],
  ['solve_job42_1.st', '42'],
  ['me_solve_id42_11-21-33425-569.darshan', '42'],
  ['me_solve_id42-25779_11-21-33425-569_1.darshan', '42'],
  ['42.1/trace-25779-app.pfw.gz', '42.1'],
  ['10-42.1.strace', '42.1'],
  ['job42_step1.strace', '42.1'],
  ['job-42/step_1/trace.strace', '42.1'],
  ['42.1.0.strace', '42.1'],
  ['run.42.1.strace', undefined],
  ['vm42/10d1b7569c4', undefined],
  ['vm-25779-10d1b7569c4.iorec', undefined],
  ['42/10d1b7569c4.strace', '42'],
  ['42.99/x.strace', '42'],
  ['20123456.21/x.strace', '20123456.21'],
  ['solve_20123456.1.strace', '20123456.1'],
  ['20261121_42.1.strace', '42.1'],
  ['2012-34-56_42.strace', '42'],
])('%s is of %s', (place, expected) => {
  expect(named(place)).toBe(expected);
});
