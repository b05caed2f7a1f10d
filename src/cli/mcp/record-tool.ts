import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../base/error-message.ts';
import { printable } from '../../export/report/report-text.ts';
import { summaryAnswer } from '../../features/answers/agent/asked-recording.ts';
import { cutText } from '../../features/answers/agent/limits.ts';
import { meantProgram } from '../../record/recordable-program.ts';
import { freeFolder } from '../../record/recording-folder.ts';
import { runOwnCommand } from './own-command.ts';
import { summaryText } from './texts.ts';
import type { Tool, ToolCall } from './tool.ts';

interface RecordInput {
  readonly command: readonly string[];
  readonly output?: string;
  readonly with?: 'auto' | 'preload' | 'strace';
}

/** Characters of what a program printed that are told: its last ones. */
const LONGEST_TAIL = 2000;

/** Runs a program and records it. */
export const recordProgram: Tool = {
  name: 'record_program',
  title: 'Record a program',
  description:
    'Runs a program in the working folder and records its file I/O with source lines (compile it with -g). Gives the name of the recording for the other tools, how the program ended, and the end of what it printed. Use it when there is no recording yet, or after changing the program. The program really runs, with all that it writes. The server must have been started with --allow-run.',
  input: {
    type: 'object',
    properties: {
      command: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        description: 'The program and its arguments, each by itself; no shell reads them.',
      },
      output: {
        type: 'string',
        description:
          'Name of the recording; a recording of that name is replaced. PROGRAM.iolens by default, numbered.',
      },
      with: {
        type: 'string',
        enum: ['auto', 'preload', 'strace'],
        description:
          'preload: a library in the program, cheap and with all layers; strace: system calls; auto (the default): the library where the program can load it.',
      },
    },
    required: ['command'],
    additionalProperties: false,
  },
  needs: 'run',
  answer: async (input: RecordInput, { programs, withRecordings }, call) => {
    const { name, end, printed, errors } = await programs.take(call.signal, () => recorded(input, call));
    return withRecordings([name], call, async (asked) => {
      const summary = summaryAnswer(asked);
      const data = { ...summary, end, standardOutput: printed, standardError: errors };
      const lines = [`${printable(input.command[0]!)}: ${end}`, summaryText(summary), printable(errors, true)];
      return Promise.resolve({ text: lines.join('\n').trimEnd(), data });
    }).catch((error: unknown) => {
      throw new Error(`${messageOf(error)}\n${errors}`.trimEnd());
    });
  },
};

interface RecordedRun {
  readonly name: string;
  /** How the program ended, in words. */
  readonly end: string;
  /** The ends of what it printed. */
  readonly printed: string;
  readonly errors: string;
}

/** @throws Error in words for the model when there is no recording. */
async function recorded(
  { command, output, with: recorder = 'auto' }: RecordInput,
  call: ToolCall,
): Promise<RecordedRun> {
  const name = output ?? path.relative('.', freeFolder(meantProgram(command, process.cwd()), '.'));
  const before = lastWritten(name);
  const args = ['record', '--quiet', '--no-calibration', `--output=${name}`, `--with=${recorder}`, '--', ...command];
  const ended = await runOwnCommand(args, call);
  const [printed, errors] = [tail(ended.output), tail(ended.errors)];
  if (!existsSync(name) || lastWritten(name) === before) throw new Error(`nothing was recorded:\n${errors}`);
  const end = ended.signal === undefined ? `exit status ${ended.status ?? 0}` : `ended by ${ended.signal}`;
  return { name, end, printed, errors };
}

/** When a recording was written last, whether it is a file or a folder; 0 where there is none. */
function lastWritten(name: string): number {
  return statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function tail(text: string): string {
  const end = text.trimEnd();
  return end.length <= LONGEST_TAIL ? end : `… (cut)\n${cutText(end.slice(-LONGEST_TAIL))}`;
}
