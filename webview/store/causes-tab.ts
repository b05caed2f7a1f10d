import {
  MOST_CAUSE_JOBS,
  type JobCauses,
  type JobFilter,
  type VerdictKind,
} from '../../src/features/store/protocol.ts';
import { formatCount } from '../../src/base/quantities.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { button, make } from '../kit/dom.ts';
import { parseBytes, parseCount } from './amount-fields.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';
import { ParallelCoordinates } from './parallel-coordinates.ts';

/** Why jobs are slow: those of low bandwidth as lines over their contributing factors (figures 11 and 12 of IOMiner). */
export class CausesTab {
  private readonly direction = make(
    'select',
    {},
    make('option', { value: 'write' }, 'Writes'),
    make('option', { value: 'read' }, 'Reads'),
  );
  private readonly least = make('input', { type: 'text', placeholder: '0', spellcheck: 'false' });
  private readonly most = make('input', { type: 'text', placeholder: 'any', spellcheck: 'false' });
  private readonly jobs = make('input', { type: 'text', inputmode: 'numeric', spellcheck: 'false' });
  private readonly said = make('p', { role: 'status', class: 'soft' });
  private readonly verdicts = make('ul', { class: 'verdicts', 'aria-label': 'What the brushed jobs have in common' });
  private readonly plot: ParallelCoordinates;
  private found: readonly JobCauses[] = [];
  private generation = 0;

  constructor(
    panel: HTMLElement,
    private readonly host: FleetHost,
    ways: FleetWays,
    private filter: JobFilter,
  ) {
    this.most.value = '1 GB/s';
    this.jobs.value = '1,000';
    this.plot = new ParallelCoordinates({
      choose: (job) => ways.showJob(this.found[job]!.log),
      brushed: (jobs) => this.count(jobs),
    });
    this.plot.element.hidden = true;
    panel.append(this.form(), this.said, this.plot.element, this.verdicts);
    void this.find();
  }

  /** What is known of a job from the last search. */
  of(log: string): readonly JobCauses[] {
    return this.found.filter((job) => job.log === log);
  }

  filterBy(filter: JobFilter): void {
    this.filter = filter;
    void this.find();
  }

  private form(): HTMLElement {
    const field = (label: string, input: HTMLElement): HTMLElement => make('label', {}, make('span', {}, label), input);
    const form = make(
      'form',
      { class: 'parameters' },
      field('Direction', this.direction),
      field('Bandwidth, at least', this.least),
      field('at most', this.most),
      field('Jobs, at most', this.jobs),
      button('Find Causes', { class: 'primary', type: 'submit' }, () => undefined),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.find();
    });
    this.direction.addEventListener('change', () => void this.find());
    return form;
  }

  private async find(): Promise<void> {
    const generation = ++this.generation;
    const leastBandwidth = this.least.value.trim() === '' ? 0 : parseBytes(this.least.value);
    const mostBandwidth = this.most.value.trim() === '' ? Number.MAX_SAFE_INTEGER : parseBytes(this.most.value);
    const mostJobs = parseCount(this.jobs.value);
    if (leastBandwidth === undefined || mostBandwidth === undefined) {
      this.say('A rate such as 100 MB/s is expected.', 'problem');
      return;
    }
    if (mostJobs === undefined || mostJobs < 1 || mostJobs > MOST_CAUSE_JOBS) {
      this.say(`A number of jobs from 1 to ${formatCount(MOST_CAUSE_JOBS)} is expected.`, 'problem');
      return;
    }
    this.say('Looking for causes …');
    try {
      const direction = this.direction.value === 'read' ? 'read' : 'write';
      const request = { filter: this.filter, direction, leastBandwidth, mostBandwidth, mostJobs } as const;
      const found = await this.host.page.ask('causes', request);
      if (generation === this.generation) this.show(found, mostJobs);
    } catch (error) {
      if (generation === this.generation) this.say(messageOf(error), 'problem');
    }
  }

  private show(found: readonly JobCauses[], most: number): void {
    this.found = found;
    this.plot.element.hidden = found.length === 0;
    this.plot.show(found);
    if (found.length === 0) this.say('No job of such a bandwidth.');
    else if (found.length >= most) this.say(`The ${formatCount(most)} jobs of the lowest bandwidth.`);
    else this.say(`${formatCount(found.length)} jobs.`);
    this.host.page.say('drawn', { tab: 'causes', rows: found.length });
  }

  /** How often each verdict is given among the brushed jobs. */
  private count(jobs: readonly number[]): void {
    const counts = new Map<VerdictKind, number>();
    for (const job of jobs)
      for (const kind of new Set(this.found[job]!.causes.verdicts.map((verdict) => verdict.kind)))
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const rows = [...counts].sort((a, b) => b[1] - a[1]);
    this.verdicts.replaceChildren(
      ...rows.map(([kind, count]) =>
        make('li', {}, `${VERDICTS[kind]}: ${formatCount(count)} of ${formatCount(jobs.length)} jobs`),
      ),
    );
  }

  private say(text: string, className = 'soft'): void {
    this.said.className = className;
    this.said.textContent = text;
  }
}

const VERDICTS: Readonly<Record<VerdictKind, string>> = {
  'small-requests': 'Small requests',
  'non-consecutive-requests': 'Requests that are not consecutive',
  'one-target-for-all': 'One storage target for all files',
  'contended-targets': 'Few storage targets for many processes',
  'one-writer-dominates': 'One process moves nearly everything',
  'one-file-dominates': 'One file takes nearly all of the time',
  'intermittent-files': 'Files one after the other',
  'no-collective': 'Shared files without collective I/O',
  'single-node': 'All on one node',
};
