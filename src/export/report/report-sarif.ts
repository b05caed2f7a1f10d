import { snippetsOf } from '../analysis/advice.ts';
import type {
  CodeFlow,
  Invocation,
  Location,
  Log,
  Notification,
  ReportingDescriptor,
  Result,
  ThreadFlowLocation,
} from 'sarif';
import type { Severity } from '../../analysis/triggers/insight.ts';
import type { AnalysisDocument, InsightDocument, SiteDocument } from '../analysis/documents.ts';
import type { BudgetDocument } from '../comparison/budget-document.ts';
import { limitWords } from '../comparison/budget-text.ts';
import { followingWords, markedOnce } from '../analysis/findings.ts';
import { runText } from '../analysis/run-text.ts';
import type { FixDocument } from '../fixes/fixes-document.ts';
import { codeBlock, escapeMarkdown } from './markdown.ts';
import type { SourceExcerpts } from './report-material.ts';
import { reportNotes } from './report-notes.ts';
import {
  artifactLocation,
  fileUri,
  frameLocation,
  functionLocation,
  physicalLocation,
  SOURCE_ROOT,
  type LocationContext,
} from './sarif-location.ts';
import { SarifFixes } from './sarif-fixes.ts';

/** What SARIF wants to know beside the findings. */
export interface SarifContext {
  /** Version of this program. */
  readonly version: string;
  /** Absolute path of the folder that locations are relative to. */
  readonly root: string;
  readonly excerpts: SourceExcerpts;
  /** What can be changed about the findings. */
  readonly fixes?: readonly FixDocument[];
}

const LEVELS = { high: 'error', warn: 'warning', info: 'note', ok: 'none' } as const satisfies Record<Severity, string>;

/** Files of a finding that are named in its properties. */
const MOST_FILES = 20;

/**
 * The findings as a SARIF 2.1.0 log (OASIS, Static Analysis Results Interchange Format): one result for each call site,
 * with the chain of its callers as a code flow.
 */
export function sarifLog(document: AnalysisDocument, context: SarifContext): Log {
  const root = context.root.replace(/\/+$/, '');
  const places: LocationContext = { root, excerpts: context.excerpts };
  const insights = markedOnce(document.insights);
  const fixes = new SarifFixes(context.fixes ?? [], insights);
  const rules = rulesOf(insights);
  const index = new Map(rules.map(({ id }, i) => [id, i]));
  const results = insights.flatMap((insight) =>
    resultsOf(insight, places, fixes).map((result) => ({ ...result, ruleIndex: index.get(insight.code)! })),
  );
  const limits = document.budget === undefined ? [] : budgetResults(document.budget, places, rules.length);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'I/O Lens',
            version: context.version,
            semanticVersion: context.version,
            language: 'en-US',
            rules: document.budget === undefined ? rules : [...rules, BUDGET_RULE],
            notifications: NOTIFICATIONS,
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [SOURCE_ROOT]: { uri: `${fileUri(root)}/` } },
        invocations: [invocation(document)],
        results: withDistinctFingerprints([...results, ...limits]),
        properties: { recordings: document.recordings.map(({ recording }) => recording), timing: document.timing },
      },
    ],
  };
}

const NOTIFICATIONS: ReportingDescriptor[] = [
  { id: 'damage', shortDescription: { text: 'A part of a recording could not be read.' } },
  { id: 'note', shortDescription: { text: 'What the reader of the findings has to know.' } },
];

const BUDGET_RULE: ReportingDescriptor = {
  id: 'budget',
  name: 'Budget',
  shortDescription: { text: 'A limit of the budget.' },
  defaultConfiguration: { level: 'error' },
};

/** Each limit: a failure where it is exceeded, a pass where it holds, open where nothing could be measured. */
function budgetResults(budget: BudgetDocument, places: LocationContext, ruleIndex: number): Result[] {
  return budget.results.map((result): Result => {
    const { recording, name, status, checks, places: lines } = result;
    const level =
      status === 'exceeded'
        ? ({ level: 'error' } as const)
        : ({ kind: status === 'holds' ? 'pass' : 'open', level: 'none' } as const);
    const locations = lines
      .slice(0, 1)
      .map((line): Location => ({ physicalLocation: physicalLocation({ ...line, column: 0 }, places) }));
    return {
      ruleId: BUDGET_RULE.id,
      ruleIndex,
      ...level,
      message: { text: plain(limitWords(result)) },
      ...(locations.length > 0 && { locations }),
      partialFingerprints: { [FINGERPRINT]: `${BUDGET_RULE.id}:${recording}:${name}` },
      properties: { recording, status, checks, budget: budget.file },
    };
  });
}

function invocation(document: AnalysisDocument): Invocation {
  const left = followingWords(document.insights);
  // What stands in the first lines of other reports: the run, and what of it is I/O.
  const runs = document.timing.map(({ run }) => runText(run)).filter((text) => text !== undefined);
  const said = [...runs, ...(left === '' ? [] : [`… ${left}.`])];
  const notes = [...said.map((text) => ({ kind: 'note' as const, text })), ...reportNotes(document)];
  const notifications = notes.map(({ kind, text }): Notification => ({
    descriptor: { id: kind, index: NOTIFICATIONS.findIndex(({ id }) => id === kind) },
    level: kind === 'damage' ? 'warning' : 'note',
    message: { text: plain(text) },
  }));
  return { executionSuccessful: true, toolExecutionNotifications: notifications };
}

