import { UnreadableRecordingError } from '../../trace/trace.ts';
import type { Packing } from '../../trace/byte-source.ts';
import { textOf } from './region-reader.ts';

/** A part of the log file; positions and lengths in bytes, as stored. */
export interface Region {
  readonly offset: number;
  readonly length: number;
}

export interface ModuleRegion extends Region {
  /** As Darshan 3.4.1 and later number the modules. */
  readonly id: number;
  readonly name: string;
  readonly version: number;
  /** The recorder ran out of memory for it: records are missing. */
  readonly incomplete: boolean;
}

/** What stands uncompressed at the beginning of a log. */
export interface LogHeader {
  /** As stored: `3.41`. */
  readonly version: string;
  /** 41 of `3.41`. */
  readonly minor: number;
  /** The version is not one that this reader was written for. */
  readonly isUnknown: boolean;
  readonly littleEndian: boolean;
  /** Undefined when the header names no known one. */
  readonly packing: Packing | undefined;
  readonly bytes: number;
  readonly names: Region;
  readonly modules: readonly ModuleRegion[];
}

const MAGIC = 6_567_223n;
/** Text tables that the variant with call stacks keeps behind the header: addresses and lines of POSIX and of MPI-IO. */
export const LINE_TABLE_BYTES = 4096;
/** Bytes that hold the header of any version, with those tables, and the first ones behind them. */
export const MOST_HEADER_BYTES = 1328 + 2 * LINE_TABLE_BYTES + 2;

const PACKINGS: readonly Packing[] = ['zlib', 'bzip2', 'none'];
const KNOWN_VERSIONS = new Set(['3.00', '3.10', '3.20', '3.21', '3.41']);
const NEWEST_MINOR = 41;

const MODULES = [
  'NULL',
  'POSIX',
  'MPI-IO',
  'H5F',
  'H5D',
  'PNETCDF_FILE',
  'PNETCDF_VAR',
  'BG/Q',
  'LUSTRE',
  'STDIO',
  'DXT_POSIX',
  'DXT_MPIIO',
  'MDHIM',
  'APXC',
  'APMPI',
  'HEATMAP',
  'DFS',
  'DAOS',
] as const;

/** Where the fields of a header stand. */
interface HeaderLayout {
  readonly bytes: number;
  readonly slots: number;
  readonly flags: number;
  readonly names: number;
  readonly regions: number;
  readonly versions: number;
}

const WIDE: HeaderLayout = { bytes: 1328, slots: 64, flags: 24, names: 32, regions: 48, versions: 1072 };
const NARROW: HeaderLayout = { bytes: 360, slots: 16, flags: 20, names: 24, regions: 40, versions: 296 };

/** Byte order of the machine that wrote the log: true little endian; undefined when this is no Darshan log. */
export function byteOrder(head: Uint8Array): boolean | undefined {
  if (head.length < 16) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (view.getBigInt64(8, true) === MAGIC) return true;
  return view.getBigInt64(8, false) === MAGIC ? false : undefined;
}

/**
 * Reads the header, whatever regions it names: they are checked against the file elsewhere.
 * @param head the first bytes of the file, MOST_HEADER_BYTES of them if there are as many.
 * @param fileBytes size of the file.
 * @throws UnreadableRecordingError when this is no log whose structure is known.
 */
