import { existsSync, statSync } from 'node:fs';

const EVENTS = 5_000_000;
const PAIRS = 5;

/**
 * Reading a recording of the recorder library against packing its bytes as fast as gzip does.
 * @param {object} bench what the bench hands out: `at` a file of its folder, `row`, `paired`, `time`.
 */
export function benchCapture({ at, row, paired, time }) {
  const title = `recorder library, ${EVENTS / 1e6} million calls of two threads`;
  const recording = at('capture.iorec');
  if (!existsSync(recording)) time(['node', at('capture-events.mjs'), recording, String(EVENTS)]);
  const reading = ['node', at('read-recording.mjs'), recording];
  const { ours, theirs, ratio } = paired(
    reading,
    ['sh', '-c', 'exec gzip -1 -c "$0" > /dev/null', recording],
    undefined,
    PAIRS,
  );
  const bytes = (statSync(recording).size / EVENTS).toFixed(1);
  const rate = (EVENTS / ours / 1e6).toFixed(1);
  row(
    title,
    `${ours.toFixed(2)} s (${rate} million a second, ${bytes} B each); gzip -1 ${theirs.toFixed(3)} s: ${ratio.toFixed(1)}×`,
    '≤ 8×',
  );
}
