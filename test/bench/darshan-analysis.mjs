// A whole analysis of Darshan logs from the command line, start-up and all, against Drishti on the same log.
import { existsSync } from 'node:fs';
import path from 'node:path';

const LOGS = [
  ['small log of 4 ranks with stacks', 'test/data/darshan-stack/badmpi_4ranks.darshan', '≥ 10× faster'],
  ['1,024 ranks, 276,882 segments', '../shared/data/darshan/dxtexplorer_8_benchmark_parallel.darshan', '≥ 5× faster'],
  ['2.3 million segments', '../shared/data/darshan-big/badio_big.darshan', '≥ 5× faster'],
];
const RUNS = 7;

/** @param bench what bench.mjs measures with: `root`, `row`, `paired`, `time`, `median`, `has`. */
export function benchDarshanAnalysis({ root, row, paired, time, median, has }) {
  for (const [name, location, goal] of LOGS) {
    const title = `iolens analyze, Darshan, ${name}`;
    const log = path.join(root, location);
    if (!existsSync(log)) {
      row(title, 'skipped: the log is not on this machine', goal);
      continue;
    }
    const command = ['node', path.join(root, 'dist/cli.js'), 'analyze', log];
    if (has('drishti')) {
      const { ours, theirs, ratio } = paired(command, ['drishti', log]);
      row(title, `${ours.toFixed(2)} s; Drishti ${theirs.toFixed(2)} s: ${(1 / ratio).toFixed(1)}× faster`, goal);
    } else {
      const seconds = median(Array.from({ length: RUNS }, () => time(command).seconds));
      const start = median(Array.from({ length: RUNS }, () => time(['node', '-e', '0']).seconds));
      row(title, `${seconds.toFixed(2)} s, of which Node's own start ${start.toFixed(2)} s (no Drishti here)`, goal);
    }
  }
}
