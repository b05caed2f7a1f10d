import { execFileSync } from 'node:child_process';

/** A smaller month, to try this: IOLENS_BENCH_MONTH=20000. */
const JOBS = Number(process.env.IOLENS_BENCH_MONTH ?? 449_600);

/**
 * Every ready question, and the causes of the 100 slowest jobs, about a month of a facility: seconds of a processor and memory.
 * @param {object} bench what the bench hands out: `at` a file of its folder, `row`.
 */
export function benchMonth({ at, row }) {
  const given = [at('month-store.mjs'), at(`month-${JOBS}`), JOBS].map(String);
  const measured = JSON.parse(execFileSync('node', given, { encoding: 'utf8' }));
  const shown = ({ id, cpu, mebibytes }) => `${id} ${cpu.toFixed(2)} s, ${mebibytes.toFixed(0)} MiB`;
  const questions = measured.filter(({ id }) => id !== 'causes').toSorted((a, b) => b.cpu - a.cpu);
  const title = `${questions.length} questions about ${JOBS.toLocaleString('en')} jobs, the dearest`;
  row(title, questions.slice(0, 3).map(shown).join('; '), '< 2 s of a processor, 1 GiB');
  row('their 100 slowest jobs', shown(measured.find(({ id }) => id === 'causes')), '< 3 s of a processor');
}
