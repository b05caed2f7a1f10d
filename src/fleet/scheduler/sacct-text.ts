import { AccountingBuilder, accountedJob, accountedStep, type Accounting, type AccountedJob } from './accounting.ts';
import { withoutStates } from './dependency.ts';
import { isNumberedStep, parseJobNumber } from './job-number.ts';
import { expandNodeList } from './node-list.ts';
import { recordsOf, type SacctRecord } from './sacct-records.ts';
import { dependencyOfSubmitLine } from './submit-line.ts';
import { countOf, durationOf, exitOf, instantOf, isUnfinished, isWaiting, stateOf, textOf } from './values.ts';

/** Reads what `sacct -P` printed, with any list of fields. */
export function readSacctText(name: string, bytes: Uint8Array): Accounting {
  const builder = new AccountingBuilder('sacct', name);
  const lost = (message: string) => builder.lost(message);
  for (const record of recordsOf(bytes, lost)) addRecord(builder, record);
  return builder.finish();
}

function addRecord(builder: AccountingBuilder, record: SacctRecord): void {
  const written = record.get('jobid') ?? record.get('jobidraw') ?? '';
  const number = parseJobNumber(written);
  if (number === undefined) {
    builder.lost(`line ${record.line}: "${written.slice(0, 40)}" is not a job number; the line is left out`);
    return;
  }
  // A task of an array has a number of its own, which only JobIDRaw tells.
  const raw = parseJobNumber(record.get('jobidraw') ?? '');
  const ofBoth = {
    cluster: textOf(record.get('cluster')),
    job_id: raw?.job ?? number.job,
    name: textOf(record.get('jobname')),
    ...resourcesOf(builder, record),
  };
  if (number.step === null)
    builder.addJob(jobOf(builder, record, { ...ofBoth, array_job_id: number.array, array_task_id: number.task }));
  else if (isNumberedStep(number.step)) builder.addStep(accountedStep({ ...ofBoth, step: number.step }));
}

function resourcesOf(builder: AccountingBuilder, record: SacctRecord) {
  const state = stateOf(record.get('state'));
  return {
    state,
    nodes: countOf(record.get('nnodes') ?? record.get('allocnodes')),
    cpus: countOf(record.get('ncpus') ?? record.get('alloccpus')),
    tasks: countOf(record.get('ntasks')),
    node_list: expandNodeList(textOf(record.get('nodelist'))),
    ...(isUnfinished(state) ? {} : exitOf(record.get('exitcode'))),
    start_time: isWaiting(state) ? null : timeOf(builder, record, 'start'),
    end_time: isUnfinished(state) ? null : timeOf(builder, record, 'end'),
    elapsed_seconds: isWaiting(state) ? null : (durationOf(record.get('elapsed')) ?? countOf(record.get('elapsedraw'))),
  };
}

function jobOf(builder: AccountingBuilder, record: SacctRecord, known: Partial<AccountedJob>): AccountedJob {
  const submitLine = textOf(record.get('submitline'));
  const declared = textOf(record.get('dependency'));
  return accountedJob({
    ...known,
    user: textOf(record.get('user')),
    account: textOf(record.get('account')),
    partition: textOf(record.get('partition')),
    submit_time: timeOf(builder, record, 'submit'),
    eligible_time: timeOf(builder, record, 'eligible'),
    dependency: declared === null ? dependencyOfSubmitLine(submitLine) : withoutStates(declared),
    submit_line: submitLine,
    work_directory: textOf(record.get('workdir')),
  });
}

function timeOf(builder: AccountingBuilder, record: SacctRecord, column: string): number | null {
  const text = record.get(column);
  const instant = instantOf(text);
  if (instant?.withoutZone) builder.timesWithoutZone();
  if (instant === null && textOf(text) !== null && !/^\d+$/.test(text!))
    builder.lost(`line ${record.line}: "${text!.slice(0, 40)}" is no time that is understood`);
  return instant?.seconds ?? null;
}
