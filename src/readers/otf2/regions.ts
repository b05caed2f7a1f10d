import type { CallStackTable } from '../../trace/call-stacks.ts';
import type { FunctionCallTable, FunctionRole } from '../../trace/function-calls.ts';
import { OPERATIONS, type Operation } from '../../trace/calls.ts';
import { NONE } from '../../trace/events.ts';
import { operationOfName } from '../open-files/operation-names.ts';
import { isCollectiveByStandard, layerOfName } from './call-names.ts';

/** Numbers of OTF2_RegionRole and OTF2_Paradigm. */
const ROLE = { wrapper: 2, fileIo: 27, fileIoMetadata: 38 } as const;
const PARADIGM = { unknown: 0, user: 1, compiler: 2, mpi: 4, sampling: 21 } as const;
const PARADIGM_NAMES: Readonly<Record<number, string>> = {
  1: 'user',
  2: 'compiler',
  3: 'OpenMP',
  4: 'MPI',
  5: 'CUDA',
  6: 'measurement system',
  7: 'Pthreads',
  9: 'OmpSs',
  11: 'GASPI',
  12: 'UPC',
  13: 'SHMEM',
  18: 'OpenACC',
  19: 'OpenCL',
  21: 'sampling',
  23: 'HIP',
  24: 'Kokkos',
};

/** Barriers, critical sections, atomic and ordered ones, waiting for tasks and threads. */
const SYNCHRONISING = new Set([12, 13, 14, 15, 16, 17, 18, 19, 22, 33]);
/** Collective operations, messages, one-sided communication, transfers to devices. */
const COMMUNICATING = new Set([23, 24, 25, 26, 28, 29, 30]);

/** Functions of libraries by their names, for recordings that sample or unwind: their paradigm does not tell. */
const LIBRARY_FUNCTION = /^P?MPI_|^p?mpi_\w+_$|^H5[A-Z]|^nc_|^nf_|^ncmpi_|^opal_|^ompi_|^ADIOI_|^(__)?GI_/;

/** A region of the source as the reader of events needs it. */
export interface Region {
  readonly name: string;
  /** Index into `FunctionCallTable.functions`. */
  readonly function: number;
  readonly isIo: boolean;
  /** Index into LAYERS: by its name, then by what its records say. */
  layer: number;
  readonly isCollective: boolean;
  /** What it does by its name. */
  readonly operation: Operation;
  /** Index into `Trace.calls` by operation, as far as it was asked for; NONE. */
  readonly calls: Int32Array;
  /** The one of `calls` for `operation`, likewise. */
  ownCall: number;
  /** Index of the frame that stands for it in call stacks. */
  readonly frame: number;
}

export interface RegionFacts {
  readonly name: string;
  readonly role: number;
  readonly paradigm: number;
  readonly sourceFile: string;
  readonly sourceLine: number;
}

/** Adds a region to the tables of the trace. @param module that frames of the program's own functions name. */
export function makeRegion(
  facts: RegionFacts,
  functions: FunctionCallTable,
  stacks: CallStackTable,
  module: string,
): Region {
  const { name, role, paradigm, sourceFile, sourceLine } = facts;
  const isIo = role === ROLE.fileIo || role === ROLE.fileIoMetadata;
  const index = functions.functions.length;
  functions.functions.push({
    name,
    role: functionRole(role, paradigm),
    paradigm: PARADIGM_NAMES[paradigm] ?? '',
    sourceFile,
    sourceLine,
  });
  return {
    name,
    function: index,
    isIo,
    layer: layerOfName(name),
    isCollective: isIo && isCollectiveByStandard(name),
    operation: operationOfName(name),
    calls: new Int32Array(OPERATIONS.length).fill(NONE),
    ownCall: NONE,
    frame: frameOf(facts, stacks, isOwn(facts, isIo) ? module : '', sourceFile, sourceLine),
  };
}

/**
 * The frame of a region, or of a line in it.
 * @param module '' for a function of a library: nobody recorded which.
 */
export function frameOf(
  { name }: RegionFacts,
  stacks: CallStackTable,
  module: string,
  sourceFile: string,
  sourceLine: number,
): number {
  const place = { value: 0, symbol: name, symbolOffset: 0, sourceFile, sourceLine: sourceFile === '' ? 0 : sourceLine };
  return stacks.internFrame({ module, ...place });
}

/** Whether a region is the program's own code, and none of an MPI, I/O or threading library. */
export function isOwn({ name, role, paradigm }: RegionFacts, isIo = role === ROLE.fileIo): boolean {
  if (isIo || role === ROLE.wrapper || SYNCHRONISING.has(role) || COMMUNICATING.has(role)) return false;
  if (LIBRARY_FUNCTION.test(name)) return false;
  return (
    paradigm === PARADIGM.unknown ||
    paradigm === PARADIGM.user ||
    paradigm === PARADIGM.compiler ||
    paradigm === PARADIGM.sampling
  );
}

/** Functions of MPI that have no role of their own (MPI_Init, MPI_Test) count as communication, not as computation. */
function functionRole(role: number, paradigm: number): FunctionRole {
  if (role === ROLE.fileIo) return 'I/O';
  if (role === ROLE.fileIoMetadata) return 'metadata';
  if (SYNCHRONISING.has(role)) return 'synchronisation';
  if (COMMUNICATING.has(role) || paradigm === PARADIGM.mpi) return 'communication';
  return 'computation';
}
