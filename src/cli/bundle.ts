import type { Command } from 'commander';
import { groupRecordings } from '../session/recording-groups.ts';
import { openRequest, UsageError, withOpenOptions, type OpenOptions } from './arguments.ts';
import { Progress } from './progress.ts';
import { resources } from './resources.ts';
import { say } from './say.ts';
import { VERSION } from './version.ts';

interface BundleOptions extends OpenOptions {
  output: string;
  key?: string;
}

export function addBundle(program: Command): void {
  withOpenOptions(
    program
      .command('bundle')
      .description('recordings for a help desk, without names of people, machines and files')
      .argument('<recording...>'),
  )
    .requiredOption('-o, --output <file>', 'FILE.tar.gz, or a folder')
    .option('--key <file>', 'write what each pseudonym stands for; keep it to yourself')
    .action(async (recordings: string[], options: BundleOptions) => {
      if (options.ignore !== undefined)
        throw new UsageError('bundle: --ignore names files, which the bundle must not do');
      const { BundleError, makeBundle } = await import('../session/bundle.ts');
      const progress = new Progress(options.progress, 'bundle');
      try {
        const groups = await groupRecordings(recordings);
        await makeBundle(
          {
            recordings: groups.map((paths) => openRequest(paths, options)),
            output: options.output,
            keyFile: options.key,
            version: VERSION,
            resources,
          },
          {
            progress: (share) => {
              progress.update(share);
            },
          },
        );
      } catch (error) {
        throw error instanceof BundleError ? new UsageError(error.message) : error;
      } finally {
        progress.done();
      }
      say(`wrote ${options.output}; look into it before you send it`);
    });
}
