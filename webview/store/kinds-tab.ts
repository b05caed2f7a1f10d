import { MOST_KINDS, type HistoryView, type JobFilter, type KindView } from '../../src/features/store/protocol.ts';
import { counted, formatCount } from '../../src/base/quantities.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { button, facts, make, table, type Cell } from '../kit/dom.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import { runChart, RunCharts } from './run-charts.ts';

/** Kinds of jobs over time: which of them became slower or faster since when, and the runs of one as charts. */
export class KindsTab {
  private readonly said = make('p', { role: 'status', class: 'soft' });
  private readonly list = make('div', {
    class: 'wide kinds',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Kinds of jobs',
  });
  private readonly kind = make('section', { class: 'kind' });
  private readonly charts: RunCharts;
  private generation = 0;

  constructor(
    panel: HTMLElement,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
    private filter: JobFilter,
  ) {
    this.charts = new RunCharts((log) => ways.showJob(log));
    panel.append(this.said, this.list, this.kind);
    void this.find();
  }

  filterBy(filter: JobFilter): void {
    this.filter = filter;
    void this.find();
  }

  redraw(): void {
    this.charts.redraw();
  }

  private async find(): Promise<void> {
    const generation = ++this.generation;
    this.say('Comparing jobs with others of their kind …');
    try {
      const found = await this.host.page.ask('kinds', { filter: this.filter, mostKinds: MOST_KINDS });
      if (generation === this.generation) this.show(found);
    } catch (error) {
      if (generation !== this.generation) return;
      this.clear();
      this.say(messageOf(error), 'problem');
    }
  }

  private clear(): void {
    this.charts.clear();
    this.list.replaceChildren();
    this.kind.replaceChildren();
  }

  private show({ lookedAt, untold, kinds }: HistoryView): void {
    this.clear();
    const hasChanges = kinds.some(({ measures }) => measures.some(({ changes }) => changes.length > 0));
    const nothing = kinds.length > 0 && !hasChanges ? ' None has changed by more than chance and by a quarter.' : '';
    const rest =
      untold > 0 ? ` ${counted(untold, 'kind')} without a change ${untold === 1 ? 'is' : 'are'} not listed.` : '';
    this.say(`${lookedAt}${nothing}${rest}`);
    this.list.hidden = kinds.length === 0;
    if (kinds.length > 0) {
      this.list.replaceChildren(this.table(kinds));
      this.choose(kinds[0]!);
    }
    this.host.page.say('drawn', { tab: 'kinds', rows: kinds.length });
  }

  private table(kinds: readonly KindView[]): HTMLTableElement {
    const rows = kinds.map((kind): Cell[] => [
      button(kind.title, { class: 'link' }, () => {
        this.choose(kind);
        this.kind.scrollIntoView({ block: 'nearest' });
      }),
      formatCount(kind.allRuns),
      sentences(kind) ?? '–',
    ]);
    return table([{ title: 'Kind' }, { title: 'Runs', isNumber: true }, { title: 'Changes' }], rows);
  }

  private choose(kind: KindView): void {
    this.charts.clear();
    const jobs = button('Its Jobs', { title: 'The jobs of this application' }, () =>
      this.ways.showApplication(kind.application),
    );
    const figures = kind.measures.flatMap((measure) => {
      const chart = runChart(kind, measure);
      return chart === undefined ? [] : [this.charts.figure(chart)];
    });
    this.kind.replaceChildren(
      make('div', { class: 'title' }, make('h2', {}, kind.title), make('div', { class: 'actions' }, jobs)),
      make('p', { class: 'soft' }, kind.span),
      sentences(kind) ?? make('p', {}, 'No change.'),
      facts(kind.measures.map(({ title, spread }) => [title, spread])),
      ...figures,
    );
  }

  private say(text: string, className = 'soft'): void {
    this.said.className = className;
    this.said.textContent = text;
  }
}

/** The changes of a kind as a list; undefined where there is none. */
function sentences({ measures }: KindView): HTMLElement | undefined {
  const changes = measures.flatMap(({ changes }) => changes);
  if (changes.length === 0) return undefined;
  return make(
    'ul',
    { class: 'changes' },
    ...changes.map(({ sentence, isWorse, isLasting }) =>
      make('li', { class: isWorse && isLasting ? 'worse' : '' }, `${isWorse ? 'Worse' : 'Better'}: ${sentence}`),
    ),
  );
}
