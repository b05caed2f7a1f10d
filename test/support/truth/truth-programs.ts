import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Programs of which the truth is known: places are planted in them that cost time, each with its repair, or nothing is wrong
 * with them although it may look so. What is planted stands in the source: `PLANTED P06|L04`, with the codes of the findings
 * that name it rightly; `little` where it costs next to nothing of the run, and of several places `dearest` at the one that
 * costs most.
 */

type Kind = 'c' | 'mpi' | 'parallel HDF5' | 'HDF5' | 'NetCDF' | 'Fortran' | 'Python' | 'numpy' | 'h5py';

/** All programs, by what they need. */
const PROGRAMS: Readonly<Record<Kind, string>> = {
  c: `state_each_step.c small_writes.c small_reads.c unbuffered_bytes.c endl.cpp open_close.c sync_each.c seek_read.c reread.c rewrites.c
    random_reads.c random_writes.c stat_storm.c missing_files.c backward_reads.c column_writes.c many_files.c
    dsync_records.c sync_often.c flush_lines.c pipe_single_bytes.c small_copies.c direct_small.c unbuffered_stream.cpp
    reopened_stream.cpp settings_each_step.c tiny_buffer.c threads.c computing_small_writes.c computing_reopens.c
    computing_and_reads.c sync_and_opens.c questions_and_rereads.c seeks_and_records.c
    acknowledged_records.c final_trailer.c progress_log.c strided_blocks.c large_random_blocks.c computing.c pipe_blocks.c
    ping_pong.c error_lines.c few_appends.c changed_by_another.c seeks_of_stdio.c waiting_for_a_file.c mapped_reads.c
    checkpoints.c buffered_stream.cpp many_inputs.c index_lookups.c halves.c direct_blocks.c listed_folder.c journal.c
    scratch_files.c stream_lookups.c`,
  HDF5: 'dataset_values.c cached_values.c dataset_flushed.c dataset_at_once.c',
  NetCDF: 'variable_values.c variable_at_once.c',
  Fortran: 'flushed_records.F90 reopened_unit.F90 inquired_file.F90 buffered_units.F90 field_at_once.F90',
  Python:
    'unbuffered_file.py flushed_lines.py reopened_log.py existing_paths.py imports.py text_lines.py places_told.py records_committed.py',
  numpy: 'array_rows.py array_saved.py samples_loaded.py',
  h5py: 'dataset_rows.py groups_made.py',
  mpi: 'ranks_small_writes.c ranks_interleaved.c ranks_block.c',
  'parallel HDF5': 'parallel_rows.c parallel_field.c',
};

/** A place that costs time. */
export interface Planted {
  readonly line: number;
  /** Codes of findings that name it rightly. */
  readonly codes: readonly string[];
  /** Costs next to nothing of the run. */
  readonly little: boolean;
  /** Costs most of all: the only place, or so marked. */
  readonly dearest: boolean;
  /** The value of REPAIRED that mends this place alone. */
  readonly repair: number;
}

export interface TruthProgram {
  readonly source: string;
  readonly kind: Kind;
  readonly planted: readonly Planted[];
}

/** The benches are bundled elsewhere; they and the tests run in the project's folder. */
const sources = path.resolve('test/programs/truth');
/** Path of each, by its name: clean ones of C, and those of other languages, have folders of their own. */
const places = new Map(
  readdirSync(sources, { recursive: true, encoding: 'utf8' }).map((name) => [
    path.basename(name),
    path.join(sources, name),
  ]),
);

/** The file of a program. */
export function sourceOf(name: string): string {
  const place = places.get(name);
  if (place === undefined) throw new Error(`${name} is not in ${sources}`);
  return place;
}

export function truthPrograms(): TruthProgram[] {
  const all = Object.entries(PROGRAMS).flatMap(([kind, names]) =>
    names.split(/\s+/).map((source): TruthProgram => {
      return { source, kind: kind as Kind, planted: plantedIn(readFileSync(sourceOf(source), 'utf8')) };
    }),
  );
  const frames = ['workload.h', 'workload.py', 'fortran_main.c'];
  const known = new Set([...all.map(({ source }) => source), ...frames]);
  for (const name of places.keys())
    if (!known.has(name) && path.extname(name) !== '') throw new Error(`${name} is in no table of programs`);
  return all;
}

