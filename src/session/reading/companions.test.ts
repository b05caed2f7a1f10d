import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseLookup } from '../machine/lookup-tools.ts';
import { plainRequest } from './open-request.ts';
import { OpenedRecording } from './opened-recording.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-companions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the calibration of a recording is found for the folder that it lies in', async () => {
  writeFileSync(path.join(folder, 'a.strace'), '7 1795252180.5 write(3</w/a>, "x", 5) = 5 <0.1>\n');
  const calls = [{ call: 'write', bytes: 4096, ns: 500, lowNs: 400, highNs: 600 }];
  const calibration = { schema: 'iolens/calibration@1', folder: '/w', mounts: [{ path: '/', type: 'ext4' }], calls };
  writeFileSync(path.join(folder, 'a.strace.calibration.json'), JSON.stringify(calibration));
  const opened = await OpenedRecording.open(plainRequest(folder), await chooseLookup('', false));
  expect(opened.calibrated.calibration).toEqual(calibration);
});
