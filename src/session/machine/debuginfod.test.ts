import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { EMIT, EMIT_LINE, freshFolder, has, open, placeOf, recordEmit, run } from '../../../test/support/programs.ts';
import { serversOf } from './debug-servers.ts';
import { DebuginfodServers, debugDownloads } from './debuginfod.ts';
import { plainRequest } from '../reading/open-request.ts';

const ID = 'ab'.repeat(20);
const LIMITS = { patience: 2000, largest: 1 << 20 };
let folder = '';
let server: Server | undefined;

beforeAll(() => {
  folder = freshFolder('debuginfod');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const made = createServer(answer);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

const cacheOf = (name: string): string => path.join(folder, name);

describe('a server of debug files', () => {
  test('what it sends is kept where debuginfod’s own client looks, and not asked for again', async () => {
    const asked: string[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url!);
      response.end('debug file');
    });
    const cache = cacheOf('kept');
    for (let i = 0; i < 2; i++) {
      const found = await new DebuginfodServers([url], cache, LIMITS).debugFile(ID);
      expect(found).toEqual({ path: path.join(cache, ID, 'debuginfo') });
    }
    expect(asked).toEqual([`/buildid/${ID}/debuginfo`]);
    expect(readFileSync(path.join(cache, ID, 'debuginfo'), 'utf8')).toBe('debug file');
  });

  test('the next server is asked, and what each said is told', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(404).end();
    });
    const servers = new DebuginfodServers([url, 'ftp://127.0.0.1', 'http://127.0.0.1:1'], cacheOf('next'), LIMITS);
    const found = await servers.debugFile(ID);
    expect('problem' in found && found.problem).toMatch(
      /^http:.* \(does not have it\), ftp:.* \(only http and https are asked\), http:.*:1 \(.+\)$/,
    );
  });

  test.each([
    ['too much', (response: ServerResponse) => response.end(Buffer.alloc(LIMITS.largest + 1)), /sends more than/],
    ['nothing, for too long', (response: ServerResponse) => response.write('a'), /did not answer in time/],
    ['an error', (response: ServerResponse) => response.writeHead(500).end(), /answered 500/],
    [
      'half a file',
      (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('half');
        setTimeout(() => response.destroy(), 50);
      },
      /./,
    ],
  ])('a server that sends %s leaves nothing behind', async (_name, answer, expected) => {
    const url = await serve((_request, response) => answer(response));
    const cache = cacheOf('broken');
    const found = await new DebuginfodServers([url], cache, { ...LIMITS, patience: 400 }).debugFile(ID);
    expect('problem' in found && found.problem).toMatch(expected);
    expect(existsSync(path.join(cache, ID, 'debuginfo'))).toBe(false);
  });

  test('a server that was silent once is not waited for again', async () => {
    let asked = 0;
    const url = await serve(() => {
      asked++;
    });
    const servers = new DebuginfodServers([url], cacheOf('silent'), { ...LIMITS, patience: 200 });
    for (const id of [ID, 'cd'.repeat(20)]) {
      expect(await servers.debugFile(id)).toEqual({ problem: `${url} (did not answer in time)` });
    }
    expect(asked).toBe(1);
  });

  test('waiting for a server can be cancelled', async () => {
    const controller = new AbortController();
    const url = await serve(() => controller.abort(new Error('enough')));
    const servers = new DebuginfodServers(
      [url],
      cacheOf('cancelled'),
      { ...LIMITS, patience: 60_000 },
      controller.signal,
    );
    await expect(servers.debugFile(ID)).rejects.toThrow('enough');
  });

  test('two sessions that fetch the same file both get it', async () => {
    const url = await serve((_request, response) => {
      response.write('debug ');
      setTimeout(() => response.end('file'), 50);
    });
    const cache = cacheOf('together');
    const found = await Promise.all([0, 1].map(() => new DebuginfodServers([url], cache, LIMITS).debugFile(ID)));
    const file = path.join(cache, ID, 'debuginfo');
    expect(found).toEqual([{ path: file }, { path: file }]);
    expect(readFileSync(file, 'utf8')).toBe('debug file');
    expect(readdirSync(path.dirname(file))).toEqual(['debuginfo']);
  });

  test('a build id that is none reaches no server and no path', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked++;
      response.end();
    });
    const found = await new DebuginfodServers([url], cacheOf('none'), LIMITS).debugFile('../../etc');
    expect('problem' in found).toBe(true);
    expect(asked).toBe(0);
  });

  test('nothing is asked unless servers are named, and never in an untrusted workspace', () => {
    expect(debugDownloads(plainRequest('x'))).toBeUndefined();
    expect(debugDownloads({ ...plainRequest('x'), debugServers: ['http://a'], maySpawn: false })).toBeUndefined();
    expect(debugDownloads({ ...plainRequest('x'), debugServers: ['http://a'] })).toBeDefined();
  });

  test('the environment says which servers', () =>
    expect(serversOf({ DEBUGINFOD_URLS: ' https://a/  http://b ' })).toEqual(['https://a/', 'http://b']));
});

const ready = has('gcc', 'strace', 'objcopy', 'strip', 'debuginfod');

describe.skipIf(!ready)(ready ? 'Debian’s debuginfod' : 'debuginfod, gcc or strace is not on this machine', () => {
  let daemon: ChildProcess | undefined;
  const environment = { ...process.env };
  afterAll(() => {
    daemon?.kill();
    process.env = environment;
  });

  test('a stripped program gets its lines from the server, and keeps none without it', async () => {
    const work = path.join(folder, 'work');
    const served = path.join(folder, 'served');
    for (const made of [work, served]) mkdirSync(made);
    const recording = recordEmit(work, EMIT, '-O0', '-Wl,--build-id');
    run(work, 'objcopy', '--only-keep-debug', 'emit', path.join(served, 'emit.debug'));
    run(work, 'strip', 'emit');
    process.env['DEBUGINFOD_CACHE_PATH'] = path.join(folder, 'client');
    const port = 20_000 + (process.pid % 20_000);
    const url = `http://127.0.0.1:${port}`;
    daemon = spawn('debuginfod', ['-p', String(port), '-d', ':memory:', '-F', served], { stdio: 'ignore' });
    const asked = { maySpawn: true, debugServers: [url] };

    const without = await open(recording, work, { maySpawn: true });
    expect(placeOf(without)).toBe('');
    expect(without.lacks.map(({ name }) => name)).toEqual(['debug-information']);
    expect(without.lacks[0]!.remedy).toContain('debuginfod');

    // The server scans its folder first.
    for (let tries = 0; tries < 100; tries++) {
      const isUp = await fetch(`${url}/metrics`).then(
        ({ ok }) => ok,
        () => false,
      );
      const opened = isUp ? await open(recording, work, asked) : undefined;
      if (opened !== undefined && placeOf(opened) !== '') break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const recorded = await open(recording, work, asked);
    expect(placeOf(recorded)).toBe(EMIT_LINE);
    expect(recorded.lacks).toEqual([]);
    const { debugFile } = recorded.resolved.modules.find(({ file }) => file.endsWith('/emit'))!;
    expect(debugFile).toMatch(new RegExp(`^${folder}/client/[0-9a-f]{40}/debuginfo$`));

    // A file in the cache that is another's is not taken.
    writeFileSync(debugFile, readFileSync(path.join(work, 'emit')));
    const wrong = await open(recording, work, asked);
    expect(wrong.lacks[0]!.what).toContain('not the debug file of this build');
  }, 60_000);
});