/** A rule for each code that occurs; what it advises is gathered over all its findings. */
function rulesOf(insights: readonly InsightDocument[]): ReportingDescriptor[] {
  const codes = [...new Set(insights.map(({ code }) => code))];
  return codes.map((id) => {
    const of = insights.filter(({ code }) => code === id);
    const first = of[0]!;
    const advice = [
      ...new Map(of.flatMap(({ recommendations }) => recommendations).map((each) => [each.text, each])).values(),
    ];
    const texts = advice.map(({ text }) => text);
    const snippets = advice.flatMap(snippetsOf);
    const markdown = [
      ...texts.map((text) => `- ${escapeMarkdown(text)}`),
      ...snippets.map(({ title, language, code }) => `\n${escapeMarkdown(title)}:\n\n${codeBlock(code, language)}`),
    ];
    return {
      id,
      name: pascalCase(first.trigger),
      shortDescription: { text: plain(first.title) },
      fullDescription: { text: plain([`${first.title} (trigger ${first.trigger}).`, ...texts].join(' ')) },
      help: {
        text: plain(texts.join('\n') || first.title),
        markdown: markdown.join('\n') || escapeMarkdown(first.title),
      },
      defaultConfiguration: { level: LEVELS[first.severity] },
      properties: { tags: ['performance', 'I/O'], precision: 'high' },
    };
  });
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function resultsOf(insight: InsightDocument, places: LocationContext, fixes: SarifFixes): Result[] {
  if (insight.sites.length > 0)
    return insight.sites.map((site) => {
      const changes = fixes.at(insight, site, places);
      return { ...siteResult(insight, site, places), ...(changes.length > 0 && { fixes: changes }) };
    });
  return [
    {
      ruleId: insight.code,
      ...levelOf(insight.severity),
      message: { text: plain(insight.message) },
      partialFingerprints: { [FINGERPRINT]: `${insight.code}::` },
      properties: { ...insight.evidence, gain: insight.gain, files: insight.files.slice(0, MOST_FILES) },
    },
  ];
}

/** What is no failure has the level `none` (section 3.27.10). */
function levelOf(severity: Severity): Pick<Result, 'level' | 'kind'> {
  return severity === 'ok' ? { kind: 'pass', level: 'none' } : { level: LEVELS[severity] };
}

function siteResult(insight: InsightDocument, site: SiteDocument, places: LocationContext): Result {
  const flow = callerFlow(site, places);
  const closed = site.closedAt.map(({ file, line }, i): Location => ({
    id: i + 1,
    physicalLocation: physicalLocation({ file, line, column: 0 }, places),
    message: { text: 'The file is closed here.' },
  }));
  const { events, bytes, timeNs, share, shareOfTime, medianBytes, streams, threaded } = site;
  return {
    ruleId: insight.code,
    ...levelOf(site.severity),
    message: { text: plain(site.message) },
    locations: [siteLocation(site, places)],
    ...(flow !== undefined && { codeFlows: [flow] }),
    ...(closed.length > 0 && { relatedLocations: closed }),
    partialFingerprints: { [FINGERPRINT]: fingerprint(insight, site, places) },
    properties: {
      events,
      bytes,
      timeNs,
      share,
      shareOfTime,
      medianBytes,
      streams,
      threaded,
      gain: insight.gain,
      files: insight.files.slice(0, MOST_FILES),
    },
  };
}

function siteLocation(site: SiteDocument, places: LocationContext): Location {
  const module = site.stack[site.depth]?.module ?? '';
  return {
    ...(site.line > 0 && { physicalLocation: physicalLocation(site, places) }),
    ...(site.function !== '' && { logicalLocations: [functionLocation(site.function, module)] }),
  };
}

/** From the outermost caller to the site, as far as there are source lines; undefined when there is but the site. */
function callerFlow(site: SiteDocument, places: LocationContext): CodeFlow | undefined {
  const frames = site.stack
    .slice(site.depth)
    .filter(({ line }) => line > 0)
    .reverse();
  if (frames.length < 2) return undefined;
  const locations = frames.map((frame, i): ThreadFlowLocation => {
    const next = frames[i + 1];
    const inner = next === undefined ? plain(site.message) : `calls ${plain(next.function || 'the next function')}`;
    const isSite = next === undefined;
    return {
      location: frameLocation(frame, isSite ? site.column : 0, inner, places),
      nestingLevel: i,
      importance: isSite ? 'essential' : 'important',
    };
  });
  return { message: { text: 'The commonest chain of callers.' }, threadFlows: [{ locations }] };
}

const FINGERPRINT = 'iolensSite/v1';

/** Says the same of the same code after lines above it came or went: the line's text counts, not its number. */
function fingerprint({ code }: InsightDocument, site: SiteDocument, places: LocationContext): string {
  const file = site.file === '' ? '' : artifactLocation(site.file, places).uri!;
  return `${code}:${file}:${site.function}:${site.source || `line ${site.line}`}`;
}

/** Two results with the same fingerprint would be taken for one: they are numbered. */
function withDistinctFingerprints(results: readonly Result[]): Result[] {
  const seen = new Map<string, number>();
  return results.map((result) => {
    const key = result.partialFingerprints![FINGERPRINT]!;
    const number = (seen.get(key) ?? 0) + 1;
    seen.set(key, number);
    return { ...result, partialFingerprints: { [FINGERPRINT]: `${key}:${number}` } };
  });
}

/** In messages `[text](target)` is a link (section 3.11.6): names of a recording must not make one. */
function plain(text: string): string {
  return text.includes('](') ? text.replace(/[\\[\]]/g, '\\$&') : text;
}
