import path from 'node:path';
import { expect, test } from 'vitest';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { absent, corpus } from '../support/corpus.ts';

const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');

/** `strace -kk` prints source lines itself. Where the program is not here they are all there is, and they are used. */
const name = 'strace-programs/cxx_endl/cxx_endl.O2.v72-kk.strace.gz';
const file = corpus(name);
test.skipIf(file === undefined)(file === undefined ? absent(name) : 'lines of -kk without the program', async () => {
  const recording = await OpenedRecording.open(plainRequest(file!), await chooseLookup(wasm, false));
  const lines = recording.callSites().sites.map(({ file: source, line }) => `${source}:${line}`);
  expect(lines).toContain('cxx_endl/main.cpp:9');
  expect(lines).toContain('cxx_endl/main.cpp:11');
  const program = recording.resolved.modules.find(({ module }) => module === '/tmp/badio/cxx_endl/cxx_endl.O2');
  expect(program).toMatchObject({ status: 'missing' });
  expect(program!.note).toContain('its lines are those that the recorder printed');
});
