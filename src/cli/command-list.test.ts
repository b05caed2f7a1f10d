import { expect, test } from 'vitest';
import { COMMANDS } from './command-list.ts';
import { commandLine } from './run-command-line.ts';

test('each name makes the command of this name, and no other', async () => {
  for (const [name, load] of Object.entries(COMMANDS)) {
    const program = commandLine();
    (await load())(program);
    expect(program.commands.map((command) => command.name())).toEqual([name]);
  }
});
