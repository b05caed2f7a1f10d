import { expect, test } from 'vitest';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { infoDocument } from './info-document.ts';
import { infoText } from './summary-text.ts';

const CALL = '7 1795252180.000000 write(3</w/a>, "x"..., 16) = 16 <0.000040>\n';

async function info(text: string): Promise<string> {
  return infoText(infoDocument(await readStrace([memoryFile('t', text)]), 't', []));
}

test('the length is the recorded one', async () => {
  const text = await info(`${CALL}7 1795252180.000100 +++ exited with 0 +++\n`);
  expect(text).toMatch(/duration +\S+ µs under the tracer\n/);
  expect(text).not.toMatch(/ended early/i);
});

test('a program that was killed ended early: that stands before what the recording holds', async () => {
  expect(await info(`${CALL}7 1795252180.000100 +++ killed by SIGKILL +++\n`)).toMatch(
    /^t\n {2}Ended early: .*7.*\.\n {2}format /,
  );
});

test('a length that is not recorded is unknown', async () => {
  expect(await info('7 write(3</w/a>, "x"..., 16) = 16\n7 +++ exited with 0 +++\n')).toMatch(/duration +unknown\n/);
});
