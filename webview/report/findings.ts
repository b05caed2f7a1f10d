import type {
  SnippetTarget,
  ViewAdvice,
  ViewFinding,
  ViewPatch,
  ViewPlace,
  ViewReport,
  ViewSite,
  ViewSnippet,
} from '../../src/features/report/protocol.ts';
import { button, codeBlock, facts, make, visibleText } from '../kit/dom.ts';
import { pictureFigure } from '../kit/picture.ts';
import { selectButton } from './selection-marks.ts';
import { formatCounter } from './view-model.ts';

export interface FindingEvents {
  openPlace(place: number): void;
  snippet(number: number, into: SnippetTarget): void;
  /** Shows a file in the table of files. */
  showFile(path: string): void;
}

const SEVERITY_MARKS = { high: '▲', warn: '◆', info: '●', ok: '✓' } as const;

export function severityBadge(severity: ViewFinding['severity']): HTMLElement {
  const mark = make('span', { 'aria-hidden': 'true' }, SEVERITY_MARKS[severity]);
  return make('span', { class: `severity ${severity}` }, mark, ` ${severity}`);
}

/** All findings, worst first, then in short what kind of I/O the run does. */
export function fillFindings(
  panel: HTMLElement,
  { findings, patches, nothingFound }: Pick<ViewReport, 'findings' | 'patches' | 'nothingFound'>,
  events: FindingEvents,
): void {
  const own = findings.filter(({ isSummary }) => !isSummary);
  const summaries = findings.filter(({ isSummary }) => isSummary);
  if (own.length === 0) panel.append(make('p', { class: 'nothing' }, nothingFound));
  panel.append(...own.map((finding, number) => findingCard(finding, number, events)));
  if (patches.length > 0) panel.append(patchSection(patches, events));
  if (summaries.length > 0) {
    panel.append(make('h2', {}, 'In short'), ...summaries.map((summary, at) => summaryCard(summary, at, events)));
  }
}

function findingCard(finding: ViewFinding, number: number, events: FindingEvents): HTMLElement {
  const id = `finding-${number}`;
  const { severity, title, code, message, gain, sites, sitesLeftOut } = finding;
  const card = make(
    'article',
    { class: `finding ${severity}`, 'aria-labelledby': id },
    finding.sites.length + finding.files.length === 0
      ? null
      : selectButton('Select', { kind: 'insight', code }, `Select the calls of ${title}`),
    make('h2', { id }, severityBadge(severity), ' ', title, ' ', make('span', { class: 'code' }, code)),
    make('p', { class: 'message' }, message),
    gain === '' ? null : make('p', { class: 'soft' }, gain),
    finding.picture === undefined ? null : pictureFigure(finding.picture),
  );
  if (sites.length > 0) {
    card.append(
      make('h3', {}, sites.length === 1 ? 'Where' : `Where (${sites.length + sitesLeftOut} lines)`),
      make('ul', { class: 'sites' }, ...sites.map((site) => siteRow(site, events)), leftOut(sitesLeftOut, 'line')),
    );
  }
  fillFiles(card, finding, events);
  fillAdvice(card, finding.advice, events);
  if (finding.evidence.length > 0) {
    const rows = finding.evidence.map(([name, value]) => [name, formatCounter(value)] as const);
    card.append(make('details', {}, make('summary', {}, 'Numbers'), facts(rows)));
  }
  return card;
}

function summaryCard(summary: ViewFinding, number: number, events: FindingEvents): HTMLElement {
  const { severity, title, code, message, advice } = summary;
  const id = `summary-${number}`;
  const card = make(
    'article',
    { class: 'summary', 'aria-labelledby': id },
    make('p', { id }, severityBadge(severity), ' ', make('b', {}, title), ' ', make('span', { class: 'code' }, code)),
    make('p', { class: 'message' }, message),
  );
  fillAdvice(card, advice, events);
  return card;
}

/** A link to a source line. */
export function placeLink({ label, place }: ViewPlace, open: (place: number) => void): HTMLButtonElement {
  return button(label, { class: 'link place', 'aria-label': `Open ${label}` }, () => open(place));
}

