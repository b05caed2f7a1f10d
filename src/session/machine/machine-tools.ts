import { mkdtemp, readdir, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MachineCheck } from '../../export/analysis/machine-document.ts';
import { scannerProblem } from '../../core/strace-scan.ts';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import { openElf } from '../../symbols/debug-files.ts';
import { traceCacheFolder } from '../reading/cache-folders.ts';
import { localSymbolFiles } from './local-files.ts';
import { findInstalled } from './installed-tools.ts';
import { runProgram } from './run-program.ts';

/** Checks of the programs and folders around a recording. */

type Environment = Readonly<Record<string, string | undefined>>;

const NODE_NEEDED = [20, 19] as const;

export function nodeCheck(): MachineCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isEnough = major > NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor >= NODE_NEEDED[1]);
  return {
    id: 'node',
    group: 'Here',
    name: 'Node',
    status: isEnough ? 'ok' : 'warning',
    found: process.versions.node,
    advice: isEnough ? '' : `Node ${NODE_NEEDED.join('.')} or newer is needed, or the single-file executable`,
  };
}

/** Whether a folder for what is kept between runs can be written to. */
export async function cacheCheck(environment: Environment): Promise<MachineCheck> {
  const cache = traceCacheFolder(environment);
  const check = { id: 'cache', group: 'Here', name: 'cache folder' } as const;
  if (await isWritable(cache)) return { ...check, status: 'ok', found: cache, advice: '' };
  const advice =
    'set XDG_CACHE_HOME to a folder that can be written to (a home folder is often read-only on compute nodes)';
  return { ...check, status: 'warning', found: `${cache} cannot be written to`, advice };
}

export async function temporaryCheck(): Promise<MachineCheck> {
  const check = { id: 'temporary', group: 'Here', name: 'temporary folder' } as const;
  if (await isWritable(tmpdir())) return { ...check, status: 'ok', found: tmpdir(), advice: '' };
  return { ...check, status: 'missing', found: `${tmpdir()} cannot be written to`, advice: 'set TMPDIR' };
}

/** Whether a folder, or the nearest one above it that there is, can be written to. Tried: root may write by the mode bits alone. */
async function isWritable(folder: string): Promise<boolean> {
  let existing = folder;
  while ((await stat(existing).catch(() => undefined)) === undefined && existing !== path.dirname(existing)) {
    existing = path.dirname(existing);
  }
  const made = await mkdtemp(path.join(existing, '.iolens-')).catch(() => undefined);
  if (made !== undefined) await rmdir(made);
  return made !== undefined;
}

export function lookupCheck(lookup: LookupFactory): MachineCheck {
  const check = { id: 'lookup', group: 'Source lines', name: 'address lookup', found: lookup.tool } as const;
  if (lookup.tool.includes('WebAssembly')) return { ...check, status: 'ok', advice: '' };
  const isTool = path.isAbsolute(lookup.tool);
  const advice = isTool
    ? 'works, but slower: this copy was built without addr2line.wasm'
    : 'install llvm-symbolizer or addr2line (binutils)';
  return { ...check, status: isTool ? 'warning' : 'missing', advice };
}

/** The module that reads strace text; without it the text is read in JavaScript. */
export function scannerCheck(): MachineCheck {
  const check = { id: 'scanner', group: 'Here', name: 'reading strace text' } as const;
  const problem = scannerProblem();
  if (problem === undefined) return { ...check, status: 'ok', found: 'compiled module (WebAssembly)', advice: '' };
  const advice = 'works, but slower: a Node.js whose WebAssembly has SIMD reads it in two thirds of the time';
  return { ...check, status: 'warning', found: `the compiled module cannot be started: ${problem}`, advice };
}

export function debuginfodCheck(environment: Environment): MachineCheck {
  const servers = environment['DEBUGINFOD_URLS']?.trim() ?? '';
  return {
    id: 'debuginfod',
    group: 'Source lines',
    name: 'debuginfod',
    status: 'ok',
    found: servers === '' ? 'DEBUGINFOD_URLS is not set' : `DEBUGINFOD_URLS names ${servers}`,
    advice: servers === '' ? '' : 'nothing is fetched unless you turn it on',
  };
}

/** A program by its names; the first that is there counts. */
interface Wanted {
  readonly id: string;
  readonly name: string;
  readonly group: MachineCheck['group'];
  readonly names: readonly string[];
  /** For what, where it is missing. */
  readonly purpose: string;
}

