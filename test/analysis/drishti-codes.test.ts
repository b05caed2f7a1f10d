import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { freshFolder } from '../support/programs.ts';
import { StraceText } from '../support/strace-text.ts';

const FILES = 40;

/** 12,000 small writes to many files, without stacks: of none is there much. */
function smallWrites(): string {
  const text = new StraceText();
  for (let file = 0; file < FILES; file++) {
    text.call(5, `openat(AT_FDCWD, "/d/${file}", O_WRONLY|O_CREAT) = 3</d/${file}>`, 10);
    text.times(12_000 / FILES, () => text.call(5, `write(3</d/${file}>, ""..., 64) = 64`, 5));
    text.call(5, `close(3</d/${file}>) = 0`, 5);
  }
  return text.toString();
}

test("Drishti's rules are asked of the whole run where no single file stands out", async () => {
  const folder = freshFolder('drishti-codes');
  try {
    const file = path.join(folder, 'many.strace');
    writeFileSync(file, smallWrites());
    const recording = await OpenedRecording.open(plainRequest(file), await chooseLookup('/nonexistent', false));
    expect([...recording.drishtiCodes]).toContain('P06');
    expect([...recording.drishtiCodes]).not.toContain('P05');
    // What the report finds stands in the table.
    for (const { code } of recording.insights) expect([...recording.drishtiCodes]).toContain(code);
    await recording.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
