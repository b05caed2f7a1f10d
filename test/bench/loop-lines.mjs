// Bench lines of loops: finding them against reading the recording, and the outline against the compressed text.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const RUNS = 5;

export function benchLoops({ at, row, time, median }, file) {
  const runs = Array.from({ length: RUNS }, () => JSON.parse(time(['node', at('find-loops.mjs'), file]).stdout));
  const [{ events, lines, textBytes }] = runs;
  const of = (value) => median(runs.map(value));
  const found = of(({ loopSeconds }) => loopSeconds);
  const read = of(({ readSeconds }) => readSeconds);
  const ratio = of(({ loopSeconds, readSeconds }) => loopSeconds / readSeconds);
  row(
    `loops, ${events.toLocaleString('en')} calls in ${lines.toLocaleString('en')} lines`,
    `${found.toFixed(3)} s; reading ${read.toFixed(3)} s: ${ratio.toFixed(2)}×`,
    '≤ 1.0×',
  );
  for (const [i, { name }] of runs[0].hardSeconds.entries()) {
    const seconds = of(({ hardSeconds }) => hardSeconds[i].seconds);
    const share = of(({ hardSeconds, readSeconds }) => hardSeconds[i].seconds / readSeconds);
    row(`  as many calls, ${name}`, `${seconds.toFixed(3)} s: ${share.toFixed(2)}× the same reading`, '');
  }
  const packed = gzipSync(readFileSync(file), { level: 9 }).length;
  const sizes = `${(textBytes / 1e3).toFixed(0)} kB; gzip -9 ${(packed / 1e3).toFixed(0)} kB`;
  row('  size of the outline', `${sizes}: ${(textBytes / packed).toFixed(3)}×`, '< 1×');
}