const WANTED: readonly Wanted[] = [
  {
    id: 'c',
    name: 'C compiler',
    group: 'Programs',
    names: ['cc', 'gcc', 'clang', 'icx'],
    purpose: 'compiling C with -g',
  },
  {
    id: 'cxx',
    name: 'C++ compiler',
    group: 'Programs',
    names: ['c++', 'g++', 'clang++', 'icpx'],
    purpose: 'compiling C++ with -g',
  },
  {
    id: 'fortran',
    name: 'Fortran compiler',
    group: 'Programs',
    names: ['gfortran', 'flang', 'ifx', 'nvfortran', 'ftn'],
    purpose: 'compiling Fortran with -g',
  },
  {
    id: 'mpi-compiler',
    name: 'MPI compiler',
    group: 'Programs',
    names: ['mpicc', 'cc-mpi'],
    purpose: 'compiling MPI programs',
  },
  {
    id: 'mpi-launcher',
    name: 'MPI launcher',
    group: 'Programs',
    names: ['srun', 'mpirun', 'mpiexec'],
    purpose: 'recording each rank (iolens record --script)',
  },
  {
    id: 'darshan-parser',
    name: 'darshan-parser',
    group: 'Darshan',
    names: ['darshan-parser'],
    purpose: "comparing with Darshan's own output",
  },
  {
    id: 'darshan-dxt-parser',
    name: 'darshan-dxt-parser',
    group: 'Darshan',
    names: ['darshan-dxt-parser'],
    purpose: "comparing with Darshan's own output",
  },
];

/** Only the first line of what a program says about itself, and not too much of it. */
function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.slice(0, 100);
}

export async function programChecks(): Promise<MachineCheck[]> {
  return Promise.all(
    WANTED.map(async ({ id, name, group, names, purpose }): Promise<MachineCheck> => {
      const file = await findInstalled(names);
      const check = { id, group, name };
      if (file === undefined) {
        const found = names.length === 1 ? 'not found' : `none of ${names.join(', ')}`;
        return { ...check, status: 'warning', found, advice: `needed only for ${purpose}` };
      }
      const said = group === 'Programs' ? await runProgram(file, ['--version']) : undefined;
      const version = firstLine(said?.output ?? '');
      return { ...check, status: 'ok', found: version === '' ? file : `${file}: ${version}`, advice: '' };
    }),
  );
}

const LIBRARY_FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/usr/local/lib64', '/opt/darshan/lib'];

/** The library that Darshan records with, and whether it can trace single accesses (DXT). */
export async function darshanLibraryCheck(environment: Environment): Promise<MachineCheck> {
  const check = { id: 'darshan-library', group: 'Darshan', name: 'libdarshan.so' } as const;
  const file = await darshanLibrary(environment);
  if (file === undefined) {
    const advice =
      'needed only for recording with Darshan: load its module, or install it (configure --with-log-path=…)';
    return { ...check, status: 'warning', found: 'not found', advice };
  }
  const library = await openElf(localSymbolFiles, file).catch(() => undefined);
  const symbols = (await library?.elf.symbols().catch(() => [])) ?? [];
  await library?.source.close();
  const hasTracing = symbols.some(({ name }) => name.startsWith('dxt_'));
  return hasTracing
    ? { ...check, status: 'ok', found: `${file}, with DXT (DXT_ENABLE_IO_TRACE=1)`, advice: '' }
    : {
        ...check,
        status: 'warning',
        found: `${file}, no DXT found in it`,
        advice: 'Darshan 3.1.3 or newer traces single accesses',
      };
}

async function darshanLibrary(environment: Environment): Promise<string | undefined> {
  const loaded = (environment['LD_PRELOAD'] ?? '').split(/[ :]/).filter((file) => file.includes('darshan'));
  const folders = [
    ...['DARSHAN_DIR', 'DARSHAN_ROOT', 'DARSHAN_RUNTIME_DIR'].flatMap((name) =>
      environment[name] === undefined ? [] : [path.join(environment[name], 'lib')],
    ),
    ...(environment['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder)),
    ...LIBRARY_FOLDERS,
    ...(await multiarchFolders()),
  ];
  for (const file of [...loaded, ...folders.map((folder) => path.join(folder, 'libdarshan.so'))]) {
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return file;
  }
  return undefined;
}

/** Debian's `/usr/lib/x86_64-linux-gnu` and its like. */
async function multiarchFolders(): Promise<string[]> {
  const names = await readdir('/usr/lib').catch(() => []);
  return names.filter((name) => name.endsWith('-linux-gnu')).map((name) => path.join('/usr/lib', name));
}
