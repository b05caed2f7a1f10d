import type { PatternPicture } from '../../analysis/layers/patterns/picture.ts';
import type { Audience, Severity } from '../../analysis/triggers/insight.ts';
import { formatShare } from '../../base/quantities.ts';
import { factList, folded } from '../markup/tables.ts';
import { branch, type Branch, type Markup } from '../markup/tree.ts';
import { drawPicture, pictureWords } from '../patterns/pattern-picture.ts';
import { formatCounter } from './job.ts';
import type { DrawnSnippet, Medium } from './medium.ts';

/** Heads the list of what costs much and is no finding. */
export const UNMARKED_TITLE = 'Costly, but no finding';

/** A finding as it is drawn; lists are cut by whoever makes them. */
export interface DrawnFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly message: string;
  readonly isSummary: boolean;
  /** What following the advice would save; '' where nothing is said. */
  readonly gain: string;
  /** What its calls cost, where that is known. */
  readonly shareOfRun?: number;
  readonly evidence: readonly (readonly [name: string, value: number])[];
  readonly sites: readonly DrawnSite[];
  readonly sitesLeftOut: number;
  readonly files: readonly { readonly path: string; readonly amount: string }[];
  readonly filesLeftOut: number;
  readonly advice: readonly DrawnAdvice[];
  readonly picture?: PatternPicture;
}

export interface DrawnSite {
  /** A place without a number cannot be opened. */
  readonly place: { readonly label: string; readonly place?: number };
  readonly function: string;
  /** `ranks 0-3, 7`; '' where the recording knows no ranks. */
  readonly ranks: string;
  readonly message: string;
  /** Text of the line; '' when it is not here. */
  readonly source: string;
  /** The line with those around it, where there is room for them. */
  readonly excerpt?: readonly { readonly line: number; readonly text: string }[];
  /** Line of the site, among those of the excerpt. */
  readonly line?: number;
  readonly callers?: readonly { readonly where: string; readonly function: string; readonly source: string }[];
  /** Why the line may not be the recorded one, or why it cannot be opened; '' when neither is so. */
  readonly note: string;
  /** The source file is on this machine. */
  readonly isHere: boolean;
}

interface DrawnAdvice {
  readonly audience: Audience;
  readonly text: string;
  readonly snippets: readonly DrawnSnippet[];
}

const SEVERITY_MARKS = { high: '▲', warn: '◆', info: '●', ok: '✓' } as const;

/** The mark is a sign too: colour alone says nothing. */
function severityBadge(severity: Severity): Branch {
  const mark = branch('span', { 'aria-hidden': 'true' }, SEVERITY_MARKS[severity]);
  return branch('span', { class: `severity ${severity}` }, mark, ` ${severity}`);
}

const SEVERITIES = ['high', 'warn', 'info', 'ok'] as const;

/** How many findings there are of each severity, worst first; summaries are none. */
export function severityCounts(
  findings: readonly Pick<DrawnFinding, 'severity' | 'isSummary'>[],
): (readonly [severity: string, count: number])[] {
  const own = findings.filter(({ isSummary }) => !isSummary);
  return SEVERITIES.map(
    (severity) => [severity, own.filter((finding) => finding.severity === severity).length] as const,
  ).filter(([, count]) => count > 0);
}

/** The worst findings in a line each. */
export function findingList<Part>(
  findings: readonly DrawnFinding[],
  most: number,
  medium: Medium<Part>,
): Markup<Part>[] {
  const own = findings.filter(({ isSummary }) => !isSummary);
  const counts = severityCounts(own).map(([severity, count]) => `${count} ${severity}`);
  const rows = own.slice(0, most).map((finding, at) => {
    const { severity, title, code, sites, sitesLeftOut } = finding;
    const where = sites.find(({ isHere }) => isHere) ?? sites[0];
    const others = sites.length + sitesLeftOut - 1;
    return branch(
      'li',
      {},
      severityBadge(severity),
      branch(
        'span',
        {},
        medium.pressed(title, { kind: 'finding', finding: at }),
        branch('span', { class: 'code' }, ` ${code} `),
        where === undefined ? null : sitePlace(where, medium),
        others > 0 ? branch('span', { class: 'soft' }, ` and ${others} more`) : null,
        ...shareText(finding),
      ),
    );
  });
  return [branch('p', { class: 'soft' }, counts.join(', ')), branch('ul', { class: 'findings' }, ...rows)];
}

function shareText({ shareOfRun, evidence }: DrawnFinding): Markup[] {
  const share = shareOfRun ?? evidence.find(([name]) => name === 'share')?.[1] ?? NaN;
  const title = shareOfRun === undefined ? 'share of the calls' : 'share of the run';
  return Number.isNaN(share) ? [] : [branch('span', { class: 'soft', title }, ` · ${formatShare(share)}`)];
}

export function findingCard<Part>(finding: DrawnFinding, number: number, medium: Medium<Part>): Branch<Part> {
  const { severity, title, code, message, gain, sites, files, sitesLeftOut, evidence, picture } = finding;
  const id = `finding-${number}`;
  const select = { kind: 'select', part: { kind: 'insight', code }, name: title } as const;
  const where = sites.length === 1 ? 'Where' : `Where (${sites.length + sitesLeftOut} lines)`;
  const numbers = evidence.map(([name, value]) => [name, formatCounter(value)] as const);
  return branch(
    'article',
    { class: `finding ${severity}`, 'aria-labelledby': id },
    sites.length + files.length === 0 ? null : medium.pressed('Select', select),
    branch('h2', { id }, severityBadge(severity), ' ', title, ' ', branch('span', { class: 'code' }, code)),
    branch('p', { class: 'message' }, message),
    gain === '' ? null : branch('p', { class: 'soft' }, gain),
    picture === undefined ? null : pictureFigure(picture),
    sites.length === 0 ? null : branch('h3', {}, where),
    sites.length === 0
      ? null
      : branch('ul', { class: 'sites' }, ...sites.map((site) => siteRow(site, medium)), leftOut(sitesLeftOut, 'line')),
    ...fileList(finding, medium),
    ...adviceParts(finding.advice, medium),
    numbers.length === 0 ? null : folded('Numbers', factList(numbers)),
  );
}

