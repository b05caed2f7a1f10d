import type { RecordingFile } from '../../trace/byte-source.ts';
import type { DamageLog } from '../../trace/damage.ts';
import type { ByteCursor } from './byte-cursor.ts';
import { Chunks, END_OF_CHUNK, END_OF_FILE, payloadLength } from './chunks.ts';

/**
 * Goes over the records of a file of definitions.
 *
 * @param visit reads a payload; the cursor ends where the payload does. What reads beyond it is reported as damage.
 * @returns how many records there were.
 */
export async function readDefinitionFile(
  file: RecordingFile,
  chunkBytes: number,
  damage: DamageLog,
  visit: (type: number, cursor: ByteCursor) => void,
): Promise<number> {
  const source = await file.openAt();
  let records = 0;
  try {
    const chunks = new Chunks(source, chunkBytes);
    for (;;) {
      const chunk = await chunks.advance();
      if (chunk === false) {
        damage.add(
          'cut-line',
          `${file.name}, byte ${chunks.size}`,
          'no end mark: it was cut off',
          'definitions behind it',
        );
        return records;
      }
      if (typeof chunk === 'string') {
        damage.add('region', `${file.name}, byte ${chunks.position}`, chunk, 'the definitions of this chunk');
        continue;
      }
      const reading = readChunk(chunks, file.name, damage, visit);
      records += reading.records;
      if (reading.isEnd) return records;
    }
  } finally {
    await source.close();
  }
}

function readChunk(
  chunks: Chunks,
  name: string,
  damage: DamageLog,
  visit: (type: number, cursor: ByteCursor) => void,
): { records: number; isEnd: boolean } {
  const { cursor } = chunks;
  const end = cursor.end;
  let records = 0;
  while (cursor.at < end) {
    const at = cursor.at;
    const where = (): string => `${name}, byte ${chunks.position + at}`;
    const type = cursor.u8();
    if (type === END_OF_CHUNK) return { records, isEnd: false };
    if (type === END_OF_FILE) return { records, isEnd: true };
    const length = payloadLength(cursor);
    const next = cursor.at + length;
    if (cursor.overrun || next > end) {
      damage.add('record', where(), `a record of ${length} bytes, where ${end - at} are left`, 'the rest of the chunk');
      return { records, isEnd: false };
    }
    records++;
    cursor.end = next;
    if (!reads(() => visit(type, cursor), cursor)) {
      damage.add('record', where(), `a record of type ${type} is shorter than its fields`, 'fields of this record');
    }
    cursor.at = next;
    cursor.end = end;
  }
  return { records, isEnd: false };
}

/** @returns whether what was read did not go beyond the payload. */
function reads(visit: () => void, cursor: ByteCursor): boolean {
  visit();
  const isRight = !cursor.overrun;
  cursor.overrun = false;
  return isRight;
}
