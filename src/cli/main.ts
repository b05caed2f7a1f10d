#!/usr/bin/env node
import type { Command } from 'commander';
import { COMMANDS } from './command-list.ts';
import { commandLine, runCommandLine } from './run-command-line.ts';

/** Help, and words about a command that there is none of, need all commands; the version needs none. */
function loadersFor(argument: string | undefined): (typeof COMMANDS)[string][] {
  if (argument === '--version' || argument === '-V') return [];
  const wanted = argument !== undefined && Object.hasOwn(COMMANDS, argument) ? COMMANDS[argument] : undefined;
  return wanted === undefined ? Object.values(COMMANDS) : [wanted];
}

async function program(): Promise<Command> {
  const whole = commandLine();
  for (const load of loadersFor(process.argv[2])) (await load())(whole);
  return whole;
}

runCommandLine(program());
