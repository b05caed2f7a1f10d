import type { ViewReport } from '../../src/features/report/protocol.ts';
import { formatBytes, formatCount } from '../../src/base/quantities.ts';
import { make, table, type Cell } from '../kit/dom.ts';

/** What the log itself is: its pieces, what it says of its machine, what was lost and what it cannot tell. */
export function fillLogFacts(panel: HTMLElement, report: ViewReport): void {
  const { job, damage, lacks, notes } = report;
  if (damage.length > 0) {
    const rows = damage.map(({ where, what, lost }) => [where, what, lost]);
    panel.append(
      make('h2', {}, 'Damage'),
      wide(table([{ title: 'Where' }, { title: 'What' }, { title: 'Lost' }], rows)),
    );
  }
  panel.append(make('h2', {}, 'Modules in the log'), wide(regionTable(job)));
  if (job.segments.length > 0) panel.append(make('h2', {}, 'Recorded accesses (DXT)'), wide(segmentTable(job)));
  if (lacks.length > 0) {
    panel.append(
      make('h2', {}, 'What the log does not tell'),
      make(
        'ul',
        {},
        ...lacks.map(({ what, consequence, remedy }) => make('li', {}, `${what}: ${consequence}. ${remedy}.`)),
      ),
    );
  }
  if (notes.length > 0)
    panel.append(make('h2', {}, 'Notes'), make('ul', {}, ...notes.map((note) => make('li', {}, note))));
  pairs(panel, 'MPI-IO hints', ['Hint', 'Value'], job.job.hints);
  pairs(panel, 'Metadata', ['Key', 'Value'], job.job.metadata);
  pairs(panel, 'Mounted file systems', ['Mount point', 'File system'], job.job.mounts);
}

function wide(content: Node): HTMLElement {
  return make('div', { class: 'wide' }, content);
}

function regionTable({ regions }: ViewReport['job']): HTMLTableElement {
  const state = ({ incomplete, known }: (typeof regions)[number]): Cell => {
    if (incomplete) return make('span', { class: 'flag' }, 'incomplete: Darshan ran out of memory for it');
    return known ? 'read' : 'skipped: this version of I/O Lens does not know its records';
  };
  return table(
    [{ title: 'Name' }, { title: 'Version', isNumber: true }, { title: 'Stored', isNumber: true }, { title: 'State' }],
    regions.map((region) => [
      region.name,
      region.version === 0 ? '' : String(region.version),
      formatBytes(region.bytes),
      state(region),
    ]),
  );
}

function segmentTable({ segments }: ViewReport['job']): HTMLTableElement {
  const number = { isNumber: true };
  return table(
    [
      { title: 'Module' },
      { title: 'Reads', ...number },
      { title: 'Read', ...number },
      { title: 'Writes', ...number },
      { title: 'Written', ...number },
    ],
    segments.map(({ module, read, write }) => [
      module,
      formatCount(read.count),
      formatBytes(read.bytes),
      formatCount(write.count),
      formatBytes(write.bytes),
    ]),
  );
}

function pairs(
  panel: HTMLElement,
  title: string,
  [name, value]: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): void {
  if (rows.length === 0) return;
  panel.append(
    make(
      'details',
      {},
      make('summary', {}, `${title} (${formatCount(rows.length)})`),
      wide(
        table(
          [{ title: name }, { title: value }],
          rows.map(([key, text]) => [key, text]),
        ),
      ),
    ),
  );
}
