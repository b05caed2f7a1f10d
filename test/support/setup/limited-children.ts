import children, { type SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { LATE_COMPILATION } from './late-compilation.ts';

/**
 * Milliseconds after which a program that a test waits for is ended: no limit of the test itself can do that, and its
 * worker, and with it the whole run, would stand still.
 */
const LONGEST = 600_000;

type Options = SpawnOptions & { readonly timeout?: number };
type Run = (command: string, ...rest: (readonly string[] | Options | undefined)[]) => unknown;

interface Call {
  readonly words: readonly string[];
  readonly options: Options;
}

/** The same function, called otherwise. */
function changed(run: Run, change: (command: string, call: Call) => Call): Run {
  return (command, ...rest) => {
    const given = rest.find((each): each is readonly string[] => Array.isArray(each));
    const options = rest.find((each): each is Options => each !== undefined && !Array.isArray(each)) ?? {};
    const call = change(command, { words: given ?? [], options });
    return given === undefined ? run(command, call.options) : run(command, call.words, call.options);
  };
}

/** With a limit where the caller names none. */
function limited(_command: string, { words, options }: Call): Call {
  if (options.timeout !== undefined) return { words, options };
  return { words, options: { ...options, timeout: LONGEST, killSignal: 'SIGKILL' } };
}

/** Our command, most often: it runs for less than a second, and a third of that would go into compiling it once more. */
function compiledLate(command: string, call: Call): Call {
  return command === process.execPath ? { ...call, words: [...LATE_COMPILATION, ...call.words] } : call;
}

const { spawn, spawnSync, execFileSync, execSync } = children;
Object.assign(children, {
  spawn: changed(spawn as Run, compiledLate),
  spawnSync: changed(changed(spawnSync as Run, limited), compiledLate),
  execFileSync: changed(changed(execFileSync as Run, limited), compiledLate),
  execSync: changed(execSync as Run, limited),
});
syncBuiltinESMExports();
