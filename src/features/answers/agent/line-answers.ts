import type { Cost } from '../../../analysis/gain/cost.ts';
import { snippetsOf } from '../../../export/analysis/advice.ts';
import type { CallerDocument } from '../../../export/analysis/caller-documents.ts';
import type { InsightDocument, SiteDocument, SitesDocument } from '../../../export/analysis/documents.ts';
import { gainText } from '../../../export/analysis/gain-text.ts';
import type { Session } from '../all-answers.ts';
import type { RecordedEvent } from '../event-lines.ts';
import { placeOf, type AskedRecording, type LineNow, type LineQuestion } from './asked-recording.ts';
import { fitting, shortened, within } from './limits.ts';

export interface CallsQuestion extends LineQuestion {
  readonly limit?: number;
}

interface LineCostAnswer {
  readonly function: string;
  readonly calls: Readonly<Record<string, number>>;
  readonly events: number;
  readonly bytes: number;
  readonly timeNs: number;
  readonly shareOfTime: number;
  readonly cost?: Cost;
  readonly streams: number;
  readonly ranks?: string;
}

interface LineFindingAnswer {
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly message: string;
  readonly saving: string;
  readonly evidence: Readonly<Record<string, number>>;
  readonly advice: readonly object[];
}

interface CallerAnswer extends Omit<CallerDocument, 'callers'> {
  readonly callers: readonly CallerAnswer[];
  /** Callers that are left out. */
  readonly moreCallers?: number;
}

/** What is known of a line: its costs, findings with examples of what to write, and who calls it. */
export interface LineAnswer {
  readonly file: string;
  readonly line: number;
  readonly costs: readonly LineCostAnswer[];
  readonly findings: readonly LineFindingAnswer[];
  readonly callers?: readonly CallerAnswer[];
  /** Callers that are left out. */
  readonly moreCallers?: number;
}

export interface CallsAnswer {
  readonly file: string;
  readonly line: number;
  readonly events: readonly object[];
  readonly areMore: boolean;
}

const USUAL_EVENTS = 20;
const MOST_EVENTS = 200;
const MOST_FINDINGS = 10;
/** All callers of a line that are told, those of callers counted. */
const MOST_CALLERS = 60;

/** @throws Error in words for the model. */
export async function lineAnswer(
  session: Session,
  recording: AskedRecording,
  question: LineQuestion,
  now: LineNow,
): Promise<LineAnswer> {
  const { file, line } = placeOf(recording, question, now);
  const costs = recording.sites.filter((site) => site.file === file && site.line === line);
  const findings = recording.analysis.insights.flatMap((insight) =>
    insight.sites.filter((site) => site.file === file && site.line === line).map((site) => ({ insight, site })),
  );
  const callers = await session.lines.callers(recording.id, file, line);
  if (costs.length === 0 && findings.length === 0 && callers === undefined)
    throw new Error(`no recorded I/O call comes through ${file}:${question.line} in ${recording.name}`);
  return {
    file,
    line: question.line,
    costs: shortened(costs.map(costAnswer)),
    findings: fitting(findings.map(findingAnswer), MOST_FINDINGS).told,
    ...(callers !== undefined && callersOf(callers)),
  };
}

function costAnswer(site: SitesDocument['sites'][number]): LineCostAnswer {
  return {
    function: site.function,
    calls: site.calls,
    events: site.events,
    bytes: site.bytes,
    timeNs: site.timeNs,
    shareOfTime: site.share,
    ...(site.cost && { cost: site.cost }),
    streams: site.streams,
    ...(site.ranks !== undefined && { ranks: site.ranks }),
  };
}

function findingAnswer({ insight, site }: { insight: InsightDocument; site: SiteDocument }): LineFindingAnswer {
  return {
    code: insight.code,
    severity: site.severity,
    title: insight.title,
    message: site.message,
    saving: gainText(insight.gain),
    evidence: insight.evidence,
    advice: insight.recommendations.map((recommendation) => ({
      text: recommendation.text,
      where: recommendation.audience === 'job' ? 'job script' : 'code',
      examples: snippetsOf(recommendation).map(({ language, title, code }) => ({ language, title, code })),
    })),
  };
}

function callersOf(root: CallerDocument): Pick<LineAnswer, 'callers' | 'moreCallers'> {
  const { callers, moreCallers } = fewCallers(root);
  return { callers: shortened(callers), ...(moreCallers !== undefined && { moreCallers }) };
}

/** The nearest callers: those of a line of a library are thousands. */
function fewCallers(root: CallerDocument): CallerAnswer {
  const kept = new Set([root]);
  // What is added meanwhile is visited, too: the nearest come first.
  for (const caller of kept) for (const next of caller.callers) if (kept.size <= MOST_CALLERS) kept.add(next);
  const answerOf = ({ callers, ...caller }: CallerDocument): CallerAnswer => {
    const near = callers.filter((next) => kept.has(next));
    const more = callers.length - near.length;
    return { ...caller, callers: near.map(answerOf), ...(more > 0 && { moreCallers: more }) };
  };
  return answerOf(root);
}

/**
 * The first recorded calls of a line, as rows.
 * @throws Error in words for the model.
 */
export async function callsAnswer(
  session: Session,
  recording: AskedRecording,
  question: CallsQuestion,
  now: LineNow,
): Promise<CallsAnswer> {
  const { file, line } = placeOf(recording, question, now);
  const limit = within(question.limit ?? USUAL_EVENTS, MOST_EVENTS);
  const events = await session.lines.events(recording.id, file, line, limit + 1);
  if (events.length === 0) throw new Error(`${file}:${question.line} makes no recorded I/O call in ${recording.name}`);
  const { told, more } = fitting(events.map(eventAnswer), limit);
  return { file, line: question.line, events: told, areMore: more > 0 };
}

function eventAnswer({ recording, line, call, path, pid, rank, bytes, offset, durationNs }: RecordedEvent): object {
  return {
    at: `${recording}:${line}`,
    call,
    path,
    process: pid,
    ...(rank !== null && { rank }),
    bytes,
    offset,
    durationNs,
  };
}
