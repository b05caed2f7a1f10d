#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { UsageError } from './arguments.ts';
import { addAnalyze, addGraph, addInfo, addSites } from './commands.ts';
import { addBundle } from './bundle.ts';
import { addCompare } from './compare.ts';
import { addDios } from './dios.ts';
import { addDoctor } from './doctor.ts';
import { addLayers } from './layers.ts';
import { addOperations } from './operations.ts';
import { addExport } from './export.ts';
import { addPatterns } from './patterns.ts';
import { addReplay } from './replay.ts';
import { addRecord, RecordError } from './record.ts';
import { say } from './say.ts';
import { VERSION } from './version.ts';
import { STATUS } from './exit-status.ts';

const program = new Command('iolens')
  .description('See on the source line what a program’s I/O costs and why.')
  .version(VERSION)
  .enablePositionalOptions()
  .exitOverride();
addInfo(program);
addAnalyze(program);
addSites(program);
addGraph(program);
addCompare(program);
addLayers(program);
addOperations(program);
addPatterns(program);
addExport(program);
addReplay(program);
addRecord(program);
addDios(program);
addDoctor(program);
addBundle(program);

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
    say(error instanceof Error ? error.message : String(error));
    const isUsage = error instanceof UsageError || error instanceof RangeError || error instanceof RecordError;
    process.exitCode = isUsage ? STATUS.usage : STATUS.unreadable;
  }
});
