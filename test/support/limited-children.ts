import children, { type ExecFileSyncOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Milliseconds after which a program that a test waits for is ended: no limit of the test itself can do that, and its
 * worker, and with it the whole run, would stand still.
 */
const LONGEST = 600_000;

type Options = Pick<ExecFileSyncOptions, 'timeout' | 'killSignal'>;
type Run = (command: string, ...rest: (readonly string[] | Options | undefined)[]) => unknown;

/** The same function, with a limit where the caller names none. */
function limited(run: Run): Run {
  return (command, ...rest) => {
    const words = rest.filter((each): each is readonly string[] => Array.isArray(each));
    const options = rest.find((each): each is Options => each !== undefined && !Array.isArray(each));
    if (options?.timeout !== undefined) return run(command, ...words, options);
    return run(command, ...words, { ...options, timeout: LONGEST, killSignal: 'SIGKILL' });
  };
}

Object.assign(children, {
  spawnSync: limited(children.spawnSync as Run),
  execFileSync: limited(children.execFileSync as Run),
  execSync: limited(children.execSync as Run),
});
syncBuiltinESMExports();
