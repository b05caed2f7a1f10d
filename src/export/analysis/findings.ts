import { counted, formatCount, formatShare } from '../../base/quantities.ts';
import type { Examined } from '../../analysis/triggers/examined.ts';
import { namedEnds } from './early-ends.ts';
import type { AnalysisDocument, InsightDocument, SiteDocument } from './documents.ts';
import { unseenSentence } from './run-figures.ts';

/** What of the insights is for the eye: each line once, findings apart from summaries. */

/** A summary says what kind of I/O the run does, and names neither lines nor files: it is no finding. */
export function isSummary({ sites, files }: Pick<InsightDocument, 'sites' | 'files'>): boolean {
  return sites.length === 0 && files.length === 0;
}

/** The places of a finding whose cause no other finding names. */
export function ownSites({ sites }: Pick<InsightDocument, 'sites'>): SiteDocument[] {
  return sites.filter(({ explainedBy }) => explainedBy === undefined);
}

const WEIGHT = { high: 3, warn: 2, info: 1, ok: 0 } as const;

/**
 * Insights without summaries, and without those of which another finding, as grave, names the cause at every place. What is
 * graver than its cause is told: counters may weigh a run otherwise than one line does.
 */
export function findingsOf(insights: readonly InsightDocument[]): InsightDocument[] {
  const weights = new Map(insights.map(({ code, severity }) => [code, WEIGHT[severity]]));
  const isGraver = ({ severity, sites }: InsightDocument): boolean =>
    sites.every(({ explainedBy }) => WEIGHT[severity] > (weights.get(explainedBy ?? '') ?? 0));
  return insights.filter(
    (insight) =>
      !isSummary(insight) && (insight.sites.length === 0 || ownSites(insight).length > 0 || isGraver(insight)),
  );
}

/**
 * `1 critical issue, 2 warnings, 5 for information; 18 recommendations`, as Drishti's report begins; '' where nothing is
 * found. Advice that several findings give counts once, as it is one thing to do.
 */
export function headCount(insights: readonly InsightDocument[]): string {
  const findings = findingsOf(insights);
  if (findings.length === 0) return '';
  const of = (severity: InsightDocument['severity']): number =>
    findings.filter((insight) => insight.severity === severity).length;
  const advice = new Set(findings.flatMap(({ recommendations }) => recommendations.map(({ text }) => text)));
  const issues = [
    counted(of('high'), 'critical issue'),
    counted(of('warn'), 'warning'),
    ...(of('info') > 0 ? [`${formatCount(of('info'))} for information`] : []),
    ...(of('ok') > 0 ? [`${formatCount(of('ok'))} in good order`] : []),
  ];
  return `${issues.join(', ')}; ${counted(advice.size, 'recommendation')}`;
}

/** The findings that are left out above: what they say follows from others. */
function following(insights: readonly InsightDocument[]): InsightDocument[] {
  const shown = new Set(findingsOf(insights));
  return insights.filter((insight) => !isSummary(insight) && !shown.has(insight));
}

/** `and 4 that follow from these: L02, S01`; '' where none is left out. */
export function followingWords(insights: readonly InsightDocument[]): string {
  const left = following(insights);
  if (left.length === 0) return '';
  const codes = [...new Set(left.map(({ code }) => code))].join(', ');
  return `and ${formatCount(left.length)} that ${left.length === 1 ? 'follows' : 'follow'} from these: ${codes}`;
}

/** The same insights with those told that follow from others, behind these, and with their causes named. */
export function withFollowing(insights: readonly InsightDocument[]): InsightDocument[] {
  const left = following(insights);
  const told = left.map((insight): InsightDocument => {
    const causes = [...new Set(insight.sites.flatMap(({ explainedBy }) => explainedBy ?? []))];
    return {
      ...insight,
      message: `${insight.message} This follows from ${causes.join(', ')}.`,
      sites: insight.sites.map((site) => ({ ...site, explainedBy: undefined })),
    };
  });
  return [...insights.filter((insight) => !left.includes(insight)), ...told];
}

/** What a reader is shown: findings alone, and each place under the finding that names its cause. */
export function markedOnce(insights: readonly InsightDocument[]): InsightDocument[] {
  return findingsOf(insights).map((insight) => ({ ...insight, sites: ownSites(insight) }));
}

/** The same, followed by the summaries. */
export function shownInsights(insights: readonly InsightDocument[]): InsightDocument[] {
  return [...markedOnce(insights), ...insights.filter(isSummary)];
}

