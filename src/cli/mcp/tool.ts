import type { AskedRecording } from '../../features/answers/agent/asked-recording.ts';
import type { Session } from '../../features/answers/all-answers.ts';
import type { McpOptions } from './command.ts';
import type { Turns } from './turns.ts';

/** A JSON schema of an object, as the protocol has it. */
interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: string[];
  readonly additionalProperties: false;
}

/** What a tool needs to be allowed by a flag when the server is started. */
export type Permission = 'run' | 'write';

/** What a tool says: a short text, and the same as data. */
interface ToolAnswer {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A call of a tool: how far it is, and whether it is still wanted. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** @param what is done now, in words. */
  readonly progress: (what: string) => void;
}

/** What tools work with. */
export interface Workplace {
  readonly session: Session;
  readonly options: McpOptions;
  /** Programs are run one after the other: their times would be each other's. */
  readonly programs: Turns;
  /** Opens recordings and asks about them; one after the other, for all work is done in this thread. */
  readonly withRecordings: <Result>(
    names: readonly string[],
    call: ToolCall,
    ask: (...recordings: AskedRecording[]) => Promise<Result>,
  ) => Promise<Result>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For a model: what it does, and when to use it. */
  readonly description: string;
  readonly input: InputSchema;
  readonly needs?: Permission;
  /** @param input fits the schema. @throws Error in words for the model. */
  readonly answer: (input: never, place: Workplace, call: ToolCall) => Promise<ToolAnswer>;
}

/** What every tool about a recording takes. */
export const RECORDING = {
  type: 'string',
  description:
    'The recording: a file (strace text, Darshan log, …), a folder (NAME.iolens of "iolens record", an OTF2 archive, …) or a glob, relative to the working folder or absolute.',
} as const;

export const SOURCE_FILE = {
  type: 'string',
  description: 'Source file: its path, or an end of it that fits one file of the recording only, such as "heat.c".',
} as const;

export function limitOf(usual: number, most: number): object {
  return { type: 'integer', minimum: 1, maximum: most, description: `Most items; ${usual} by default.` };
}
