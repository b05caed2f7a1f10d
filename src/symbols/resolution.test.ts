import { copyFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absent, corpus } from '../../test/support/corpus.ts';
import { chooseLookup } from '../session/machine/lookup-tools.ts';
import { plainRequest } from '../session/reading/open-request.ts';
import { OpenedRecording } from '../session/reading/opened-recording.ts';
import type { ModuleReport } from './recorded-module.ts';

/** What happens when the binary of a recording is missing, stripped, another one, or broken. */
const programs = corpus('strace-programs/small_writes');
const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-binaries-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(recording: string, to: string): Promise<{ site: string; module: ModuleReport }> {
  const request = {
    ...plainRequest(path.join(programs!, recording)),
    pathRules: [{ from: '/tmp/badio/small_writes', to }],
  };
  const opened = await OpenedRecording.open(request, await chooseLookup(wasm, false));
  const found = opened.insights[0]!.sites[0];
  const site = found === undefined ? undefined : opened.callSites().sites[found.site];
  const module = opened.resolved.modules.find(({ status }) => status !== 'library')!;
  return { site: site === undefined ? '' : `${path.basename(site.file)}:${site.line} ${site.functionName}`, module };
}

describe.skipIf(programs === undefined)(programs === undefined ? absent('strace-programs') : 'binaries', () => {
  test('a missing binary: the recorder’s function names stay, and where it was looked for is said', async () => {
    const { site, module } = await open('small_writes.O0.strace.gz', '/nonexistent');
    expect(site).toBe(':0 emit_record');
    expect(module.status).toBe('missing');
    expect(module.note).toContain('looked at /nonexistent/small_writes.O0, /tmp/badio/small_writes/small_writes.O0');
  });

  test('a missing binary, recorded with -kk: the recorder’s own lines are used', async () => {
    const { site } = await open('small_writes.O2.v72-kk.strace.gz', '/nonexistent');
    expect(site).toMatch(/^small_writes\.c:11/);
  });

  test('a stripped binary with a debug link beside it', async () => {
    const { site, module } = await open('small_writes.stripped.strace.gz', programs!);
    expect(site).toBe('small_writes.c:11 emit_record');
    expect(path.basename(module.debugFile)).toBe('small_writes.stripped.debug');
  });

  test('a stripped binary without its debug file: functions by the recorder', async () => {
    copyFileSync(path.join(programs!, 'small_writes.stripped'), path.join(folder, 'small_writes.stripped'));
    const { module } = await open('small_writes.stripped.strace.gz', folder);
    expect(module.status).toBe('functions');
    expect(module.note).toContain(`${folder}/small_writes.stripped.debug`);
  });

  test('a debug file that belongs to another build is not taken', async () => {
    copyFileSync(path.join(programs!, 'small_writes.stripped'), path.join(folder, 'small_writes.stripped'));
    copyFileSync(path.join(programs!, 'small_writes.O0'), path.join(folder, 'small_writes.stripped.debug'));
    const { module } = await open('small_writes.stripped.strace.gz', folder);
    expect(module.status).toBe('functions');
    rmSync(path.join(folder, 'small_writes.stripped.debug'));
  });

  test('another binary of the same name: no line rather than a wrong one', async () => {
    copyFileSync(path.join(programs!, 'small_writes.nopie'), path.join(folder, 'small_writes.O0'));
    const { site, module } = await open('small_writes.O0.strace.gz', folder);
    expect(module.status).toBe('changed');
    expect(module.note).toContain('is not the binary that was recorded');
    expect(site).toBe(':0 emit_record');
  });

  test.each([100, 3000, 15_000])('a binary cut at %i bytes', async (size) => {
    const file = path.join(folder, 'small_writes.O2');
    copyFileSync(path.join(programs!, 'small_writes.O2'), file);
    truncateSync(file, size);
    const { module } = await open('small_writes.O2.strace.gz', folder);
    expect(['missing', 'functions']).toContain(module.status);
    expect(module.note).not.toBe('');
  });

  test('a text file in place of the binary', async () => {
    writeFileSync(path.join(folder, 'small_writes.gz'), '#!/bin/sh\n');
    const { module } = await open('small_writes.gz.strace.gz', folder);
    expect(module.status).toBe('missing');
  });

  test('a binary that the user names stands for the recorded one', async () => {
    const request = {
      ...plainRequest(path.join(programs!, 'small_writes.O2.strace.gz')),
      binaries: [path.join(programs!, 'small_writes.O2')],
    };
    const opened = await OpenedRecording.open(request, await chooseLookup(wasm, false));
    expect(opened.callSites().sites.map((site) => `${path.basename(site.file)}:${site.line}`)).toContain(
      'small_writes.c:11',
    );
  });

  test('an installed tool answers the same where there is no WebAssembly module', async () => {
    const lookup = await chooseLookup('/nonexistent.wasm', true);
    expect(lookup.tool).toMatch(/addr2line|llvm-symbolizer/);
    const request = {
      ...plainRequest(path.join(programs!, 'small_writes.O2.strace.gz')),
      pathRules: [{ from: '/tmp/badio/small_writes', to: programs! }],
    };
    const opened = await OpenedRecording.open(request, lookup);
    expect(opened.callSites().sites.map((site) => `${path.basename(site.file)}:${site.line}`)).toContain(
      'small_writes.c:11',
    );
    expect(opened.resolved.tool).toBe(lookup.tool);
  });

  test('without any tool, and in an untrusted workspace, names stay and nothing is started', async () => {
    const lookup = await chooseLookup('/nonexistent.wasm', false);
    const request = {
      ...plainRequest(path.join(programs!, 'small_writes.O2.strace.gz')),
      pathRules: [{ from: '/tmp/badio/small_writes', to: programs! }],
    };
    const opened = await OpenedRecording.open(request, lookup);
    expect(opened.resolved.tool).toContain('none');
    expect(opened.callSites().sites.map((site) => site.functionName)).toContain('main');
  });
});
