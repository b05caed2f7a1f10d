// What is recorded of the layer programs, and how they are built and run. Used by record.mjs and by the test that records
// again.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const sources = import.meta.dirname;

/**
 * Program and mode of each recording; its name is both with a dash. Four ranks and ROMIO where nothing else is said: the
 * stories are about its layers. Only OpenMPI's own implementation really writes in the background.
 */
export const RECORDINGS = [
  { program: 'heat', mode: 'each' },
  { program: 'heat', mode: 'once' },
  { program: 'btio', mode: 'simple' },
  { program: 'btio', mode: 'full' },
  { program: 'btio', mode: 'epio' },
  { program: 'btio', mode: 'fortran' },
  { program: 'openpmd', mode: 'independent' },
  { program: 'openpmd', mode: 'collective' },
  { program: 'sieve', mode: 'holes', ranks: 2 },
  { program: 'sieve', mode: 'contiguous', ranks: 2 },
  { program: 'overlap', mode: 'wait', ranks: 2, io: 'ompio' },
  { program: 'overlap', mode: 'overlap', ranks: 2, io: 'ompio' },
  { program: 'locks', mode: 'contended' },
  { program: 'locks', mode: 'free' },
  { program: 'latecomer', mode: 'late', ranks: 2 },
  { program: 'latecomer', mode: 'punctual', ranks: 2 },
  { program: 'storm', mode: 'every' },
  { program: 'storm', mode: 'one' },
];

/** Modes of heat that are recorded by `iolens record` as well: system calls with stacks, and the program that has the lines. */
export const WITH_STRACE = ['each', 'once'];

/** Sources as the recordings name them: no folder of the machine that recorded. */
const SOURCES_AS_RECORDED = '/home/user/layers';
const DATA_AS_RECORDED = '/scratch/run';

/** Programs that the tests compile and run need these. */
export const NEEDED = ['mpicc', 'mpirun', 'gfortran', 'addr2line'];

function run(command, options, settings = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, options, { encoding: 'utf8', ...settings });
  if (status !== 0) throw new Error(`${command} ${options.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

/** Whether compilers and libraries are there; '' or what is missing. */
export function missing() {
  const tool = NEEDED.find((name) => spawnSync(name, ['--version']).error !== undefined);
  if (tool !== undefined) return tool;
  const source = '#include <otf2/otf2.h>\n#include <hdf5.h>\nint main(void) { return OTF2_Archive_Open == 0; }\n';
  const compile = ['-x', 'c', '-', '-fsyntax-only', ...hdf5Headers()];
  return spawnSync('mpicc', compile, { input: source }).status === 0 ? '' : 'libotf2-trace-dev and libhdf5-openmpi-dev';
}

function hdf5Headers() {
  return ['-I/usr/include/hdf5/openmpi'];
}

function hdf5Library() {
  const multiarch = run('gcc', ['-print-multiarch']).trim();
  return [`-L/usr/lib/${multiarch}/hdf5/openmpi`, '-lhdf5'];
}

/** Builds recorder, converter and some of the programs into a folder. */
export function build(folder, programs) {
  const recorder = path.join(sources, 'recorder');
  const inRecorder = (...names) => names.map((name) => path.join(recorder, name));
  const library = ['-O1', '-g', '-fPIC', '-shared', ...hdf5Headers(), '-o', path.join(folder, 'libtap.so')];
  run('mpicc', [...library, ...inRecorder('tap.c', 'tap_posix.c', 'tap_mpi.c', 'tap_hdf5.c'), '-ldl']);
  run('gcc', ['-O1', '-o', path.join(folder, 'to_otf2'), ...inRecorder('to_otf2.c', 'places.c'), '-lotf2']);
  const debug = ['-g', '-O0', '-finstrument-functions', `-ffile-prefix-map=${sources}=${SOURCES_AS_RECORDED}`];
  const objects = path.join(folder, 'btio_records.o');
  run('gfortran', [...debug, '-c', '-o', objects, path.join(sources, 'btio_records.f90')]);
  for (const program of new Set(programs)) {
    const more = program === 'btio' ? [objects, '-lgfortran'] : program === 'openpmd' ? hdf5Library() : [];
    const source = path.join(sources, `${program}.c`);
    run('mpicc', [...debug, ...hdf5Headers(), '-o', path.join(folder, program), source, ...more]);
  }
}

/** OpenMPI on any number of cores and as any user. */
export function launch(ranks, variables, command, io = 'romio321') {
  const environment = Object.entries(variables).flatMap(([name, value]) => ['-x', `${name}=${value}`]);
  const options = ['--allow-run-as-root', '--oversubscribe', '--mca', 'io', io, '--mca', 'btl', 'self,vader'];
  return ['mpirun', [...options, '-n', String(ranks), ...environment, ...command]];
}

/** Runs a built program under the recorder and writes the archive into `target`. */
export function record({ program, mode, ranks = 4, io }, built, target) {
  const work = mkdtempSync(path.join(tmpdir(), 'iolens-layers-'));
  const data = path.join(work, 'data');
  mkdirSync(data);
  const variables = { LD_PRELOAD: path.join(built, 'libtap.so'), TAP_OUT: work, TAP_MATCH: data };
  const command = [path.join(built, program), mode, path.join(data, `${program}.dat`)];
  const [tool, options] = launch(ranks, variables, command, io);
  run(tool, options, { cwd: work, timeout: 120_000 });
  rmSync(target, { recursive: true, force: true });
  const archive = path.join(work, 'archive');
  run(path.join(built, 'to_otf2'), [archive, String(ranks), work, path.join(built, program), data, DATA_AS_RECORDED]);
  cpSync(archive, target, { recursive: true });
  rmSync(work, { recursive: true });
}

/** Records heat by `iolens record` into `target`: a compressed text of each rank, with the program itself. */
export function recordSystemCalls(mode, target) {
  const work = mkdtempSync(path.join(tmpdir(), 'iolens-layers-'));
  const program = path.join(work, 'heat');
  const data = path.join(work, 'heat.dat');
  const lines = ['-g', '-O0', `-ffile-prefix-map=${sources}=${SOURCES_AS_RECORDED}`];
  run('mpicc', [...lines, '-o', program, path.join(sources, 'heat.c')]);
  writeFileSync(data, '');
  const cli = path.resolve(sources, '../../../dist/cli.js');
  const recorder = [process.execPath, cli, 'record', '--quiet', '--no-calibration', '--path', data, '--', program];
  const ranks = 4;
  const [tool, options] = launch(ranks, {}, [...recorder, mode, data]);
  run(tool, options, { cwd: work, timeout: 120_000 });
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  copyFileSync(program, path.join(target, 'heat'));
  for (let rank = 0; rank < ranks; rank++) {
    const text = readFileSync(path.join(work, 'iolens-recording', `heat_${hostname()}_${rank}.st`), 'latin1');
    const moved = text.replaceAll(work, DATA_AS_RECORDED);
    const compressed = gzipSync(Buffer.from(moved, 'latin1'), { level: 9 });
    writeFileSync(path.join(target, `heat_node01_${rank}.st.gz`), compressed);
  }
  rmSync(work, { recursive: true });
}
