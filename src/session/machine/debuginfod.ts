import { getOrCreate } from '../../base/grouping.ts';
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DebugDownloads } from '../../symbols/symbol-files.ts';
import { debuginfodFolder } from '../reading/cache-folders.ts';
import type { OpenRequest } from '../reading/open-request.ts';

interface DownloadLimits {
  /** Milliseconds for one file. */
  readonly patience: number;
  /** Bytes of one file. */
  readonly largest: number;
}

const LIMITS: DownloadLimits = { patience: 120_000, largest: 2 ** 31 };

/** The servers of a request; undefined when the user turned none on, or the workspace is not trusted. */
export function debugDownloads(request: OpenRequest, signal?: AbortSignal): DebugDownloads | undefined {
  if (!request.maySpawn || request.debugServers.length === 0) return undefined;
  return new DebuginfodServers(request.debugServers, debuginfodFolder(process.env), LIMITS, signal);
}

/**
 * Fetches debug files by build id, as debuginfod(8) serves them: `URL/buildid/BUILDID/debuginfo`. Nothing but the build id
 * leaves this machine.
 */
export class DebuginfodServers implements DebugDownloads {
  /** Servers that once did not answer in time: waiting again for each further file would take minutes. */
  private readonly silent = new Set<string>();
  private readonly asked = new Map<string, Promise<{ path: string } | { problem: string }>>();

  constructor(
    readonly servers: readonly string[],
    private readonly cache: string,
    private readonly limits: DownloadLimits,
    private readonly cancelled?: AbortSignal,
  ) {}

  debugFile(buildId: string): Promise<{ path: string } | { problem: string }> {
    const answer = getOrCreate(this.asked, buildId, () => this.find(buildId));
    return answer;
  }

  private async find(buildId: string): Promise<{ path: string } | { problem: string }> {
    // It becomes part of a path and of an address.
    if (!/^[0-9a-f]{4,128}$/.test(buildId)) return { problem: 'no debuginfod server (the build id is broken)' };
    const file = path.join(this.cache, buildId, 'debuginfo');
    const known = await stat(file).catch(() => undefined);
    // debuginfod's client marks what no server has by an empty file; a server may have got it since.
    if (known?.isFile() === true && known.size > 0) return { path: file };
    const problems: string[] = [];
    for (const server of this.servers) {
      const problem = this.silent.has(server) ? SILENT : await this.fetch(server, buildId, file);
      if (problem === '') return { path: file };
      problems.push(`${server} (${problem})`);
    }
    return { problem: problems.join(', ') };
  }

  /**
   * Puts a server's answer into the cache; returns what went wrong, in words, or ''.
   * @throws the signal's reason when the user cancelled.
   */
  private async fetch(server: string, buildId: string, file: string): Promise<string> {
    let address: URL;
    try {
      address = new URL(`buildid/${buildId}/debuginfo`, server.endsWith('/') ? server : `${server}/`);
    } catch {
      return 'no address';
    }
    if (address.protocol !== 'http:' && address.protocol !== 'https:') return 'only http and https are asked';
    // Two sessions of one process may fetch the same file.
    const partial = `${file}.${randomUUID()}`;
    try {
      const limit = AbortSignal.timeout(this.limits.patience);
      const signal = this.cancelled === undefined ? limit : AbortSignal.any([limit, this.cancelled]);
      const response = await fetch(address, { signal, headers: { 'User-Agent': 'iolens' } });
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        return response.status === 404 ? 'does not have it' : `answered ${response.status}`;
      }
      await mkdir(path.dirname(file), { recursive: true });
      const received = Readable.from(atMost(response.body, this.limits.largest));
      await pipeline(received, createWriteStream(partial), { signal });
      await rename(partial, file);
      return '';
    } catch (error) {
      await rm(partial, { force: true });
      this.cancelled?.throwIfAborted();
      const made = await stat(file).catch(() => undefined);
      if (made?.isFile() === true && made.size > 0) return '';
      const why = reason(error);
      if (why === SILENT) this.silent.add(server);
      return why;
    }
  }
}

const SILENT = 'did not answer in time';

async function* atMost(body: ReadableStream<Uint8Array>, largest: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > largest) throw new Error(`sends more than ${largest} bytes`);
    yield chunk;
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return SILENT;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
