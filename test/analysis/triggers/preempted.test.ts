import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshFolder, has, open } from '../../support/programs.ts';
import { CaptureFile } from '../../support/recorder/capture-writer.ts';
import { CALIBRATION } from '../../support/traced-gains.ts';
import { analyse, recordVariant } from '../../support/truth/truth-findings.ts';

/** Recordings of the library on machines that other programs keep busy: what a call waits for a processor is not its own. */

/**
 * 300 flushed lines of 1.2 µs each, of which some lost the processor for a millisecond in their midst, and 400 opens and
 * closes of 2.4 µs. The lines are recorded with more time, the opens cost more.
 */
function busy(preempted: number): CaptureFile {
  const file = new CaptureFile();
  let now = 0;
  const call = (name: string, roles: string, given: (number | string)[], lasts: number): void => {
    file.call('POSIX', name, roles, given, [now, now + lasts]);
    now += lasts + 500;
  };
  call('open', 'plmr', ['/work/lines', 0o1101, 0o644, 3], 3000);
  for (let i = 0; i < 300; i++) {
    const isPreempted = preempted > 0 && i % Math.floor(300 / preempted) === 7;
    call('write', 'fnr', [3, 20, 20], isPreempted ? 1_001_200 : 1200);
  }
  for (let i = 0; i < 400; i++) {
    call('open', 'plr', ['/work/state', 0o2001, 4], 1600);
    call('write', 'fnr', [4, 70_000, 70_000], 9000);
    call('close', 'fr', [4, 0], 800);
  }
  return file;
}

describe('a call that lost the processor', () => {
  const analysed = async (preempted: number) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'iolens-preempted-'));
    try {
      const recording = path.join(folder, 'run.iorec');
      writeFileSync(recording, busy(preempted).bytes());
      // As `iolens record` leaves it: what calls cost on this machine when nobody takes the processor.
      writeFileSync(path.join(folder, 'recording.calibration.json'), JSON.stringify(CALIBRATION));
      const { insights } = await open(recording, folder);
      // What opens take as metadata follows from them.
      return insights.filter(({ code }) => code !== 'P17');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('makes its line no dearer than the others: 4.36 ms are recorded, 0.36 of them are the calls’', async () => {
    const quiet = await analysed(0);
    expect(quiet.map(({ code }) => code)).toEqual(['L02', 'P06']);
    const disturbed = await analysed(4);
    expect(disturbed.map(({ code }) => code)).toEqual(['L02', 'P06']);
    const [opens, lines] = disturbed as [(typeof disturbed)[0], (typeof disturbed)[0]];
    expect(lines.evidence['timeNs']).toBe(4_360_000);
    expect(lines.evidence['timeNs']).toBeGreaterThan(2 * opens.evidence['timeNs']!);
    expect(lines.gain.savedNs! / quiet[1]!.gain.savedNs!).toBeCloseTo(1, 0);
    expect(lines.gain.savedNs).toBeLessThan(500_000);
  });
});

const WRITES = 12_003;
const PROGRAM = `#include <fcntl.h>
#include <unistd.h>
int main(void) {
    int fd = open("out.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < ${WRITES}; i++)
        if (write(fd, "0123456789abcdef", 16) != 16) return 1;
    return close(fd);
}
`;

describe.skipIf(!has('gcc'))(has('gcc') ? 'our own recorder' : 'our own recorder: needs gcc', () => {
  let folder: string;
  beforeAll(() => {
    folder = freshFolder('known-saving');
    writeFileSync(path.join(folder, 'small.c'), PROGRAM);
    execFileSync('gcc', ['-g', '-O1', '-o', 'small', 'small.c'], { cwd: folder });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(`knows what ${WRITES} small writes would save`, () => {
    const program = { command: () => ['sh', '-c', `cd ${folder} && exec ./small`] };
    const { insights, run } = analyse(recordVariant(program, 'preload', folder, false));
    const { gain, evidence, severity } = insights.find(({ code }) => code === 'P06')!;
    expect(evidence['count']).toBe(WRITES);
    expect(gain.savedNs).toBeGreaterThan(0);
    expect(gain.lowNs!).toBeLessThanOrEqual(gain.savedNs!);
    expect(gain.highNs!).toBeGreaterThanOrEqual(gain.savedNs!);
    expect(gain.savedNs!).toBeLessThanOrEqual(run.untracedNs);
    expect(severity).toBe('high');
  });
});
