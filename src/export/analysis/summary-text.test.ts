import { expect, test } from 'vitest';
import { readStrace } from '../../readers/strace/strace-reader.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { infoDocument } from './info-document.ts';
import { infoText } from './summary-text.ts';

const CALL = '7 1795252180.000000 write(3</w/a>, "x"..., 16) = 16 <0.000040>\n';

async function info(text: string): Promise<string> {
  return infoText(infoDocument(await readStrace([memoryFile('t', text)]), 't', []));
}

test('the length is the recorded one, and says where to learn what bounds the run', async () => {
  const text = await info(`${CALL}7 1795252180.000100 +++ exited with 0 +++\n`);
  expect(text).toMatch(
    /duration +\S+ µs under the tracer \(how long it takes without, how much of it is I\/O, and what bounds it: iolens analyze\)\n/,
  );
  expect(text).not.toContain('ended early');
});

test('a program that was killed ended early', async () => {
  expect(await info(`${CALL}7 1795252180.000100 +++ killed by SIGKILL +++\n`)).toMatch(/ended early +\S.*7/);
});
