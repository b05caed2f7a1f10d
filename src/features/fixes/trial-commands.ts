import { splitCommand } from '../editor/variables.ts';
import type { FixLanguage } from '../../analysis/fixes/fix.ts';

/** What can be looked at in the folder that a program is built in; names are relative to it. */
export interface LookedAt {
  /** Of the folder, as it is here. */
  readonly folder: string;
  readonly has: (name: string) => boolean;
  /** Folders in it. */
  readonly folders: readonly string[];
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const COMPILERS: Readonly<Record<FixLanguage, string>> = { c: 'cc', cpp: 'c++', fortran: 'gfortran', python: '' };

/**
 * A command that may build the program, for the user to look at; '' where nothing plain says how.
 * @param source relative to the folder. @param run what runs the program.
 */
export function proposedBuild(
  { has, folders }: LookedAt,
  source: { readonly name: string; readonly language: FixLanguage },
  run: string,
): string {
  if (source.language === 'python') return 'true';
  if (MAKEFILES.some((name) => has(name))) return 'make';
  const configured = folders.find((name) => has(`${name}/CMakeCache.txt`));
  if (has('CMakeLists.txt'))
    return configured === undefined
      ? 'cmake -B build && cmake --build build'
      : `cmake --build ${shellWord(configured)}`;
  const meson = folders.find((name) => has(`${name}/meson-private`));
  if (has('meson.build'))
    return meson === undefined ? 'meson setup build && meson compile -C build' : `meson compile -C ${shellWord(meson)}`;
  // One source in the folder itself, and a program in it: no build system is needed.
  const [program = ''] = splitCommand(run);
  const output = /^\.\/([^/]+)$/.exec(program)?.[1];
  if (output === undefined || source.name.includes('/')) return '';
  return `${COMPILERS[source.language]} -g -O2 -o ${shellWord(output)} ${shellWord(source.name)}`;
}

/**
 * A command that may run the program, for the user to look at: as it was recorded, with the program's place in the folder.
 * @param recorded the command line of the recording; '' where that is not known.
 */
export function proposedRun({ folder, has }: LookedAt, recorded: string): string {
  const [program = '', ...words] = splitCommand(recorded);
  if (program === '') return '';
  return [placeOf(program, folder, has), ...words].map(shellWord).join(' ');
}

function placeOf(program: string, folder: string, has: LookedAt['has']): string {
  if (!program.includes('/')) return has(program) ? `./${program}` : program;
  if (program.startsWith(`${folder}/`)) return `./${program.slice(folder.length + 1)}`;
  const name = program.slice(program.lastIndexOf('/') + 1);
  // Recorded elsewhere: another machine, or another copy of the folder.
  return has(name) ? `./${name}` : program;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
