// What grows with the number of processes, files and call sites: a recording of n against one of four times as many, from
// the command line; and the command's own start.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { makeFiles, makeProcesses, makeSites } from './recordings.mjs';

const PAIRS = 3;
const STARTS = 7;
const ROWS = [
  ['processes', 'processes, one call each', 100_000, makeProcesses],
  ['files', 'files, opened and written once', 75_000, makeFiles],
  ['sites', 'call sites, 111 calls each', 112, (file, sites) => makeSites(file, sites * 111, sites)],
];

/** @param bench what bench.mjs measures with: `at` a file of its folder, `root`, `row`, `paired`. */
export function benchScale({ at, root, row, paired }) {
  const cli = path.join(root, 'dist/cli.js');
  for (const [name, title, count, make] of ROWS) {
    const [few, many] = [count, 4 * count].map((number) => {
      const file = at(`${name}-${number}.strace`);
      if (!existsSync(file)) make(file, number);
      return ['node', cli, 'analyze', '--no-cache', file];
    });
    const { ours, theirs, ratio } = paired(many, few, undefined, PAIRS);
    const figures = `${ours.toFixed(2)} s; a quarter of them ${theirs.toFixed(2)} s: ${ratio.toFixed(1)}×`;
    row(`iolens analyze, ${(4 * count).toLocaleString('en')} ${title}`, figures, '≤ 5×');
  }
  const { ours, theirs, ratio } = paired(['node', cli, '--version'], ['node', '-e', '0'], undefined, STARTS);
  row('iolens --version', `${ours.toFixed(3)} s; Node alone ${theirs.toFixed(3)} s: ${ratio.toFixed(2)}×`, '≤ 1.3×');
}
