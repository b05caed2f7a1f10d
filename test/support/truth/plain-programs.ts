import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sourceOf, type TruthProgram } from './truth-programs.ts';

/**
 * Programs with planted places as a user has them: without what stands there for their repair, and without the frame that
 * repeats and times them. Fixes are asked for these.
 */
export interface PlainProgram {
  readonly name: string;
  readonly text: string;
  /** Each planted place, with the lines that its repair by hand has. */
  readonly planted: readonly { readonly line: number; readonly codes: readonly string[]; readonly byHand: number }[];
}

export function plainProgram(program: TruthProgram): PlainProgram {
  const name = program.source;
  const original = readFileSync(sourceOf(name), 'utf8');
  const byHand = program.planted.map(({ repair }) => handLines(original, repair, path.extname(name)));
  const plain =
    new Map([
      ['.py', plainPython],
      ['.F90', plainFortran],
    ]).get(path.extname(name)) ?? plainC;
  const text = plain(original);
  const lines = text.split('\n').flatMap((line, at) => (line.includes('PLANTED ') ? [at + 1] : []));
  const planted = program.planted.map(({ codes }, at) => ({ line: lines[at]!, codes, byHand: byHand[at]! }));
  // The mark itself is no part of what a user has.
  return { name, text: text.replaceAll(/ *(\/\*|\/\/|!|#) *PLANTED [^\n*]*(\*\/)?/g, ''), planted };
}

/** Lines that a person writes for a repair, or changes at least one. */
function handLines(text: string, repair: number, ending: string): number {
  if (ending === '.py') return Math.max(1, pythonBranches(text).repaired.length);
  return Math.max(1, conditional(text, repair).added);
}

/** What the preprocessor leaves with a value of REPAIRED, and how many lines stand there only with a repair. */
function conditional(text: string, repaired: number): { kept: string[]; added: number } {
  const kept: string[] = [];
  let added = 0;
  let branch: { holds: boolean; isRepair: boolean } | undefined;
  for (const line of text.split('\n')) {
    const [, condition] = /^#if (.*REPAIRED.*)$/.exec(line) ?? [];
    if (condition !== undefined) {
      const holds = holdsWith(condition, repaired);
      branch = { holds, isRepair: !holdsWith(condition, 0) };
    } else if (branch !== undefined && /^#else\b/.test(line))
      branch = { holds: !branch.holds, isRepair: !branch.isRepair };
    else if (branch !== undefined && /^#endif\b/.test(line)) branch = undefined;
    else {
      if (branch?.holds !== false) kept.push(line);
      if (branch?.holds === true && branch.isRepair && line.trim() !== '') added++;
    }
  }
  return { kept, added };
}

/** `REPAIRED`, `!REPAIRED`, `REPAIRED & 2`, `!(REPAIRED & 2)` */
function holdsWith(condition: string, repaired: number): boolean {
  const mask = Number(/& (\d+)/.exec(condition)?.[1] ?? -1);
  return ((repaired & mask) !== 0) !== condition.startsWith('!');
}

const FRAME = `#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char path[] = "truth.dat";

static inline void check(int sound) {
    if (!sound) {
        perror(path);
        exit(1);
    }
}

static inline double compute(int milliseconds) {
    volatile double x = 1;
    for (long i = milliseconds * 180000L; i > 0; i--) x = x * 1.0000001 + 1e-9;
    return x;
}
`;

function plainC(original: string): string {
  const isMpi = /#include <(mpi|hdf5_hl|netcdf_par)\.h>/.test(original);
  const text = conditional(original, 0)
    .kept.join('\n')
    .replaceAll(/!?\(?REPAIRED( & \d+)?\)?( \|\| )?/g, (found) => (found.startsWith('!') ? '' : '0'))
    .replace(/^(static |extern "C" )?void prepare\(void\) (\{.*\}|\{[^]*?\n\})\n/m, '')
    .replace(/^.*waited_besides.*\n/m, '')
    .replace('#include "workload.h"\n', FRAME + (isMpi ? 'static int rank, ranks;\n' : ''));
  const begin =
    'MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &ranks);';
  return isMpi
    ? `${text}\nint main(int argc, char **argv) {\n    ${begin}\n    workload();\n    MPI_Finalize();\n    return 0;\n}\n`
    : `${text}\nint main(void) {\n    workload();\n    return 0;\n}\n`;
}

function plainFortran(original: string): string {
  const text = conditional(original, 0).kept.join('\n');
  const plain = text.replace(/subroutine prepare\(\)[^]*?end subroutine\n/, '').replaceAll(/ bind\(c\)/g, '');
  return `${plain}\nprogram main\n  implicit none\n  call workload()\nend program\n`;
}

/** `if REPAIRED:` with its `else`, `if not REPAIRED:`, and `a if REPAIRED else b`. */
function pythonBranches(original: string): { kept: string[]; repaired: string[] } {
  const kept: string[] = [];
  const repaired: string[] = [];
  let open: { indent: number; isRepair: boolean } | undefined;
  for (const line of original.split('\n')) {
    const indent = /^ */.exec(line)![0].length;
    if (open !== undefined && line.trim() !== '' && indent <= open.indent) {
      const isElse = indent === open.indent && line.trim() === 'else:';
      open = isElse ? { indent, isRepair: !open.isRepair } : undefined;
      if (isElse) continue;
    }
    const [, not] = /^ *if (not )?REPAIRED:$/.exec(line) ?? [];
    if (/^ *if (not )?REPAIRED:$/.test(line)) open = { indent, isRepair: not === undefined };
    else if (open?.isRepair === true) repaired.push(line);
    else kept.push(open === undefined ? line : line.slice(4));
  }
  return { kept, repaired };
}

function plainPython(original: string): string {
  return pythonBranches(original)
    .kept.join('\n')
    .replaceAll(/(= ?|\()[^=(,\n]*(\([^()]*\))? if REPAIRED else /g, '$1')
    .replace(/^from workload import .*\n/m, '')
    .replace(/\n+run\(.*workload\)\n/, '\n\nworkload()\n');
}
