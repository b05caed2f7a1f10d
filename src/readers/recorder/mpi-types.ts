/** Bytes of MPI's basic data types (MPI 4.0, section 3.2.2) as they are on Linux, and their Fortran and C++ fellows. */
const SIZES: Readonly<Record<number, string>> = {
  1: 'BYTE CHAR SIGNED_CHAR UNSIGNED_CHAR PACKED INT8_T UINT8_T C_BOOL CXX_BOOL CHARACTER INTEGER1 LOGICAL1',
  2: 'SHORT UNSIGNED_SHORT INT16_T UINT16_T INTEGER2 LOGICAL2 REAL2',
  4: 'INT UNSIGNED FLOAT INT32_T UINT32_T WCHAR INTEGER REAL LOGICAL INTEGER4 REAL4 LOGICAL4',
  8:
    'LONG UNSIGNED_LONG LONG_LONG LONG_LONG_INT UNSIGNED_LONG_LONG DOUBLE INT64_T UINT64_T AINT OFFSET COUNT 2INT ' +
    'DOUBLE_PRECISION INTEGER8 REAL8 LOGICAL8 COMPLEX COMPLEX8 C_COMPLEX C_FLOAT_COMPLEX CXX_FLOAT_COMPLEX 2INTEGER 2REAL FLOAT_INT',
  16: 'LONG_DOUBLE DOUBLE_COMPLEX C_DOUBLE_COMPLEX CXX_DOUBLE_COMPLEX COMPLEX16 REAL16 INTEGER16 2DOUBLE_PRECISION',
  32: 'C_LONG_DOUBLE_COMPLEX CXX_LONG_DOUBLE_COMPLEX COMPLEX32',
};

const BYTES: ReadonlyMap<string, number> = new Map(
  Object.entries(SIZES).flatMap(([bytes, names]) =>
    names.split(' ').map((name): [string, number] => [`MPI_${name}`, Number(bytes)]),
  ),
);

/** Bytes of a data type by its name; NaN for those that a program made itself. */
export function typeBytes(name: string): number {
  return BYTES.get(name) ?? NaN;
}
