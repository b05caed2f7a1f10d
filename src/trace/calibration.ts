/**
 * What system calls cost on the machine of a recording **without** a tracer: measured beside the recording by
 * `iolens record` and kept in `NAME.calibration.json` (docs/gain.md). The file is as untrusted as the recording.
 */

/** What can be measured; `write` makes a file longer, `rewrite` writes over it, `reread` reads the same place again. */
export const CALIBRATED_CALLS = [
  'call',
  'seek',
  'fstat',
  'stat',
  'access',
  'missing-stat',
  'missing-open',
  'open-close',
  'open-write-close',
  'dup-close',
  'read',
  'reread',
  'rewrite',
  'write',
] as const;
export type CalibratedCall = (typeof CALIBRATED_CALLS)[number];

/** Nanoseconds of one call: the median and the quartiles of many batches of calls. */
export interface MeasuredCall {
  readonly call: CalibratedCall;
  /** Bytes that a call moves. */
  readonly bytes: number;
  readonly ns: number;
  readonly lowNs: number;
  readonly highNs: number;
}

export interface Mount {
  readonly path: string;
  readonly type: string;
}

export interface Calibration {
  readonly schema: 'iolens/calibration@1';
  /** Absolute path of the folder in which was measured. */
  readonly folder: string;
  /** Where file systems are mounted: tells which files lie on the measured one. */
  readonly mounts: readonly Mount[];
  readonly calls: readonly MeasuredCall[];
}

/** Text that is no calibration of this version; the message is for the user. */
export class CalibrationError extends Error {
  override name = 'CalibrationError';
}

const LONGEST_CALL_NS = 1e9;
const MOST_ENTRIES = 1000;

/** @throws CalibrationError when the text is anything else. */
export function parseCalibration(text: string): Calibration {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CalibrationError('it is no JSON');
  }
  if (!isRecord(value) || value['schema'] !== 'iolens/calibration@1')
    throw new CalibrationError('it is not of the kind iolens/calibration@1');
  const { folder, mounts, calls } = value;
  if (typeof folder !== 'string' || !isList(mounts) || !isList(calls))
    throw new CalibrationError('folder, mounts or calls are missing');
  return {
    schema: 'iolens/calibration@1',
    folder,
    mounts: mounts.map((mount, i) => {
      if (!isRecord(mount) || typeof mount['path'] !== 'string' || typeof mount['type'] !== 'string')
        throw new CalibrationError(`mounts[${i}] is no mount`);
      return { path: mount['path'], type: mount['type'] };
    }),
    calls: calls.map(measuredCall),
  };
}

function measuredCall(value: unknown, i: number): MeasuredCall {
  if (!isRecord(value)) throw new CalibrationError(`calls[${i}] is no object`);
  const call = CALIBRATED_CALLS.find((name) => name === value['call']);
  if (call === undefined) throw new CalibrationError(`calls[${i}].call is no known call`);
  const number = (name: string, most: number): number => {
    const found = value[name];
    if (typeof found !== 'number' || !(found >= 0 && found <= most))
      throw new CalibrationError(`calls[${i}].${name} is no number from 0 to ${most}`);
    return found;
  };
  const ns = number('ns', LONGEST_CALL_NS);
  const measured = {
    call,
    bytes: number('bytes', 2 ** 30),
    ns,
    lowNs: number('lowNs', ns),
    highNs: number('highNs', LONGEST_CALL_NS),
  };
  if (measured.highNs < ns) throw new CalibrationError(`calls[${i}].highNs is less than ns`);
  return measured;
}

/** Whether a file lies on the file system that was measured: the innermost mounts of both are the same. */
export function isCalibrated({ folder, mounts }: Calibration, path: string): boolean {
  return mountOf(mounts, path) === mountOf(mounts, folder);
}

function mountOf(mounts: readonly Mount[], path: string): string {
  let found = '';
  for (const mount of mounts) {
    const inside = mount.path === '/' || path === mount.path || path.startsWith(`${mount.path}/`);
    if (inside && mount.path.length > found.length) found = mount.path;
  }
  return found;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= MOST_ENTRIES;
}
