import { AccountingBuilder, accountedJob, type Accounting } from './accounting.ts';
import { withoutStates } from './dependency.ts';
import { expandNodeList } from './node-list.ts';
import { dependencyOfSubmitLine } from './submit-line.ts';
import { linesOf } from './text-lines.ts';
import { countOf, durationOf, exitOf, instantOf, isUnfinished, isWaiting, stateOf, textOf } from './values.ts';

type Values = ReadonlyMap<string, string>;

/** Keys at the end of a line whose values may hold spaces and `=`. */
const TO_END_OF_LINE = new Set([
  'JobName',
  'Command',
  'WorkDir',
  'Comment',
  'AdminComment',
  'SystemComment',
  'SubmitLine',
]);

const KEY = /(?:^|\s)([A-Za-z][\w/:.*]*)=/g;

/** Reads what `scontrol show job` printed (`-d`, `-dd`, `-o` too). */
export function readScontrolText(name: string, bytes: Uint8Array): Accounting {
  return readRecords('scontrol', name, bytes);
}

/** Reads the file that the plugin jobcomp/filetxt writes: one line for each job that is over. */
export function readJobCompletions(name: string, bytes: Uint8Array): Accounting {
  return readRecords('jobcomp', name, bytes);
}

function readRecords(format: string, name: string, bytes: Uint8Array): Accounting {
  const builder = new AccountingBuilder(format, name);
  let values: Map<string, string> | undefined;
  for (const line of linesOf(bytes)) {
    if (/^\s*JobId=/.test(line)) {
      if (values !== undefined) addJob(builder, values);
      values = new Map();
    }
    if (values !== undefined) readKeys(line, values);
  }
  if (values !== undefined) addJob(builder, values);
  return builder.finish();
}

/** The first value of a key counts: detail lines of single nodes repeat some. */
function readKeys(line: string, values: Map<string, string>): void {
  const wholeRecord = line.includes(' JobState=');
  KEY.lastIndex = 0;
  for (let match = KEY.exec(line); match !== null;) {
    const [, key] = match as unknown as [string, string];
    const from = KEY.lastIndex;
    const next = !wholeRecord && TO_END_OF_LINE.has(key) ? null : KEY.exec(line);
    const value = line.slice(from, next?.index ?? line.length).trim();
    if (!values.has(key)) values.set(key, value);
    match = next;
  }
}

function addJob(builder: AccountingBuilder, values: Values): void {
  const id = values.get('JobId') ?? '';
  if (!/^\d+$/.test(id)) {
    builder.lost(`JobId=${id.slice(0, 40)}: a number is expected; the job is left out`);
    return;
  }
  const state = stateOf(values.get('JobState'));
  const task = values.get('ArrayTaskId') ?? '';
  const submitLine = textOf(values.get('SubmitLine'));
  const declared = textOf(values.get('Dependency'));
  builder.addJob(
    accountedJob({
      cluster: textOf(values.get('Cluster')),
      job_id: id,
      array_job_id: textOf(values.get('ArrayJobId')),
      array_task_id: /^\d+$/.test(task) ? Number(task) : null,
      name: textOf(values.get('JobName') ?? values.get('Name')),
      user: textOf(values.get('UserId')?.replace(/\(\d+\)$/, '')),
      account: textOf(values.get('Account')),
      partition: textOf(values.get('Partition')),
      submit_time: timeOf(builder, values, 'SubmitTime'),
      eligible_time: timeOf(builder, values, 'EligibleTime'),
      nodes: countOf(values.get('NumNodes') ?? values.get('NodeCnt')),
      cpus: countOf(values.get('NumCPUs') ?? values.get('ProcCnt')),
      tasks: countOf(values.get('NumTasks')),
      node_list: expandNodeList(textOf(values.get('NodeList'))),
      state,
      ...(isUnfinished(state) ? {} : exitOf(values.get('ExitCode'))),
      ...runOf(builder, values, state),
      dependency: declared === null ? dependencyOfSubmitLine(submitLine) : withoutStates(declared),
      submit_line: submitLine,
      work_directory: textOf(values.get('WorkDir')),
    }),
  );
}

/** Of a job that is not over the controller tells when it will be, at the latest. */
function runOf(builder: AccountingBuilder, values: Values, state: string | null) {
  const start = isWaiting(state) ? null : timeOf(builder, values, 'StartTime');
  const end = isUnfinished(state) ? null : timeOf(builder, values, 'EndTime');
  const between = start === null || end === null ? null : end - start;
  return {
    start_time: start,
    end_time: end,
    elapsed_seconds: isWaiting(state) ? null : (durationOf(values.get('RunTime')) ?? between),
  };
}

function timeOf(builder: AccountingBuilder, values: Values, key: string): number | null {
  const instant = instantOf(values.get(key));
  if (instant?.withoutZone) builder.timesWithoutZone();
  return instant?.seconds ?? null;
}
