import { existsSync } from 'node:fs';
import path from 'node:path';

/** Locations and steps of each: a step is 16 events. */
const ARCHIVES = [
  [8, 15_000],
  [64, 6_000],
];
const PAIRS = 5;

/**
 * Reading an archive against OTF2's own tool, which prints its events.
 * @param {object} bench what the bench hands out: `at` a file of its folder, `row`, `paired`, `time`, `has`.
 */
export function benchOtf2({ at, row, paired, time, has }) {
  for (const [locations, steps] of ARCHIVES) {
    const events = ((locations * steps * 16) / 1e6).toFixed(1);
    const title = `OTF2, ${events} million events of ${locations} locations`;
    if (!has('otf2-print')) {
      row(title, 'skipped: no otf2-print', '≤ 0.2×');
      continue;
    }
    const archive = at(`otf2-${locations}`);
    if (!existsSync(archive)) time(['node', at('otf2-archive.mjs'), archive, String(locations), String(steps)]);
    const print = ['sh', '-c', 'exec otf2-print "$0" > /dev/null', path.join(archive, 'traces.otf2')];
    const { ours, theirs, ratio } = paired(['node', at('read-recording.mjs'), archive], print, undefined, PAIRS);
    row(title, `${ours.toFixed(3)} s; otf2-print ${theirs.toFixed(3)} s: ${ratio.toFixed(2)}×`, '≤ 0.2×');
  }
}
