import { exactText, UNDEFINED_32, UNDEFINED_64, type ByteCursor } from './byte-cursor.ts';

/** Records of the global definitions as they stand in the file: references are numbers, and may lead to later records. */
export interface RawDefinitions {
  clock: RawClock | undefined;
  readonly strings: Map<number, string>;
  readonly attributes: Map<number, { readonly name: number; readonly type: number }>;
  readonly systemTree: Map<number, { readonly name: number; readonly className: number; readonly parent: number }>;
  readonly locationGroups: Map<number, { readonly name: number; readonly type: number; readonly tree: number }>;
  /** In the order of the file. */
  readonly locations: RawLocation[];
  readonly regions: Map<number, RawRegion>;
  readonly groups: Map<number, RawGroup>;
  readonly communicators: Map<number, RawCommunicator>;
  readonly codeLocations: Map<number, { readonly file: number; readonly line: number }>;
  readonly callingContexts: Map<number, RawCallingContext>;
  readonly paradigmNames: Map<number, number>;
  readonly ioParadigms: Map<number, RawIoParadigm>;
  readonly ioFiles: Map<number, { readonly name: number; readonly scope: number; readonly isDirectory: boolean }>;
  readonly ioFileProperties: { readonly file: number; readonly name: number; readonly value: RawValue }[];
  readonly ioHandles: Map<number, RawIoHandle>;
  readonly preCreated: Map<number, { readonly access: number; readonly status: number }>;
}

export interface RawClock {
  readonly ticksPerSecond: number;
  readonly offsetHigh: number;
  readonly offsetLow: number;
  readonly length: number;
  /** Nanoseconds since 1970 of the global offset; NaN when it is not known. */
  readonly realtime: number;
}

export interface RawLocation {
  /** Its number as text: it names the location's files. */
  readonly id: string;
  readonly name: number;
  readonly type: number;
  readonly events: number;
  readonly group: number;
}

interface RawRegion {
  readonly name: number;
  readonly canonicalName: number;
  readonly sourceFile: number;
  readonly beginLine: number;
  readonly role: number;
  readonly paradigm: number;
}

export interface RawGroup {
  readonly type: number;
  readonly paradigm: number;
  readonly flags: number;
  /** Numbers as text: locations, or places in the list of all locations that communicate. */
  readonly members: readonly string[];
}

interface RawCommunicator {
  readonly name: number;
  readonly group: number;
  /** The other side of an inter-communicator, or UNDEFINED_32. */
  readonly otherGroup: number;
  readonly parent: number;
}

interface RawCallingContext {
  readonly region: number;
  readonly codeLocation: number;
  readonly parent: number;
}

interface RawIoParadigm {
  readonly identification: number;
  readonly name: number;
  readonly isParallel: boolean;
  readonly flags: number;
  readonly properties: readonly { readonly property: number; readonly value: RawValue }[];
}

interface RawIoHandle {
  readonly name: number;
  readonly file: number;
  readonly paradigm: number;
  readonly flags: number;
  readonly communicator: number;
  readonly parent: number;
}

/** A value, or the reference to one. */
export interface RawValue {
  readonly type: number;
  readonly value: number;
  /** Beyond 2^53. */
  readonly exact: string;
}

export function emptyDefinitions(): RawDefinitions {
  return {
    clock: undefined,
    strings: new Map(),
    attributes: new Map(),
    systemTree: new Map(),
    locationGroups: new Map(),
    locations: [],
    regions: new Map(),
    groups: new Map(),
    communicators: new Map(),
    codeLocations: new Map(),
    callingContexts: new Map(),
    paradigmNames: new Map(),
    ioParadigms: new Map(),
    ioFiles: new Map(),
    ioFileProperties: [],
    ioHandles: new Map(),
    preCreated: new Map(),
  };
}

/** Value of an attribute or property by the number of its type (OTF2_Type). */
export function readValue(cursor: ByteCursor, type: number): RawValue {
  const value = numberOf(cursor, type);
  const isWide = type === 4 || type === 13;
  return { type, value, exact: isWide ? exactText(cursor.high, cursor.low) : String(value) };
}

function numberOf(cursor: ByteCursor, type: number): number {
  switch (type) {
    case 1:
      return cursor.u8();
    case 2:
      return cursor.u16();
    case 4:
    case 13:
      return cursor.c64();
    case 5:
      return (cursor.u8() << 24) >> 24;
    case 6:
      return (cursor.u16() << 16) >> 16;
    case 7:
      return cursor.c32() | 0;
    case 8:
      return cursor.i64();
    case 9:
      return cursor.f32();
    case 10:
      return cursor.f64();
    default:
      return cursor.c32();
  }
}

