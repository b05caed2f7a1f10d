import { jsonText } from '../export/json-text.ts';
import type { Command } from 'commander';
import { collect, NONE_GIVEN } from './arguments.ts';
import { resources } from './resources.ts';
import { VERSION } from './version.ts';

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('what works on this machine, and what to do about the rest')
    .argument('[binary...]', 'programs whose debug information is looked for')
    .option('--debug-dir <dir>', 'folder with separate debug files (repeatable)', collect, NONE_GIVEN)
    .option('--json', 'as JSON')
    .action(async (binaries: string[], options: { debugDir: string[]; json?: true }) => {
      const { checkMachine } = await import('../session/machine/machine-check.ts');
      const { machineText } = await import('../export/analysis/machine-document.ts');
      const document = await checkMachine({ version: VERSION, resources, binaries, debugFolders: options.debugDir });
      process.stdout.write(options.json === true ? jsonText(document) : machineText(document));
    });
}
