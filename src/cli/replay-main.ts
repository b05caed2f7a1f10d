import { addReplay } from './replay.ts';
import { commandLine, runCommandLine } from './run-command-line.ts';

/** `iolens replay` alone, as the editor's task runs it: what it shares with the session is packaged once. */
const program = commandLine();
addReplay(program);

runCommandLine(program);
