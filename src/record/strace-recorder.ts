import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { straceAbilities, straceOptions, type StraceAbilities } from './strace-command.ts';

/** Recording is not possible here; the message says why and what to do. */
export class RecordError extends Error {
  override name = 'RecordError';
}

/** @throws RecordError when strace is not installed. */
export function installedStrace(): StraceAbilities {
  const result = spawnSync('strace', ['-V'], { encoding: 'utf8' });
  if (result.error !== undefined || result.status !== 0) {
    throw new RecordError('strace is not installed: install it with your package manager (apt install strace)');
  }
  return straceAbilities(result.stdout);
}

/** A name for a recording of the program that no file has yet: `app.strace`, `app-2.strace`, … */
export function freeOutput(program: string, folder: string): string {
  const base = path.basename(program) || 'program';
  for (let number = 1; ; number++) {
    const name = path.join(folder, number === 1 ? `${base}.strace` : `${base}-${number}.strace`);
    if (!existsSync(name)) return name;
  }
}

export interface MadeRecording {
  readonly output: string;
  readonly bytes: number;
  /** Exit status of the program (128 + signal, as shells give it). */
  readonly status: number;
}

/**
 * Runs a program under strace, with this process's terminal. The program's results and exit status stay its own.
 * @throws RecordError when nothing was recorded.
 */
export async function recordWithStrace(command: readonly string[], output: string): Promise<MadeRecording> {
  const abilities = installedStrace();
  const options = straceOptions({ output, abilities, filePerProcess: false });
  const status = await new Promise<number>((resolve, reject) => {
    const child = spawn('strace', [...options, ...command], { stdio: 'inherit' });
    // The terminal's interrupt reaches the program by itself; the recording must be completed all the same.
    const wait = (): void => undefined;
    process.on('SIGINT', wait);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', wait);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
  if (!existsSync(output) || statSync(output).size === 0) {
    throw new RecordError(
      `strace recorded nothing (status ${status}): is the program there, and may processes be traced here (kernel.yama.ptrace_scope, container capabilities)?`,
    );
  }
  return { output, bytes: statSync(output).size, status };
}
