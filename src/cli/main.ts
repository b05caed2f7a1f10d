#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { UsageError } from './arguments.ts';
import { addAnalyze, addGraph, addInfo, addRecord, addSites, RecordError } from './commands.ts';
import { addBundle } from './bundle.ts';
import { addDoctor } from './doctor.ts';
import { VERSION } from './version.ts';

/** Exit statuses that scripts rely on (docs/cli.md). */
const STATUS = { usage: 2, unreadable: 3 } as const;

const program = new Command('iolens')
  .description('See on the source line what a program’s I/O costs and why.')
  .version(VERSION)
  .enablePositionalOptions()
  .exitOverride();
addInfo(program);
addAnalyze(program);
addSites(program);
addGraph(program);
addRecord(program);
addDoctor(program);
addBundle(program);

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

// No `await` at the top level: the single-file executable runs a script, not a module.
program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : STATUS.usage;
  else {
    process.stderr.write(`iolens: ${error instanceof Error ? error.message : String(error)}\n`);
    const isUsage = error instanceof UsageError || error instanceof RangeError || error instanceof RecordError;
    process.exitCode = isUsage ? STATUS.usage : STATUS.unreadable;
  }
});
