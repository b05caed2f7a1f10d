import type { Cost } from '../../../analysis/gain/cost.ts';
import type { InsightDocument, SiteDocument } from '../../../export/analysis/documents.ts';
import { nothingFound } from '../../../export/analysis/findings.ts';
import { gainText } from '../../../export/analysis/gain-text.ts';
import { runText } from '../../../export/analysis/run-text.ts';
import { fileOf, type AskedRecording, type LineNow } from './asked-recording.ts';
import { fitting, shortened, within } from './limits.ts';

export interface FindingsQuestion {
  /** Findings that are at least as severe; info by default. */
  readonly severity?: string;
  /** Source file: its whole path, or an end of it that fits one file only. */
  readonly file?: string;
  readonly limit?: number;
}

interface PlaceAnswer {
  readonly file: string;
  readonly line: number;
  readonly function: string;
  readonly calls: number;
  readonly bytes: number;
  readonly timeNs: number;
  readonly shareOfTime: number;
  readonly cost?: Cost;
  readonly source: string;
}

export interface InsightAnswer {
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly message: string;
  readonly saving: string;
  readonly places: readonly PlaceAnswer[];
  readonly morePlaces: number;
  readonly advice: readonly string[];
}

export interface FindingsAnswer {
  /** What the run costs; absent for a recording without times. */
  readonly run?: string;
  readonly insights: readonly InsightAnswer[];
  /** Findings that are left out of the list. */
  readonly more: number;
  /** What was looked at, where nothing was found. */
  readonly nothingFound?: string;
  readonly notes: readonly string[];
}

const USUAL_INSIGHTS = 10;
const MOST_INSIGHTS = 50;
/** Places of a finding that are told. */
const MOST_PLACES = 5;
const MOST_NOTES = 10;
const SEVERITIES: readonly string[] = ['high', 'warn', 'info', 'ok'];

/**
 * The findings of a recording that are at least as severe, heaviest first.
 * @throws Error in words for the model.
 */
export function findingsAnswer(recording: AskedRecording, question: FindingsQuestion, now: LineNow): FindingsAnswer {
  const { analysis } = recording;
  const most = SEVERITIES.indexOf(question.severity ?? 'info');
  const file = question.file === undefined ? undefined : fileOf(recording, question.file);
  const wanted = analysis.insights
    .filter(({ severity }) => SEVERITIES.indexOf(severity) <= most)
    .filter(({ sites }) => file === undefined || sites.some((site) => site.file === file));
  const { told, more } = fitting(
    wanted.map((insight) => insightAnswer(insight, now)),
    within(question.limit ?? USUAL_INSIGHTS, MOST_INSIGHTS),
  );
  const run = analysis.run === null ? undefined : runText(analysis.run);
  return {
    ...(run !== undefined && { run }),
    insights: told,
    more,
    ...(analysis.insights.length === 0 && { nothingFound: nothingFound(analysis) }),
    notes: shortened(analysis.notes.slice(0, MOST_NOTES)),
  };
}

function insightAnswer(insight: InsightDocument, now: LineNow): InsightAnswer {
  const { code, severity, title, message, sites, recommendations, gain } = insight;
  return {
    code,
    severity,
    title,
    message,
    saving: gainText(gain),
    places: sites.slice(0, MOST_PLACES).map((site) => placeAnswer(site, now)),
    morePlaces: Math.max(0, sites.length - MOST_PLACES),
    advice: recommendations.map(({ text }) => text),
  };
}

function placeAnswer(site: SiteDocument, now: LineNow): PlaceAnswer {
  const { file, line, events, bytes, timeNs, shareOfTime, cost, source } = site;
  const amounts = { calls: events, bytes, timeNs, shareOfTime, ...(cost && { cost }) };
  return { file, line: line > 0 ? now(file, line) : 0, function: site.function, ...amounts, source };
}
