import type { KnownWorkflow } from '../build-workflow.ts';
import type { WorkflowDependency, WorkflowInsight } from '../workflow-document.ts';
import { shortestRun } from './schedule.ts';
import { jobNames, listed, seconds, severityOf } from './words.ts';

/** Pairs of jobs that a message names. */
const MOST_PAIRS = 4;
/** Share of the whole that an overlap must save to be worth a finding. */
const WORTHWHILE = 0.02;

/** Jobs that could have run at the same time. */
export function parallelismInsights(workflow: KnownWorkflow): WorkflowInsight[] {
  return [...withoutReason(workflow), ...overlaps(workflow)];
}

/** One after the other, with nothing that says why. */
function withoutReason({ jobs, dependencies, start, end }: KnownWorkflow): WorkflowInsight[] {
  const byTime = dependencies.filter(({ kind }) => kind === 'time');
  if (byTime.length === 0 || start === null || end === null) return [];
  const known = dependencies.filter(({ kind }) => kind !== 'time');
  const saved = shortestRun(jobs, dependencies) - shortestRun(jobs, known);
  if (saved < WORTHWHILE * (end - start)) return [];
  const involved = [...new Set(byTime.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const blind = involved.filter((job) => jobs[job]!.steps.some(({ recordingFormat }) => recordingFormat === null));
  const pairs = byTime.slice(0, MOST_PAIRS).map(({ from, to }) => `${jobs[to]!.id} after ${jobs[from]!.id}`);
  if (byTime.length > MOST_PAIRS) pairs.push(`${byTime.length - MOST_PAIRS} more`);
  const doubt =
    blind.length === 0
      ? ''
      : ` Not all steps of ${jobNames(jobs, blind)} were recorded: data may flow that nobody saw.`;
  return [
    {
      kind: 'unused-parallelism',
      severity: blind.length > 0 ? 'info' : severityOf(saved, end - start),
      title: `Jobs ran one after the other without a known reason: up to ${seconds(saved)}`,
      message: `No dependency was declared and no data flow from one to the next: ${listed(pairs)}.${doubt}`,
      recommendation:
        'Submit them so that they can run side by side, if there are nodes for all of them at once; or declare what ' +
        'keeps them apart.',
      jobs: involved,
      seconds: saved,
    },
  ];
}

/** Data that were complete long before the job that wrote them ended, or were read long after the other began. */
function overlaps(workflow: KnownWorkflow): WorkflowInsight[] {
  const { dependencies, criticalChain } = workflow;
  // Elsewhere an overlap makes nothing shorter.
  const before = new Map(criticalChain.map((job, at) => [job, criticalChain[at - 1]]));
  return dependencies
    .filter(({ kind, from, to }) => kind === 'data' && before.get(to) === from)
    .flatMap((edge) => overlap(workflow, edge));
}

function overlap(workflow: KnownWorkflow, { from, to, files }: WorkflowDependency): WorkflowInsight[] {
  const { jobs, flows, start, end } = workflow;
  const [writer, reader] = [jobs[from]!, jobs[to]!];
  const pair = flows.filter((flow) => flow.writer.job === from && flow.reader.job === to);
  const written = pair.map(({ writer: { access } }) => access.writtenUntil ?? access.to);
  const read = pair.map(({ reader: { access } }) => access.readFrom ?? access.from);
  if (written.includes(null) || read.includes(null)) return [];
  if (writer.start === null || writer.end === null || reader.start === null || reader.end === null) return [];
  const complete = Math.max(...(written as number[]));
  const needed = Math.min(...(read as number[]));
  const [idleBefore, idleAfter] = [Math.max(0, writer.end - complete), Math.max(0, needed - reader.start)];
  const saved = Math.min(idleBefore + idleAfter, writer.end - writer.start, reader.end - reader.start);
  const whole = end! - start!;
  // Where they overlapped already, or something else holds the later one back, nothing is to be had.
  if (reader.start < writer.end - 1 || saved < WORTHWHILE * whole) return [];
  const name = workflow.files[files[0]!]!.path;
  return [
    {
      kind: 'unused-parallelism',
      severity: severityOf(saved, whole),
      title: `Job ${reader.id} could begin before job ${writer.id} ends: up to ${seconds(saved)}`,
      message:
        `Job ${reader.id} needs ${files.length === 1 ? name : `${name} and ${files.length - 1} more`} of job ${writer.id}. ` +
        `That was complete ${seconds(idleBefore)} before job ${writer.id} ended, and is read ${seconds(idleAfter)} after ` +
        `job ${reader.id} has begun.`,
      recommendation:
        `Put what job ${writer.id} does behind it into a job of its own, or start job ${reader.id} earlier and let it ` +
        'wait for the files before it reads them.',
      jobs: [from, to],
      seconds: saved,
    },
  ];
}
