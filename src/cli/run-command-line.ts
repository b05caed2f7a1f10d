import { Command, CommanderError } from 'commander';
import { messageOf } from '../base/error-message.ts';
import { RecordError } from '../record/strace-recorder.ts';
import { UsageError } from './arguments.ts';
import { STATUS } from './exit-status.ts';
import { say } from './say.ts';
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
export function runCommandLine(program: Command): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head`) is no error.
    if (error.code === 'EPIPE') process.exit();
    say(`standard output cannot be written: ${error.message}`);
    process.exit(STATUS.usage);
  });

  // No `await` at the top level: the single-file executable runs a script, not a module.
  program.parseAsync().catch((error: unknown) => {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : STATUS.usage;
    else {
      say(messageOf(error));
      const isUsage = error instanceof UsageError || error instanceof RangeError || error instanceof RecordError;
      process.exitCode = isUsage ? STATUS.usage : STATUS.unreadable;
    }
  });
}