/**
 * What stands in the place of findings where there are none: what was looked at. That nothing passed a threshold does not say
 * that the recording's I/O costs no time that it need not.
 */
export function nothingFound({
  recordings,
  examined,
  insights,
  unmarked,
}: Pick<AnalysisDocument, 'recordings' | 'examined' | 'insights' | 'unmarked'>): string {
  const matter = matterOf(examined);
  const isWhole = recordings.every(({ damage }) => damage.length === 0);
  if (matter === '') return `${nothingJudged(recordings, isWhole)}${interpretedWords(examined)}`;
  // Summaries are no findings, and what they say did pass a threshold.
  const said = new Set(insights.map(({ code }) => code));
  const silent = new Set(examined.flatMap(({ triggers }) => triggers.filter((code) => !said.has(code))));
  const looked = `${counted(silent.size, 'trigger')} looked at ${matter}; ${silent.size === 1 ? 'it did not pass' : 'none passed'} its threshold`;
  const verdict = isWhole
    ? `No finding: ${looked}.`
    : `No finding in what could be read: ${looked}. The notes say what was lost.`;
  return `${verdict}${unjudgedWords(unmarked)}${unseenWords(examined)}${interpretedWords(examined)}${endedEarly(recordings)}`;
}

/** Dear calls that no rule is about: where there are such, that nothing was found says little. */
function unjudgedWords(unmarked: AnalysisDocument['unmarked']): string {
  const share = unmarked.reduce((sum, { kind, cost }) => sum + (kind === 'unjudged' ? cost.shareOfIo : 0), 0);
  return share > 0 ? ` No trigger covers ${formatShare(Math.min(1, share))} of the I/O.` : '';
}

/** What moves bytes unseen was not looked at. */
function unseenWords(examined: readonly Examined[]): string {
  const ways = [...new Set(examined.flatMap(({ unseen }) => unseen))];
  const text = unseenSentence(ways);
  return text === '' ? '' : ` ${text}: nothing is said about it.`;
}

/** What an interpreter's program does looks like the interpreter's own doing: lines, loops and causes are not known. */
function interpretedWords(examined: readonly Examined[]): string {
  return examined.some(({ interpreter }) => interpreter === 'Python')
    ? " strace does not see the lines of a Python program: those that it shows are the interpreter's. `iolens record` uses the recorder library, which knows them."
    : '';
}

function endedEarly(recordings: AnalysisDocument['recordings']): string {
  const ends = recordings.flatMap(({ earlyEnds = [] }) => earlyEnds);
  return ends.length === 0 ? '' : ` This is not all of the run: ${namedEnds(ends)}.`;
}

function nothingJudged(recordings: AnalysisDocument['recordings'], isWhole: boolean): string {
  const calls = recordings.reduce((sum, { events }) => sum + events, 0);
  if (calls > 0) {
    return recordings.every(({ files }) => files === 0)
      ? 'Nothing could be judged: no call names a file.'
      : `Nothing could be judged: of ${counted(calls, 'recorded call')} none is on a file that counts.`;
  }
  return isWhole
    ? 'Nothing could be judged: neither calls nor counters of files were recorded.'
    : 'Nothing could be judged: neither calls nor counters of files could be read.';
}

/** Calls, files, lines and counters that triggers had before them, in words; '' where there was nothing. */
function matterOf(examined: AnalysisDocument['examined']): string {
  const sum = (of: (each: Examined) => number): number => examined.reduce((all, each) => all + of(each), 0);
  const parts: string[] = [];
  const calls = sum((each) => each.calls);
  if (calls > 0) {
    const lines = sum((each) => each.lines);
    const from = lines === 0 ? '' : ` from ${counted(lines, 'source line')}`;
    parts.push(
      `${counted(calls, 'call')} on ${counted(
        sum(({ files }) => files),
        'file',
      )}${from}`,
    );
  }
  const transfers = sum((each) => each.pipeTransfers);
  if (transfers > 0) parts.push(`${counted(transfers, 'call')} on pipes and sockets`);
  const modules = [...new Set(examined.flatMap(({ records }) => Object.keys(records)))];
  const ofModule = (module: string): number => sum(({ records }) => records[module] ?? 0);
  if (modules.length > 0) {
    const records = modules.reduce((all, module) => all + ofModule(module), 0);
    const each = modules.map((module) => `${module} ${formatCount(ofModule(module))}`).join(', ');
    parts.push(`${counted(records, 'record')} of counters (${each})`);
  }
  return parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}
