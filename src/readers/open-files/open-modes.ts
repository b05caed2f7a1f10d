/** What a file is opened for, as bits of OPEN_MODE, from the ways in which the layers say it. */
import { OPEN_MODE } from '../../trace/events.ts';

const KNOWN_BITS = Object.values(OPEN_MODE).reduce((all, bits) => all | bits, 0);
const WRITE_ONLY = 1;
const READ_WRITE = 2;

/** Flags of open(2) as Linux numbers them; NaN stays NaN. */
export function modeOfFlags(flags: number): number {
  return Number.isNaN(flags) ? NaN : flags & KNOWN_BITS;
}

/** Mode of fopen(3): `r`, `w+`, `ab`, … */
export function modeOfStream(mode: string): number {
  const both = mode.includes('+');
  const more = mode.includes('x') ? OPEN_MODE.exclusive : 0;
  switch (mode[0]) {
    case 'r':
      return both ? READ_WRITE : 0;
    case 'w':
      return (both ? READ_WRITE : WRITE_ONLY) | OPEN_MODE.create | OPEN_MODE.truncate | more;
    case 'a':
      return (both ? READ_WRITE : WRITE_ONLY) | OPEN_MODE.create | OPEN_MODE.append | more;
    default:
      return NaN;
  }
}

/** Bits of `amode` of MPI_File_open, the same in MPICH and Open MPI. */
const MPI_MODE = { create: 1, writeOnly: 4, readWrite: 8, exclusive: 64, append: 128 } as const;

export function modeOfMpi(amode: number): number {
  if (Number.isNaN(amode)) return NaN;
  const has = (bit: number): boolean => (amode & bit) !== 0;
  const access = has(MPI_MODE.readWrite) ? READ_WRITE : has(MPI_MODE.writeOnly) ? WRITE_ONLY : 0;
  return (
    access |
    (has(MPI_MODE.create) ? OPEN_MODE.create : 0) |
    (has(MPI_MODE.exclusive) ? OPEN_MODE.exclusive : 0) |
    (has(MPI_MODE.append) ? OPEN_MODE.append : 0)
  );
}

/** Bits of H5F_ACC. */
const HDF5_ACCESS = { readWrite: 1, truncate: 2, exclusive: 4 } as const;

/** @param creates whether it is H5Fcreate. */
export function modeOfHdf5(flags: number, creates: boolean): number {
  if (Number.isNaN(flags)) return NaN;
  if (!creates) return (flags & HDF5_ACCESS.readWrite) !== 0 ? READ_WRITE : 0;
  return (
    READ_WRITE |
    OPEN_MODE.create |
    ((flags & HDF5_ACCESS.truncate) !== 0 ? OPEN_MODE.truncate : 0) |
    ((flags & HDF5_ACCESS.exclusive) !== 0 ? OPEN_MODE.exclusive : 0)
  );
}
