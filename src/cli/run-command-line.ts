import { Command, CommanderError } from 'commander';
import { messageOf } from '../base/error-message.ts';
import { STATUS } from './exit-status.ts';
import { VERSION } from './version.ts';

/** The command `iolens` without its commands. */
export function commandLine(): Command {
  return new Command('iolens')
    .description('See on the source line what a program’s I/O costs and why.')
    .version(VERSION)
    .enablePositionalOptions()
    .exitOverride();
}

/** Does what the arguments of the process say; failures are told, and set the exit status. */
export function runCommandLine(program: Command | Promise<Command>): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no error.
    if (error.code === 'EPIPE') process.exit();
    void tell(`standard output cannot be written: ${error.message}`).finally(() => process.exit(STATUS.usage));
  });

  // No `await` at the top level: the single-file executable runs a script, not a module.
  void run(program);
}

async function run(program: Command | Promise<Command>): Promise<void> {
  try {
    await (await program).parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : STATUS.usage;
    else {
      await tell(messageOf(error));
      process.exitCode = (await isUsage(error)) ? STATUS.usage : STATUS.unreadable;
    }
  }
}

/** What words and failures need is loaded with them: `iolens --version` has neither. */
async function tell(text: string): Promise<void> {
  const { say } = await import('./say.ts');
  say(text);
}

async function isUsage(error: unknown): Promise<boolean> {
  const [{ UsageError }, { RecordError }] = await Promise.all([
    import('./arguments.ts'),
    import('../record/strace-recorder.ts'),
  ]);
  return error instanceof UsageError || error instanceof RangeError || error instanceof RecordError;
}