function plantedIn(text: string): Planted[] {
  const found = text.split('\n').flatMap((content, i) => {
    const [, codes, mark] = /\bPLANTED ([A-Z0-9|]+)(?: (little|dearest))?/.exec(content) ?? [];
    return codes === undefined ? [] : [{ line: i + 1, codes: codes.split('|'), mark }];
  });
  return found.map(({ line, codes, mark }, i) => {
    const dearest = mark === 'dearest' || (found.length === 1 && mark === undefined);
    return { line, codes, little: mark === 'little', dearest, repair: 1 << i };
  });
}

function works(command: string, ...options: string[]): boolean {
  return spawnSync(command, options, { stdio: 'ignore' }).status === 0;
}

/** A Python that has a module: that of the system first, as others may be scripts that look for one. */
function pythonWith(module: string): string | undefined {
  return ['/usr/bin/python3', 'python3'].find((python) => works(python, '-c', `import ${module}`));
}

const words = (command: string, ...options: string[]): string[] =>
  execFileSync(command, options, { encoding: 'utf8' }).trim().split(/\s+/);

const CHECKED = ['-g', '-O1', '-Wall', '-Wextra', '-Werror', '-I', sources];
const MPIRUN = ['mpirun', '--oversubscribe', '-n', '2'];

/** What makes programs of a kind: a compiler with its options, or an interpreter. */
export interface Tools {
  readonly compile?: (source: string) => readonly string[];
  /** What stands before the program. */
  readonly launch: readonly string[];
}

/** Why programs of a kind cannot be made here, or what makes them. */
export function toolsOf(kind: Kind, source: string): Tools | string {
  const compiled = (compiler: string, launch: string[] = [], more: string[] = []): Tools | string =>
    works(compiler, '--version') || works(compiler, '-show')
      ? { compile: (file) => [compiler, ...CHECKED, file, ...more], launch }
      : `no ${compiler}`;
  switch (kind) {
    case 'c':
      return compiled(source.endsWith('.cpp') ? 'g++' : 'gcc', [], ['-pthread']);
    case 'mpi':
      return works('mpirun', '--version') ? compiled('mpicc', MPIRUN) : 'no mpirun';
    case 'parallel HDF5':
      return works('mpirun', '--version') ? compiled('h5pcc', MPIRUN, ['-shlib']) : 'no mpirun';
    case 'HDF5':
      return compiled('h5cc', [], ['-shlib']);
    case 'NetCDF':
      return works('nc-config', '--version')
        ? compiled('gcc', [], [...words('nc-config', '--cflags'), '-lnetcdf'])
        : 'no nc-config';
    case 'Fortran':
      return compiled('gfortran', [], [sourceOf('fortran_main.c')]);
    case 'Python':
    case 'numpy':
    case 'h5py': {
      const python = pythonWith(kind === 'Python' ? 'sys' : kind);
      return python === undefined ? `no Python with ${kind}` : { launch: [python] };
    }
  }
}

/** A program as it is (0), or with places repaired. */
export interface Variant {
  /** The command for so many repetitions, in the folder of the data; 0 makes the files that it reads. */
  readonly command: (repeats: number) => readonly string[];
}

/** Makes one variant in a folder, which gets a folder `data` for it; or says why it cannot be made here. */
export function makeVariant({ source, kind }: TruthProgram, repaired: number, folder: string): Variant | string {
  const tools = toolsOf(kind, source);
  if (typeof tools === 'string') return tools;
  const data = path.join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const file = sourceOf(source);
  if (tools.compile === undefined)
    return { command: (repeats) => [...tools.launch, file, data, String(repeats), String(repaired)] };
  const binary = path.join(folder, `${source.replace('.', '-')}-${repaired}`);
  const [compiler, ...options] = tools.compile(file);
  const defined = repaired === 0 ? [] : [`-DREPAIRED=${repaired}`];
  // HDF5's compilers leave objects where they are called.
  execFileSync(compiler!, [...options, ...defined, '-o', binary], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { command: (repeats) => [...tools.launch, binary, data, String(repeats)] };
}

/** What programs of the corpus are run with. */
export const ENVIRONMENT: NodeJS.ProcessEnv = {
  ...process.env,
  OMPI_ALLOW_RUN_AS_ROOT: '1',
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
  OMPI_MCA_btl: 'self,vader',
  PYTHONDONTWRITEBYTECODE: '1',
};
