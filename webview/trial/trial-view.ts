import { formatDuration } from '../../src/base/quantities.ts';
import type { TrialLine, TrialSubject } from '../../src/features/fixes/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { codeBlock, facts, make, table, visibleText } from '../kit/dom.ts';
import type { PageEnd } from '../kit/page-end.ts';

/** What a trial found: the verdict first, then what it rests on, then the change; and what to do with it. */
export class TrialView {
  constructor(
    private readonly room: HTMLElement,
    private readonly page: PageEnd<TrialLine>,
  ) {}

  show(subject: TrialSubject): void {
    const { title, verdict, proven, commands, buildErrors, words, differences, notes } = subject;
    const actions = make(
      'div',
      { class: 'toolbar actions' },
      actionButton(words.keep, proven ? { class: 'primary' } : {}, () => this.page.say('keep')),
      actionButton(words.discard, {}, () => this.page.say('discard')),
      actionButton(words.copy, {}, () => this.page.say('copy')),
    );
    this.room.replaceChildren(
      make('header', {}, make('h1', {}, title), verdictOf(verdict, proven), actions),
      facts([...subject.facts, ...commands].map(([name, text]) => [name, text])),
      ...(buildErrors === '' ? [] : [codeBlock(buildErrors, 'build')]),
      ...section(words.differences, differences.length === 0 ? undefined : listOf(differences)),
      ...section(words.runs, runsOf(subject)),
      ...section(words.faults, faultsOf(subject)),
      ...section(words.change, diffOf(subject)),
      ...section(words.notes, notes.length === 0 ? undefined : listOf(notes)),
    );
    this.page.say('drawn', { runs: subject.runs.after.length });
  }
}

function verdictOf(verdict: string, proven: boolean): HTMLElement {
  return make('p', { class: `verdict ${proven ? 'proven' : 'unproven'}`, role: 'status' }, make('strong', {}, verdict));
}

function section(title: string, content: HTMLElement | undefined): HTMLElement[] {
  return content === undefined ? [] : [make('h2', {}, title), content];
}

function listOf(items: readonly string[]): HTMLElement {
  return make('ul', {}, ...items.map((item) => make('li', {}, item)));
}

/** A pair of bars for each pair of runs; the longest run fills the width. */
function runsOf({ runs, words }: TrialSubject): HTMLElement | undefined {
  const longest = Math.max(...runs.before, ...runs.after);
  if (runs.after.length === 0) return undefined;
  const bar = (kind: 'before' | 'after', time: number): HTMLElement => {
    const filled = make('span', { class: `bar ${kind}` });
    filled.style.width = `${(100 * time) / longest}%`;
    return make(
      'div',
      { class: 'run' },
      make('span', { class: 'track' }, filled),
      make('span', { class: 'number' }, formatDuration(time)),
    );
  };
  const rows = runs.after.map((after, i) => [String(i + 1), bar('before', runs.before[i]!), bar('after', after)]);
  const made = table([{ title: '#' }, { title: words.before }, { title: words.after }], rows);
  return make('div', { class: 'wide full runs' }, made);
}

function faultsOf({ faults, words }: TrialSubject): HTMLElement | undefined {
  if (faults.length === 0) return undefined;
  const rows = faults.map(({ fault, before, after, worse, judged }) => [
    fault,
    before,
    after,
    make('span', { class: worse ? 'problem' : '' }, judged),
  ]);
  const columns = [{ title: words.fault }, { title: words.before }, { title: words.after }, { title: words.judged }];
  return make(
    'div',
    { class: 'wide full', tabindex: '0', role: 'region', 'aria-label': words.faults },
    table(columns, rows),
  );
}

/** Lines that come and go have a colour of their own, besides their signs. */
function diffOf({ diff, words }: TrialSubject): HTMLElement | undefined {
  if (diff === '') return undefined;
  const block = make('pre', { class: 'diff', tabindex: '0', 'aria-label': words.change });
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const row = make('div', { class: kindOf(line) });
    // Tabs stay, everything else that is not seen is shown.
    row.textContent = line.split('\t').map(visibleText).join('\t') || ' ';
    block.append(row);
  }
  return block;
}

function kindOf(line: string): string {
  if (/^(---|\+\+\+) /.test(line)) return 'soft';
  if (line.startsWith('+')) return 'inserted';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'soft' : '';
}
