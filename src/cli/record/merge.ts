import { Option, type Command } from 'commander';
import { counted, formatBytes } from '../../base/quantities.ts';
import { CancelledError } from '../../session/worker/worker-protocol.ts';
import { UsageError } from '../arguments.ts';
import { untilInterrupted } from '../interrupt.ts';
import { Progress } from '../progress.ts';
import { say } from '../say.ts';

interface MergeCommandOptions {
  output: string;
  progress: 'never' | 'auto' | 'plain';
}

export function addMerge(program: Command): void {
  program
    .command('merge')
    .description('make one file for each node of the thousands that the processes of a run wrote')
    .argument('<recording...>', 'a folder that "iolens record" wrote (app.iolens), or files of it')
    .requiredOption('-o, --output <folder>', 'where the merged files go: each node writes its own file there')
    .addOption(
      new Option('--progress <when>', 'never, auto (a bar on a terminal) or plain')
        .choices(['never', 'auto', 'plain'])
        .default('auto'),
    )
    .action(async (recordings: string[], { output, progress: when }: MergeCommandOptions) => {
      const { MergeError, mergeRecording } = await import('../../session/merge/merge-recording.ts');
      const progress = new Progress(when, 'merging');
      try {
        await untilInterrupted(async (signal) => {
          const { files, bytes, damage } = await mergeRecording(recordings, output, {
            signal,
            progress: (share) => progress.update(share),
          }).catch((error: unknown) => {
            throw signal.aborted ? new CancelledError('interrupted') : error;
          });
          progress.done();
          for (const text of damage) say(`left out: ${text}`);
          const merged = files.reduce((sum, { processes }) => sum + processes, 0);
          const left = files.reduce((sum, file) => sum + file.bytes, 0);
          process.stdout.write(
            `${output}: ${counted(merged, 'process file')} (${formatBytes(bytes)}) in ${counted(files.length, 'file')} (${formatBytes(left)})\n`,
          );
        });
      } catch (error) {
        throw error instanceof MergeError ? new UsageError(error.message) : error;
      } finally {
        progress.done();
      }
    });
}
