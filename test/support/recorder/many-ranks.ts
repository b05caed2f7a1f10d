/** Runs of thousands of ranks, made of a real one of two (test/data/capture/ranks): each rank's file is one of its two. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CHUNK_KIND, chunksOf, chunkSum, sumOf, type Chunk } from '../../../src/readers/capture/chunks.ts';
import { RecordCursor } from '../../../src/readers/capture/record-cursor.ts';
import type { ByteStream } from '../../../src/trace/byte-source.ts';
import { RecordBytes } from './capture-writer.ts';

/** Of the real run. */
const REAL_PIDS = /\b2856[78]\b/g;
const FIRST_PID = 30_000;
const KIND = { process: 1, text: 2, world: 6, communicator: 7, life: 10 } as const;
/** By how much later a host was started than the one before it: each has a monotonic clock of its own. */
const BETWEEN_HOSTS_NS = 3_600_000_000_000n;
const RANK_FILE = /rank-\d+/;

interface Place {
  readonly rank: number;
  readonly ranks: number;
  readonly pid: number;
  readonly host: string;
  /** What its monotonic clock is ahead of the real one's. */
  readonly ahead: bigint;
}

interface RealFile {
  readonly header: Uint8Array;
  readonly pid: number;
  /** With their payloads' sums: only headers differ between ranks, and definitions. */
  readonly chunks: readonly (Chunk & { readonly header: Uint8Array; readonly sum: number })[];
}

/**
 * @param real folder of the real run.
 * @returns name and bytes of the file of each rank, one after the other: all of them have no room in memory.
 */
export async function* manyRanks(
  real: string,
  ranks: number,
  ranksOfHost = 128,
): AsyncGenerator<{ readonly name: string; readonly bytes: Uint8Array }> {
  const [first, second] = await Promise.all(
    readdirSync(real)
      .sort()
      .map((name) => readReal(path.join(real, name))),
  );
  for (let rank = 0; rank < ranks; rank++) {
    const file = rank === 0 ? first! : second!;
    const node = Math.floor(rank / ranksOfHost);
    const host = `node${String(node + 1).padStart(5, '0')}`;
    const pid = FIRST_PID + (rank % ranksOfHost);
    const place = { rank, ranks, pid, host, ahead: BigInt(node) * BETWEEN_HOSTS_NS };
    yield { name: `${host}-${pid}-2cfe5b1809a5.iorec`, bytes: fileOf(file, place) };
  }
}

async function readReal(file: string): Promise<RealFile> {
  const name = path.basename(file);
  const bytes = new Uint8Array(gunzipSync(readFileSync(file)));
  const chunks: RealFile['chunks'][number][] = [];
  for await (const chunk of chunksOf(streamOf(bytes), () => undefined)) {
    const payload = chunk.payload.slice();
    const sum = sumOf(chunk.kind === CHUNK_KIND.live ? new DataView(new ArrayBuffer(0)) : viewOf(payload));
    chunks.push({ ...chunk, payload, header: bytes.slice(chunk.position, chunk.position + 40), sum });
  }
  return { header: bytes.slice(0, 16), pid: Number(name.split('-')[1]), chunks };
}

function streamOf(bytes: Uint8Array): ByteStream {
  let at = 0;
  const read = (target: Uint8Array): Promise<number> => {
    const piece = bytes.subarray(at, at + target.length);
    target.set(piece);
    at += piece.length;
    return Promise.resolve(piece.length);
  };
  return { read, close: () => Promise.resolve() };
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function fileOf(real: RealFile, place: Place): Uint8Array {
  const parts: Uint8Array[] = [real.header];
  for (const { kind, payload, header, sum, thread } of real.chunks) {
    const own = header.slice();
    const view = viewOf(own);
    if (kind === CHUNK_KIND.definitions) {
      const definitions = definitionsOf(payload, place);
      view.setUint32(8, definitions.length, true);
      view.setUint32(12, chunkSum(view, sumOf(viewOf(definitions))), true);
      parts.push(own, definitions);
      continue;
    }
    if (kind === CHUNK_KIND.events) {
      view.setBigUint64(16, view.getBigUint64(16, true) + place.ahead, true);
      view.setUint32(24, thread - real.pid + place.pid, true);
      view.setUint32(12, chunkSum(view, sum), true);
    }
    parts.push(own, payload);
  }
  return Buffer.concat(parts);
}

/** What is another rank's is written anew, the rest is as it was. */
function definitionsOf(payload: Uint8Array, place: Place): Uint8Array {
  const parts: Uint8Array[] = [];
  const cursor = new RecordCursor();
  cursor.set(payload);
  let kept = 0;
  while (cursor.at < cursor.end && payload[cursor.at] !== 0) {
    const from = cursor.at;
    const kind = payload[cursor.at++]!;
    const length = cursor.varint();
    const body = new RecordCursor();
    body.set(payload, cursor.at, cursor.at + length);
    cursor.at += length;
    const changed = changedBody(kind, body, place);
    if (changed === undefined) continue;
    const bytes = new RecordBytes().varint(kind).varint(changed.bytes.length).bytes;
    parts.push(payload.subarray(kept, from), Uint8Array.from(bytes), Uint8Array.from(changed.bytes));
    kept = cursor.at;
  }
  parts.push(payload.subarray(kept, cursor.at));
  const all = Buffer.concat(parts);
  return Buffer.concat([all, new Uint8Array(-all.length & 7)]);
}

function changedBody(kind: number, body: RecordCursor, place: Place): RecordBytes | undefined {
  switch (kind) {
    case KIND.process:
      return processOf(body, place);
    case KIND.text: {
      const number = body.varint();
      const text = body.text();
      const own = text.replace(RANK_FILE, `rank-${place.rank}`).replace(REAL_PIDS, String(place.pid));
      return own === text ? undefined : new RecordBytes().varint(number).text(own);
    }
    case KIND.world: {
      const [, , library] = [body.varint(), body.varint(), body.text()];
      return new RecordBytes().varint(place.rank).varint(place.ranks).text(library);
    }
    case KIND.communicator: {
      const [number, , name] = [body.varint(), body.varint(), body.text()];
      if (name !== 'MPI_COMM_WORLD') return undefined;
      return new RecordBytes()
        .varint(number)
        .varint(place.ranks)
        .text(name)
        .varint(1)
        .signed(0)
        .signed(1)
        .varint(place.ranks);
    }
    case KIND.life:
      return rest(new RecordBytes().varint(body.exact() + place.ahead), body);
    default:
      return undefined;
  }
}

function processOf(body: RecordCursor, { rank, ranks, pid, host, ahead }: Place): RecordBytes {
  body.varint();
  const own = new RecordBytes().varint(pid).varint(body.varint());
  own
    .varint(body.exact())
    .varint(body.exact() + ahead)
    .varint(body.varint());
  body.signed();
  body.signed();
  own.signed(rank).signed(ranks);
  for (let number = 0; number < 3; number++) own.varint(body.varint());
  body.text();
  own.text(host);
  for (let text = 0; text < 5; text++) own.text(body.text());
  const words = body.varint();
  own.varint(words);
  for (let word = 0; word < words; word++) own.text(body.text());
  own.varint(body.exact() + ahead);
  return rest(own, body);
}

function rest(own: RecordBytes, { bytes, at, end }: RecordCursor): RecordBytes {
  own.bytes.push(...bytes.subarray(at, end));
  return own;
}