export function readHeader(head: Uint8Array, fileBytes: number, where: string): LogHeader {
  const littleEndian = byteOrder(head);
  if (littleEndian === undefined) throw new UnreadableRecordingError(`${where}: this is no Darshan log`);
  const version = textOf(head.subarray(0, 8));
  const parts = /^(\d+)\.(\d\d)$/.exec(version);
  if (parts !== null && Number(parts[1]) < 3) {
    const how = 'logs of Darshan 3 and later are read; the tools of Darshan 2 read this one';
    throw new UnreadableRecordingError(`${where}: this is a log of version ${version}: ${how}`);
  }
  const layout = layoutOf(parts, new DataView(head.buffer, head.byteOffset, head.length), littleEndian, fileBytes);
  if (layout === undefined && head.length < NARROW.bytes) {
    throw new UnreadableRecordingError(`${where}: the file is cut off: a Darshan log ends in its header`);
  }
  if (layout === undefined) {
    const what = `a Darshan log of version ${shown(version)}`;
    throw new UnreadableRecordingError(
      `${where}: ${what} with a header that is damaged or not known (newest known: 3.41)`,
    );
  }
  const minor = layout === WIDE ? NEWEST_MINOR : Math.min(Number(parts?.[2] ?? 21), 21);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  return {
    version: shown(version),
    minor,
    isUnknown: !KNOWN_VERSIONS.has(version),
    littleEndian,
    packing: PACKINGS[view.getUint8(16)],
    bytes: layout.bytes,
    names: regionAt(view, layout.names, littleEndian),
    modules: modulesOf(view, layout, minor, littleEndian),
  };
}

/** The layout that the version asks for; for versions that are not known the one that makes sense. */
function layoutOf(
  parts: RegExpExecArray | null,
  view: DataView,
  littleEndian: boolean,
  fileBytes: number,
): HeaderLayout | undefined {
  const isKnown = parts !== null && KNOWN_VERSIONS.has(parts[0]);
  if (isKnown) {
    const layout = Number(parts[2]) >= NEWEST_MINOR ? WIDE : NARROW;
    return view.byteLength >= layout.bytes ? layout : undefined;
  }
  return [WIDE, NARROW].find((layout) => makesSense(view, layout, littleEndian, fileBytes));
}

/** Whether the regions of a header lie in the file, none over another. */
function makesSense(view: DataView, layout: HeaderLayout, littleEndian: boolean, fileBytes: number): boolean {
  if (view.byteLength < layout.bytes) return false;
  const regions = [regionAt(view, layout.names, littleEndian)];
  for (let slot = 0; slot < layout.slots; slot++) {
    regions.push(regionAt(view, layout.regions + slot * 16, littleEndian));
  }
  const used = regions.filter(({ length }) => length > 0).sort((a, b) => a.offset - b.offset);
  let end = layout.bytes;
  for (const { offset, length } of used) {
    if (offset < end || offset + length > fileBytes) return false;
    end = offset + length;
  }
  return used.length > 0;
}

function regionAt(view: DataView, at: number, littleEndian: boolean): Region {
  const offset = Number(view.getBigUint64(at, littleEndian));
  const length = Number(view.getBigUint64(at + 8, littleEndian));
  return { offset, length };
}

function modulesOf(view: DataView, layout: HeaderLayout, minor: number, littleEndian: boolean): ModuleRegion[] {
  const flags =
    layout === WIDE
      ? view.getBigUint64(layout.flags, littleEndian)
      : BigInt(view.getUint32(layout.flags, littleEndian));
  const modules: ModuleRegion[] = [];
  for (let slot = 0; slot < layout.slots; slot++) {
    const region = regionAt(view, layout.regions + slot * 16, littleEndian);
    const version = view.getUint32(layout.versions + slot * 4, littleEndian);
    if (region.length === 0) continue;
    const id = moduleId(slot, minor);
    const name = MODULES[id] ?? `module ${id}`;
    modules.push({ ...region, id, name, version, incomplete: ((flags >> BigInt(slot)) & 1n) === 1n });
  }
  return modules;
}

/** Modules that came later were numbered between those that were there already. */
function moduleId(slot: number, minor: number): number {
  const withDatasets = minor < 20 && slot >= 4 ? slot + 1 : slot;
  return minor < NEWEST_MINOR && withDatasets >= 6 ? withDatasets + 1 : withDatasets;
}

/** The version is content of the file: nothing of it but letters, digits and points is shown. */
function shown(version: string): string {
  return version.replace(/[^\w.]/g, '?');
}
