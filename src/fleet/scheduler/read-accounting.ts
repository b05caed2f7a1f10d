import type { Accounting } from './accounting.ts';
import { parseJobLog, readJobLog } from './job-log.ts';
import { readJobCompletions, readScontrolText } from './key-value-text.ts';
import { readSacctJson } from './sacct-json.ts';
import { parseHeader } from './sacct-records.ts';
import { readSacctText } from './sacct-text.ts';
import { readSqueueJson } from './squeue-json.ts';
import { firstLine } from './text-lines.ts';

export type { AccountedJob, Accounting } from './accounting.ts';

/** Files of JobLog are small; what is longer is no such file. */
const MOST_JOB_LOG_BYTES = 16 * 2 ** 20;

/**
 * Reads a table of the batch system by its content: `sacct -P` with any fields, `sacct --json`, `scontrol show job`,
 * `squeue --json`, jobcomp/filetxt, and the files of JobLog and of `iolens collect`.
 * @param name for messages.
 * @returns undefined when it is none of these. What is damaged is read as far as it is sound.
 */
export function readAccounting(name: string, bytes: Uint8Array): Accounting | undefined {
  const first = firstLine(bytes);
  if (first === undefined) return undefined;
  if (first.trimStart().startsWith('{')) return readJson(name, bytes);
  if (/^\s*JobId=\d+ UserId=.* JobState=.* ProcCnt=/.test(first)) return readJobCompletions(name, bytes);
  if (/^\s*JobId=\d/.test(first)) return readScontrolText(name, bytes);
  return parseHeader(first.replace(/^\uFEFF/, '')) === undefined ? undefined : readSacctText(name, bytes);
}

function readJson(name: string, bytes: Uint8Array): Accounting | undefined {
  const text = new TextDecoder().decode(bytes.subarray(0, 4 * 2 ** 20));
  if (/"jobs"\s*:\s*\[/.test(text)) {
    if (/"job_state"\s*:/.test(text)) return readSqueueJson(name, bytes);
    if (/"steps"\s*:|"association"\s*:|openapi\W+(slurm)?db/.test(text)) return readSacctJson(name, bytes);
    if (/"slurm"\s*:/i.test(text)) return readSqueueJson(name, bytes);
  }
  if (bytes.length > MOST_JOB_LOG_BYTES || !/"JobI[dD]"\s*:/.test(text)) return undefined;
  const log = parseJobLog(new TextDecoder().decode(bytes));
  return log === undefined ? undefined : readJobLog(name, log);
}
