import type { JobFilter, StoreSummary } from '../../src/features/store/protocol.ts';
import { formatBytes, formatCount } from '../../src/base/quantities.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { make } from '../kit/dom.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import { QuestionCard } from './question-card.ts';

/** What the store holds, and the ready-made questions as cards. */
export class Dashboard {
  private cards: QuestionCard[] = [];

  constructor(
    private readonly panel: HTMLElement,
    summary: StoreSummary,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
    private filter: JobFilter,
  ) {
    const cards = make('div', { class: 'columns cards' });
    panel.append(tiles(summary), cards);
    void this.fill(cards);
  }

  filterBy(filter: JobFilter): void {
    this.filter = filter;
    for (const card of this.cards) card.filterBy(filter);
  }

  redraw(): void {
    for (const card of this.cards) card.redraw();
  }

  private async fill(into: HTMLElement): Promise<void> {
    try {
      const questions = await this.host.page.ask('questions');
      this.cards = questions.map((question) => new QuestionCard(question, this.host, this.ways, this.filter));
      into.replaceChildren(...this.cards.map(({ element }) => element));
    } catch (error) {
      this.panel.append(make('p', { class: 'problem' }, messageOf(error)));
    }
  }
}

function tiles({ tables, logs, months }: StoreSummary): HTMLElement {
  const rowsOf = (name: string): number => tables.find(({ table }) => table === name)?.rows ?? 0;
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const known = months.filter((month) => month !== 'unknown');
  const span = known.length === 0 ? '–' : known.length === 1 ? known[0]! : `${known[0]!} to ${known.at(-1)!}`;
  const taken = logs.stored + logs.damaged;
  const notes = [
    ...(logs.damaged > 0 ? [`${formatCount(logs.damaged)} read in part`] : []),
    ...(logs.unreadable > 0 ? [`${formatCount(logs.unreadable)} unreadable`] : []),
  ];
  const shown: readonly (readonly [label: string, value: string, note: string])[] = [
    ['Jobs', formatCount(rowsOf('job')), ''],
    ['Logs', formatCount(taken), notes.join(', ')],
    ['Months', span, ''],
    ['Files', formatCount(rowsOf('file')), 'of all jobs'],
    ['Findings', formatCount(rowsOf('insight')), 'with their places'],
    ['Scheduler jobs', formatCount(rowsOf('scheduler_job')), ''],
    ['Server load', formatCount(rowsOf('server_load')), 'samples'],
    ['Size', formatBytes(bytes), 'of Parquet files'],
  ];
  return make(
    'div',
    { class: 'tiles' },
    ...shown.map(([label, value, note]) =>
      make(
        'div',
        { class: 'tile' },
        make('span', { class: 'label' }, label),
        make('span', { class: 'value' }, value),
        note === '' ? null : make('span', { class: 'soft' }, note),
      ),
    ),
  );
}