/** What kind of I/O the run does. */
export function summaryCard<Part>(summary: DrawnFinding, number: number, medium: Medium<Part>): Branch<Part> {
  const { severity, title, code, message, advice } = summary;
  const id = `summary-${number}`;
  return branch(
    'article',
    { class: 'summary', 'aria-labelledby': id },
    branch(
      'p',
      { id },
      severityBadge(severity),
      ' ',
      branch('strong', {}, title),
      ' ',
      branch('span', { class: 'code' }, code),
    ),
    branch('p', { class: 'message' }, message),
    ...adviceParts(advice, medium),
  );
}

/** The picture of a pattern with its description below. */
function pictureFigure(picture: PatternPicture): Branch {
  const caption = branch('figcaption', { class: 'soft' }, pictureWords(picture));
  return branch('figure', { class: 'picture' }, drawPicture(picture), caption);
}

function sitePlace<Part>({ place, isHere }: DrawnSite, medium: Medium<Part>): Markup<Part> | null {
  return medium.pressed(place.label, { kind: 'place', place: isHere ? place.place : undefined });
}

function siteRow<Part>(site: DrawnSite, medium: Medium<Part>): Branch<Part> {
  const { source, note, message, ranks, excerpt = [], callers = [] } = site;
  return branch(
    'li',
    { class: 'site' },
    sitePlace(site, medium),
    site.function === '' ? null : branch('span', { class: 'soft' }, ` in ${site.function}`),
    ranks === '' ? null : branch('span', { class: 'soft' }, `, ${ranks}`),
    excerpt.length > 0 || source === '' ? null : branch('code', { class: 'source' }, source),
    branch('p', { class: 'soft' }, message),
    excerpt.length === 0 ? null : excerptBlock(excerpt, site.line),
    note === '' ? null : branch('p', { class: 'note' }, note),
    ...(callers.length === 0 ? [] : callerList(callers)),
  );
}

/** The line with what stands around it. The mark is a sign too: colour alone says nothing. */
function excerptBlock(excerpt: NonNullable<DrawnSite['excerpt']>, marked: number | undefined): Branch {
  const rows = excerpt.map(({ line, text }) => {
    const content = `${line === marked ? '▶' : ' '}${String(line).padStart(5)}  ${text}`;
    return branch(line === marked ? 'mark' : 'span', {}, content);
  });
  return branch('pre', { class: 'source' }, ...rows);
}

function callerList(callers: NonNullable<DrawnSite['callers']>): Branch[] {
  const items = callers.map(({ where, function: name, source }) => {
    const text = source === '' ? [] : [branch('br'), branch('code', { class: 'soft' }, source)];
    return branch('li', {}, branch('code', {}, where), ' in ', branch('code', {}, name || '?'), ...text);
  });
  return [branch('p', { class: 'soft' }, 'called from'), branch('ol', { class: 'callers' }, ...items)];
}

/** Files that stand at once; the others behind a click. */
const FIRST_FILES = 4;

function fileList<Part>({ files, filesLeftOut }: DrawnFinding, medium: Medium<Part>): Branch<Part>[] {
  if (files.length === 0) return [];
  const rows = files.map(({ path, amount }) =>
    branch(
      'li',
      {},
      medium.pressed(path, { kind: 'file', path }),
      amount === '' ? null : branch('span', { class: 'soft' }, ` ${amount}`),
    ),
  );
  const all = files.length + filesLeftOut;
  const shown: Branch<Part>[] = [
    branch('h3', {}, all === 1 ? 'File' : `Files (${all})`),
    branch('ul', {}, ...rows.slice(0, FIRST_FILES)),
  ];
  if (rows.length <= FIRST_FILES) return shown;
  const rest = branch('ul', {}, ...rows.slice(FIRST_FILES), leftOut(filesLeftOut, 'file'));
  return [...shown, folded(`${all - FIRST_FILES} more files`, rest)];
}

function leftOut(count: number, thing: string): Branch | null {
  if (count === 0) return null;
  return branch('li', { class: 'soft' }, `and ${count} more ${count === 1 ? thing : `${thing}s`}`);
}

const AUDIENCES = { code: 'Change the code', job: 'Change the job' } as const;

/** What to write differently, apart from how to start the job differently: these are often two people. */
function adviceParts<Part>(advice: readonly DrawnAdvice[], medium: Medium<Part>): Branch<Part>[] {
  return (['code', 'job'] as const).flatMap((audience) => {
    const given = advice.filter((each) => each.audience === audience);
    if (given.length === 0) return [];
    const parts = given.flatMap(({ text, snippets }): Markup<Part>[] => [
      branch('p', {}, text),
      ...(snippets.length === 0 ? [] : [medium.snippets(snippets)]),
    ]);
    return [branch('section', { class: `advice for-${audience}` }, branch('h3', {}, AUDIENCES[audience]), ...parts)];
  });
}
