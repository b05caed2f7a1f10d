import { Option, type Command } from 'commander';
import { jsonText } from '../export/json-text.ts';
import { workflowDot } from '../export/workflow/workflow-dot.ts';
import { workflowText } from '../export/workflow/workflow-text.ts';
import { localSession } from '../features/answers/all-answers.ts';
import { collectAgain } from '../session/fleet/slurm/collect-again.ts';
import type { PathRule } from '../symbols/symbol-files.ts';
import { byteSize, NO_RULES, pathRule } from './arguments.ts';
import { print } from './commands.ts';
import { checkOutput } from './output-file.ts';
import { Progress } from './progress.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';
import { VERSION } from './version.ts';

const FORMATS = { text: workflowText, json: jsonText, dot: workflowDot } as const;

interface WorkflowCommandOptions {
  json?: true;
  format: keyof typeof FORMATS;
  output?: string;
  samePath: PathRule[];
  memoryBudget?: number;
  cache: boolean;
  progress: 'never' | 'auto' | 'plain';
}

export function addWorkflow(program: Command): void {
  program
    .command('workflow')
    .description('jobs that belong together: what they wait for, what each step spends its time on, what is lost')
    .argument('<folder>', 'tables of the batch system, recordings of job steps, profiles')
    .addOption(new Option('--format <format>', 'text, json or dot').choices(Object.keys(FORMATS)).default('text'))
    .option('--json', 'as JSON')
    .option('-o, --output <file>', 'write to a file')
    .option(
      '--same-path <from=to>',
      'two names of one folder, as mounts and links make them (repeatable)',
      pathRule,
      NO_RULES,
    )
    .option('--memory-budget <size>', 'events beyond it go to a temporary file (default: 2GiB)', byteSize)
    .option('--no-cache', 'read the recordings again, and keep nothing for the next time')
    .addOption(
      new Option('--progress <when>', 'never, auto (a bar on a terminal) or plain')
        .choices(['never', 'auto', 'plain'])
        .default('auto'),
    )
    .action(async (folder: string, options: WorkflowCommandOptions) => {
      checkOutput(options.output, [folder]);
      for (const note of await collectAgain(folder, VERSION)) say(note);
      const progress = new Progress(options.progress, folder);
      const reading = {
        pathRules: options.samePath,
        ...(options.memoryBudget !== undefined && { memoryBudget: options.memoryBudget }),
        ...(!options.cache && { cacheBytes: 0 }),
      };
      const hooks = {
        progress: (share: number | undefined) => progress.update(share),
      };
      const session = localSession(resources);
      const workflow = await session.workflow.read(folder, reading, hooks).finally(() => progress.done());
      print(FORMATS[options.json === true ? 'json' : options.format](workflow), options.output);
    });
}
