import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../base/error-message.ts';
import { nativeSources } from '../machine/native-sources.ts';
import type { SessionResources } from '../session-resources.ts';

/** What the library does to calls (native/faults/faults.c). */
export type Disturbance = 'interrupted' | 'short';

const COMPILERS = ['cc', 'gcc', 'clang'];
const COMPILE_MS = 60_000;
const REPORT_BYTES = 8;

/** A library that disturbs the reads and writes of programs that are started with it. */
export class FaultLibrary {
  private constructor(
    private readonly library: string,
    private readonly report: string,
  ) {}

  /**
   * Compiles it.
   * @param base folder that it is put into.
   * @param environment of the program, whose `CC` names the compiler.
   * @throws Error in words for the user.
   */
  static async compiled(
    base: string,
    resources: SessionResources,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<FaultLibrary> {
    if (process.platform !== 'linux') throw new Error('the library for it is for Linux');
    if (/[\s:]/.test(base)) throw new Error(`LD_PRELOAD takes no path with a blank or a colon: ${base}`);
    const [source] = await nativeSources('faults', resources);
    if (source === undefined) throw new Error('native/faults: the source of its library is missing');
    const file = path.join(base, 'faults.c');
    fs.writeFileSync(file, source.text);
    const library = path.join(base, 'faults.so');
    await compile(['-std=gnu11', '-O1', '-shared', '-fPIC', '-o', library, file, '-ldl'], environment);
    return new FaultLibrary(library, path.join(base, 'faults-report'));
  }

  /**
   * The variables of a run that is to be disturbed.
   * @param below the program's folder, as the program sees it.
   */
  variables(
    disturbance: Disturbance,
    seed: number,
    below: string,
    environment: Readonly<Record<string, string | undefined>>,
  ): Record<string, string> {
    fs.writeFileSync(this.report, new Uint8Array(REPORT_BYTES));
    const others = environment['LD_PRELOAD'] ?? '';
    return {
      LD_PRELOAD: others === '' ? this.library : `${this.library}:${others}`,
      IOLENS_FAULT: disturbance,
      IOLENS_FAULT_SEED: String(seed),
      IOLENS_FAULT_BELOW: below,
      IOLENS_FAULT_EXCEPT: path.dirname(this.report),
      IOLENS_FAULT_REPORT: this.report,
    };
  }

  /** How many calls the run before disturbed. */
  disturbed(): number {
    return fs.readFileSync(this.report).readUInt32LE(0);
  }
}

async function compile(
  options: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const named = environment['CC']?.trim() ?? '';
  const compilers = named === '' ? COMPILERS.map((name) => [name]) : [named.split(/\s+/)];
  for (const [program = '', ...words] of compilers) {
    const problem = await new Promise<string | undefined>((resolve) => {
      const limits = { timeout: COMPILE_MS, killSignal: 'SIGKILL', encoding: 'utf8' } as const;
      execFile(program, [...words, ...options], limits, (error, _output, errors) => {
        const missing = (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
        resolve(error === null ? '' : missing ? undefined : (firstLine(errors) ?? messageOf(error)));
      });
    });
    if (problem === '') return;
    if (problem !== undefined) throw new Error(`${program} cannot compile its library: ${problem}`);
  }
  throw new Error(`there is no C compiler (${compilers.map(([name]) => name).join(', ')})`);
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}