function siteRow(site: ViewSite, events: FindingEvents): HTMLElement {
  const { place, isHere, source, note, message } = site;
  const where = isHere
    ? placeLink(place, (number) => events.openPlace(number))
    : make('span', { class: 'place' }, place.label);
  return make(
    'li',
    {},
    where,
    site.function === '' ? null : make('span', { class: 'soft' }, ` in ${site.function}`),
    site.ranks === '' ? null : make('span', { class: 'soft' }, `, ${site.ranks}`),
    source === '' ? null : make('code', { class: 'source' }, source),
    make('p', { class: 'soft' }, message),
    note === '' ? null : make('p', { class: 'note' }, note),
  );
}

/** Files that stand at once; the others behind a click. */
const FIRST_FILES = 4;

function fillFiles(card: HTMLElement, { files, filesLeftOut }: ViewFinding, events: FindingEvents): void {
  if (files.length === 0) return;
  const rows = files.map(({ path, amount }) => {
    const link = button(path, { class: 'link path', 'aria-label': `Show ${path} in the table of files` }, () =>
      events.showFile(path),
    );
    return make('li', {}, link, amount === '' ? null : make('span', { class: 'soft' }, ` ${amount}`));
  });
  const all = files.length + filesLeftOut;
  card.append(make('h3', {}, all === 1 ? 'File' : `Files (${all})`), make('ul', {}, ...rows.slice(0, FIRST_FILES)));
  if (rows.length <= FIRST_FILES) return;
  const rest = make('ul', {}, ...rows.slice(FIRST_FILES), leftOut(filesLeftOut, 'file'));
  card.append(make('details', {}, make('summary', {}, `${all - FIRST_FILES} more files`), rest));
}

function leftOut(count: number, thing: string): HTMLElement | null {
  return count === 0 ? null : make('li', { class: 'soft' }, `and ${count} more ${count === 1 ? thing : `${thing}s`}`);
}

const AUDIENCES = { code: 'Change the code', job: 'Change the job' } as const;

/** What to write differently, apart from how to start the job differently: these are often two people. */
function fillAdvice(card: HTMLElement, advice: readonly ViewAdvice[], events: FindingEvents): void {
  for (const audience of ['code', 'job'] as const) {
    const given = advice.filter((each) => each.audience === audience);
    if (given.length === 0) continue;
    card.append(
      make(
        'section',
        { class: `advice for-${audience}` },
        make('h3', {}, AUDIENCES[audience]),
        ...given.flatMap(({ text, snippets }) => [
          make('p', {}, text),
          ...(snippets.length === 0 ? [] : [snippetBlock(snippets, events)]),
        ]),
      ),
    );
  }
}

/** Code with what can be done with it; where it is there in several languages, one of them. */
function snippetBlock(snippets: readonly ViewSnippet[], events: FindingEvents): HTMLElement {
  let shown = snippets[0]!;
  const action = (text: string, into: SnippetTarget): HTMLButtonElement =>
    button(text, { 'aria-label': `${text}: ${shown.title}` }, () => events.snippet(shown.number, into));
  const title = make('span', {}, shown.title);
  const code = make('div', {}, codeBlock(shown.code, shown.title));
  const show = (snippet: ViewSnippet): void => {
    shown = snippet;
    title.textContent = visibleText(snippet.title);
    code.replaceChildren(codeBlock(snippet.code, snippet.title));
  };
  return make(
    'div',
    { class: 'snippet' },
    make(
      'div',
      { class: 'bar' },
      title,
      languagePicker(snippets, show),
      make(
        'span',
        { class: 'actions' },
        action('Copy', 'clipboard'),
        action('Insert at Cursor', 'editor'),
        action('New File', 'newFile'),
      ),
    ),
    code,
  );
}

function languagePicker(snippets: readonly ViewSnippet[], show: (snippet: ViewSnippet) => void): HTMLElement {
  if (snippets.length === 1) return make('span', { class: 'soft' }, snippets[0]!.language);
  const picker = make('select', { 'aria-label': 'Language' });
  picker.append(...snippets.map(({ language }, at) => make('option', { value: String(at) }, language)));
  picker.addEventListener('change', () => show(snippets[Number(picker.value)]!));
  return picker;
}

/** Everything for whoever starts the job, in one place. */
function patchSection(patches: readonly ViewPatch[], events: FindingEvents): HTMLElement {
  return make(
    'section',
    { 'aria-labelledby': 'patches' },
    make('h2', { id: 'patches' }, 'For the job script'),
    ...patches.flatMap(({ codes, snippet }) => [
      make('p', { class: 'soft' }, `For ${codes.join(', ')}`),
      snippetBlock([snippet], events),
    ]),
  );
}
