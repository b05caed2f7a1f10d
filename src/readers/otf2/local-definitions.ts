import type { RecordingFile } from '../../trace/byte-source.ts';
import type { DamageLog } from '../../trace/damage.ts';
import type { ByteCursor } from './byte-cursor.ts';
import type { ClockOffset, Ticks } from './clock.ts';
import { readDefinitionFile } from './read-definitions.ts';

/** What a mapping table translates (OTF2_MappingType). */
export const MAPPING = {
  string: 0,
  attribute: 1,
  region: 3,
  communicator: 6,
  callingContext: 10,
  ioFile: 12,
  ioHandle: 13,
} as const;

const MAPPING_TABLE = 5;
const CLOCK_OFFSET = 6;
const SPARSE = 1;

/** What the definitions of one location say: how its own numbers translate, and how its clock went. */
export interface LocalDefinitions {
  /** By MAPPING; a number that is not in a table means itself. */
  readonly mappings: ReadonlyMap<number, ReadonlyMap<number, number>>;
  readonly clockOffsets: readonly ClockOffset[];
}

export const NO_LOCAL_DEFINITIONS: LocalDefinitions = { mappings: new Map(), clockOffsets: [] };

export async function readLocalDefinitions(
  file: RecordingFile,
  chunkBytes: number,
  ticks: Ticks,
  damage: DamageLog,
): Promise<LocalDefinitions> {
  const mappings = new Map<number, Map<number, number>>();
  const clockOffsets: ClockOffset[] = [];
  await readDefinitionFile(file, chunkBytes, damage, (type, cursor) => {
    if (type === MAPPING_TABLE) mappings.set(cursor.u8(), readMap(cursor));
    else if (type === CLOCK_OFFSET) {
      cursor.u64();
      const ticksThen = ticks.since(cursor.high, cursor.low);
      clockOffsets.push({ at: ticksThen, offset: cursor.i64() });
    }
  });
  return { mappings, clockOffsets };
}

function readMap(cursor: ByteCursor): Map<number, number> {
  const map = new Map<number, number>();
  const count = cursor.c64();
  const isSparse = cursor.u8() === SPARSE;
  for (let i = 0; i < count; i++) {
    const local = isSparse ? cursor.c64() : i;
    const global = cursor.c64();
    if (cursor.overrun) break;
    map.set(local, global);
  }
  return map;
}

/** Numbers of a location as indices into tables, looked up once each. */
export class LocalIndices {
  /** By number; `UNKNOWN` where nobody asked yet. */
  private known = new Int32Array(64).fill(UNKNOWN);

  /**
   * @param mapping of the location.
   * @param indexOf index of a global number.
   */
  constructor(
    private readonly mapping: ReadonlyMap<number, number> | undefined,
    private readonly indexOf: (global: number) => number,
  ) {}

  at(local: number): number {
    const { known } = this;
    if (local >= known.length) {
      if (local >= MOST_REMEMBERED) return this.indexOf(this.global(local));
      this.known = new Int32Array(Math.min(MOST_REMEMBERED, Math.max(known.length * 2, local + 1))).fill(UNKNOWN);
      this.known.set(known);
    }
    const index = this.known[local]!;
    return index === UNKNOWN ? (this.known[local] = this.indexOf(this.global(local))) : index;
  }

  private global(local: number): number {
    return this.mapping?.get(local) ?? local;
  }
}

const UNKNOWN = -2;
/** Numbers beyond are junk, or rare. */
const MOST_REMEMBERED = 1 << 20;
