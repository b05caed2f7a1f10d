import type { RecordingFile } from '../../trace/byte-source.ts';
import type { DamageLog } from '../../trace/damage.ts';
import type { Property } from '../../trace/definitions.ts';
import { UnreadableRecordingError } from '../../trace/trace.ts';
import { ByteCursor } from './byte-cursor.ts';
import { isLittleEndian, isPossibleChunkSize } from './chunks.ts';

/** What the file `NAME.otf2` says of the archive. */
export interface Anchor {
  /** Version of the library that wrote it. */
  readonly version: string;
  readonly eventChunkBytes: number;
  readonly definitionChunkBytes: number;
  readonly locations: number;
  readonly globalDefinitions: number;
  readonly machine: string;
  readonly creator: string;
  readonly description: string;
  readonly properties: readonly Property[];
}

/** An anchor is a few names; more is none. */
const MOST_BYTES = 1 << 24;
const MAGIC = 'OTF2';
const NEWEST_TRACE_FORMAT = 2;
/** File substrates: 1 is POSIX, 3 is none. */
const SION = 2;
const LAST_SUBSTRATE = 3;
const ZLIB = 2;
/** What Score-P uses. */
const USUAL_EVENT_CHUNK = 1 << 20;
const USUAL_DEFINITION_CHUNK = 4 << 20;

/**
 * Reads the anchor of an archive.
 * @throws UnreadableRecordingError when it is none, or one of an archive that is stored in a way that nobody reads here.
 */
export async function readAnchor(file: RecordingFile, damage: DamageLog): Promise<Anchor> {
  const source = await file.openAt();
  try {
    const bytes = new Uint8Array(Math.min(source.size, MOST_BYTES));
    const filled = await source.read(0, bytes);
    return parseAnchor(bytes.subarray(0, filled), file.name, damage);
  } finally {
    await source.close();
  }
}

function parseAnchor(bytes: Uint8Array, name: string, damage: DamageLog): Anchor {
  const cursor = new ByteCursor();
  cursor.set(bytes);
  const order = isLittleEndian(cursor.u8(), cursor.u8());
  cursor.littleEndian = order ?? true;
  if (order === undefined || cursor.text() !== MAGIC) {
    throw new UnreadableRecordingError(`${name} is no anchor of an OTF2 archive: it does not begin with ${MAGIC}`);
  }
  const anchorFormat = cursor.u8();
  const traceFormat = cursor.u8();
  const version = [cursor.u8(), cursor.u8(), cursor.u8()].join('.');
  const eventChunk = cursor.u64();
  const definitionChunk = cursor.u64();
  const substrate = cursor.u8();
  const compression = cursor.u8();
  const locations = cursor.u64();
  const globalDefinitions = cursor.u64();
  if (cursor.overrun)
    throw new UnreadableRecordingError(`${name} is cut off: an anchor has more than ${bytes.length} bytes`);
  refuse(name, traceFormat, substrate, compression);
  const [machine, creator, description] = [cursor.text(), cursor.text(), cursor.text()];
  const properties = anchorFormat >= 2 ? readProperties(cursor) : [];
  if (isCut(cursor)) {
    damage.add(
      'file',
      `${name}, byte ${bytes.length}`,
      'it ends inside a name or property',
      'what the anchor says there',
    );
  }
  return {
    version,
    eventChunkBytes: chunkSize(eventChunk, USUAL_EVENT_CHUNK, `${name}, chunk size of events`, damage),
    definitionChunkBytes: chunkSize(
      definitionChunk,
      USUAL_DEFINITION_CHUNK,
      `${name}, chunk size of definitions`,
      damage,
    ),
    locations,
    globalDefinitions,
    machine,
    creator,
    description,
    properties,
  };
}

function readProperties(cursor: ByteCursor): Property[] {
  const properties: Property[] = [];
  for (let left = cursor.u32(); left > 0 && !cursor.overrun; left--) {
    properties.push({ name: cursor.text(), value: cursor.text() });
  }
  return properties;
}

/** Looked at anew: what was read meanwhile may have gone beyond the end. */
function isCut(cursor: ByteCursor): boolean {
  return cursor.overrun;
}

function refuse(name: string, traceFormat: number, substrate: number, compression: number): void {
  if (traceFormat > NEWEST_TRACE_FORMAT) {
    const known = `known is ${NEWEST_TRACE_FORMAT}`;
    throw new UnreadableRecordingError(`${name} is an archive of version ${traceFormat} of the trace format; ${known}`);
  }
  if (substrate === SION) {
    const how = 'write it again with the substrate POSIX (Score-P: SCOREP_TRACING_USE_SION=false)';
    throw new UnreadableRecordingError(`${name} is an archive in SION containers, which are not read here: ${how}`);
  }
  if (substrate > LAST_SUBSTRATE || substrate === 0) {
    throw new UnreadableRecordingError(
      `${name} names the unknown file substrate ${substrate}; known are 1 (POSIX) and 3`,
    );
  }
  if (compression === ZLIB) {
    throw new UnreadableRecordingError(
      `${name} is an archive whose files are packed with zlib inside, which is not read here: write it again without`,
    );
  }
}

function chunkSize(bytes: number, usual: number, where: string, damage: DamageLog): number {
  if (isPossibleChunkSize(bytes)) return bytes;
  damage.add(
    'file',
    where,
    `${bytes} bytes; 256 KiB to 16 MiB are possible`,
    `chunks are looked for every ${usual} bytes`,
  );
  return usual;
}
