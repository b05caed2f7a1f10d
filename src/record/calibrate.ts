import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  CALIBRATED_CALLS,
  CalibrationError,
  type Calibration,
  type MeasuredCall,
  type Mount,
} from '../trace/calibration.ts';
import { messageOf } from '../base/error-message.ts';

const COMPILERS = ['cc', 'gcc', 'clang'];
const COMPILE_MS = 10_000;
/** Sixteen kinds of calls at 25 ms each, and as much again for a busy machine or a slow file system, and more. */
const MEASURE_MS = 10_000;

/**
 * Measures what system calls cost here without a tracer: compiles `calibrate.c` in a new folder inside of `folder`, runs
 * it there, and removes the folder again. Takes about a third of a second.
 *
 * @param source the text of calibrate.c.
 * @throws CalibrationError in words for the user when there is no compiler or the folder cannot be used.
 */
export async function calibrate(folder: string, source: Uint8Array): Promise<Calibration> {
  const place = await realpath(folder);
  const scratch = await mkdtemp(path.join(place, '.iolens-calibration-')).catch((error: unknown) => {
    throw new CalibrationError(`${folder}: ${messageOf(error)}`);
  });
  try {
    const program = path.join(scratch, 'calibrate');
    await writeFile(`${program}.c`, source);
    await compile(`${program}.c`, program);
    const text = await run(program, [scratch], MEASURE_MS);
    return { schema: 'iolens/calibration@1', folder: place, mounts: await mounts(), calls: parseMeasures(text) };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function compile(source: string, program: string): Promise<void> {
  for (const compiler of COMPILERS) {
    try {
      await run(compiler, ['-O1', '-o', program, source], COMPILE_MS);
      return;
    } catch (error) {
      if (!(error instanceof MissingProgram)) throw error;
    }
  }
  throw new CalibrationError(`there is no C compiler (${COMPILERS.join(', ')})`);
}

class MissingProgram extends CalibrationError {}

/** Runs a program and returns what it prints. */
function run(program: string, options: readonly string[], mostMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      options,
      { encoding: 'utf8', timeout: mostMs, killSignal: 'SIGKILL' },
      (error, output, errors) => {
        if (error === null) resolve(output);
        else if (error.code === 'ENOENT') reject(new MissingProgram(`${program} is missing`));
        else {
          const what = error.killed === true ? `took longer than ${mostMs / 1000} s` : 'failed';
          reject(new CalibrationError(`${path.basename(program)} ${what}: ${errors.trim().split('\n')[0]!}`));
        }
      },
    );
  });
}

/** Reads the lines of calibrate.c: name, bytes, median and quartiles. */
function parseMeasures(text: string): MeasuredCall[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, ...numbers] = line.split(' ');
      const call = CALIBRATED_CALLS.find((known) => known === name);
      const [bytes, ns, lowNs, highNs] = numbers.map(Number);
      if (call === undefined || highNs === undefined || Number.isNaN(highNs))
        throw new CalibrationError(`calibrate printed "${line}"`);
      return { call, bytes: bytes!, ns: ns!, lowNs: lowNs!, highNs };
    });
}

/** File systems without files of programs. */
const NO_FILES =
  /^(proc|sysfs|cgroup2?|devpts|devtmpfs|mqueue|securityfs|debugfs|tracefs|bpf|pstore|autofs|binfmt_misc|configfs|fusectl|hugetlbfs|nsfs|efivarfs)$/;

async function mounts(): Promise<Mount[]> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [before, after] = line.split(' - ');
    const place = before?.split(' ')[4];
    const type = after?.split(' ')[0];
    if (place === undefined || type === undefined || NO_FILES.test(type)) continue;
    // Blanks and their like are octal numbers there. The last mount on a place hides the others.
    found.set(
      place.replace(/\\(\d{3})/g, (_all, code: string) => String.fromCharCode(parseInt(code, 8))),
      type,
    );
  }
  return [...found].map(([place, type]) => ({ path: place, type })).slice(0, 500);
}