/** How the payload of each known record goes into the tables: its fields in the order of the file. */
const READERS: Readonly<Record<number, (cursor: ByteCursor, raw: RawDefinitions) => void>> = {
  5: (c, raw) => {
    const ticksPerSecond = c.c64();
    c.c64();
    const [offsetHigh, offsetLow] = [c.high, c.low];
    const length = c.c64();
    // Files of writers before 3.0 end here.
    const realtime = c.at < c.end ? c.c64() : UNDEFINED_64;
    raw.clock = { ticksPerSecond, offsetHigh, offsetLow, length, realtime: realtime === UNDEFINED_64 ? NaN : realtime };
  },
  6: (c, raw) => raw.paradigmNames.set(c.u8(), c.c32()),
  8: (c, raw) => {
    const self = c.u8();
    const head = { identification: c.c32(), name: c.c32(), isParallel: c.u8() === 1, flags: c.c32() };
    const properties: { property: number; value: RawValue }[] = [];
    for (let left = c.u8(); left > 0; left--) properties.push({ property: c.u8(), value: readValue(c, c.u8()) });
    raw.ioParadigms.set(self, { ...head, properties });
  },
  10: (c, raw) => raw.strings.set(c.c32(), c.text()),
  11: (c, raw) => raw.attributes.set(c.c32(), { name: c.c32(), type: c.u8() }),
  12: (c, raw) => raw.systemTree.set(c.c32(), { name: c.c32(), className: c.c32(), parent: c.c32() }),
  13: (c, raw) => raw.locationGroups.set(c.c32(), { name: c.c32(), type: c.u8(), tree: c.c32() }),
  14: (c, raw) => {
    c.c64();
    const id = exactText(c.high, c.low);
    raw.locations.push({ id, name: c.c32(), type: c.u8(), events: c.c64(), group: c.c32() });
  },
  15: readRegion,
  18: readGroup,
  22: (c, raw) => {
    const self = c.c32();
    raw.communicators.set(self, { name: c.c32(), group: c.c32(), otherGroup: UNDEFINED_32, parent: c.c32() });
  },
  33: (c, raw) => raw.codeLocations.set(c.c32(), { file: c.c32(), line: c.c32() }),
  34: (c, raw) => raw.callingContexts.set(c.c32(), { region: c.c32(), codeLocation: c.c32(), parent: c.c32() }),
  37: (c, raw) => raw.ioFileProperties.push({ file: c.c32(), name: c.c32(), value: readValue(c, c.u8()) }),
  38: (c, raw) => raw.ioFiles.set(c.c32(), { name: c.c32(), scope: c.c32(), isDirectory: false }),
  39: (c, raw) => raw.ioFiles.set(c.c32(), { name: c.c32(), scope: c.c32(), isDirectory: true }),
  40: (c, raw) => {
    const self = c.c32();
    const head = { name: c.c32(), file: c.c32(), paradigm: c.u8(), flags: c.c32() };
    raw.ioHandles.set(self, { ...head, communicator: c.c32(), parent: c.c32() });
  },
  41: (c, raw) => raw.preCreated.set(c.c32(), { access: c.u8(), status: c.c32() }),
  43: (c, raw) => {
    const self = c.c32();
    raw.communicators.set(self, { name: c.c32(), group: c.c32(), otherGroup: c.c32(), parent: c.c32() });
  },
};

function readRegion(c: ByteCursor, raw: RawDefinitions): void {
  const self = c.c32();
  const name = c.c32();
  c.c32();
  c.u8();
  const [sourceFile, beginLine] = [c.c32(), c.c32()];
  c.c32();
  // Writers before 1.1 end here: the linker's name is the name, role and paradigm are not known.
  const isLong = c.at < c.end;
  const rest = isLong
    ? { canonicalName: c.c32(), role: c.u8(), paradigm: c.u8() }
    : { canonicalName: name, role: 0, paradigm: 0 };
  raw.regions.set(self, { name, sourceFile, beginLine, ...rest });
}

function readGroup(c: ByteCursor, raw: RawDefinitions): void {
  const self = c.c32();
  c.c32();
  c.u8();
  const members: string[] = [];
  for (let left = c.c32(); left > 0 && !c.overrun; left--) {
    c.c64();
    members.push(exactText(c.high, c.low));
  }
  const isLong = c.at < c.end;
  const rest = isLong ? { type: c.u8(), paradigm: c.u8(), flags: c.c32() } : { type: 0, paradigm: 0, flags: 0 };
  raw.groups.set(self, { ...rest, members });
}

/** Reads a record's payload; the cursor ends where the payload does. Records that are not needed are passed over. */
export function readDefinition(type: number, cursor: ByteCursor, raw: RawDefinitions): void {
  READERS[type]?.(cursor, raw);
}
