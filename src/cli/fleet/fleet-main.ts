import { addFleet } from './fleet.ts';
import { commandLine, runCommandLine } from '../run-command-line.ts';

/** `iolens fleet` alone, as the editor's task runs it: what it shares with the session is packaged once. */
const program = commandLine();
addFleet(program);

runCommandLine(program);
