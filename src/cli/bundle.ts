import type { Command } from 'commander';
import type { AnalysisDocument } from '../export/analysis/documents.ts';
import { localSession } from '../features/answers/all-answers.ts';
import type { OpenRequest } from '../session/reading/open-request.ts';
import { groupRecordings } from '../session/reading/recording-groups.ts';
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
      const { BundleError, makeBundle } = await import('../session/bundle/bundle.ts');
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
            analyse,
          },
          {
            progress: (share) => progress.update(share),
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

/** All in one analysis, as "iolens analyze" has it. */
async function analyse(requests: readonly OpenRequest[]): Promise<AnalysisDocument> {
  const session = localSession(resources);
  const ids: number[] = [];
  for (const request of requests) ids.push((await session.recordings.open(request)).id);
  const analysis = await session.findings.analysis(ids);
  for (const id of ids) await session.recordings.close(id);
  return analysis;
}
