import type { FunctionSummary, OperationsSummary, SummaryAmount } from '../../src/features/offsets/protocol.ts';
import { formatBytes, formatCount, formatDuration } from '../../src/base/quantities.ts';
import { make, table, type Cell, type Column } from '../kit/dom.ts';
import { baseName } from './access-text.ts';

const number = { isNumber: true };
const AMOUNTS: readonly Column[] = [
  { title: 'Calls', ...number },
  { title: 'Bytes', ...number },
  { title: 'Time', ...number },
  { title: 'Exclusive', hint: 'Without the time of calls of lower layers that were made meanwhile', ...number },
];

/** What the calls of the recording amount to: by layer, operation and file, and by function. */
export class Operations {
  readonly element = make('details', { class: 'operations' });
  private readonly tables = make('div', {});
  private isAsked = false;

  constructor(private readonly ask: () => void) {
    const title = 'Operations of the whole recording, by layer, file and function';
    this.element.append(make('summary', {}, title), this.tables);
    this.element.addEventListener('toggle', () => {
      if (this.element.open && !this.isAsked) this.fill();
    });
  }

  /** Another recording: what was listed is of no use. */
  forget(): void {
    this.isAsked = false;
    this.tables.replaceChildren();
    if (this.element.open) this.fill();
  }

  reveal(): void {
    this.element.open = true;
    this.element.scrollIntoView();
    this.element.querySelector('summary')!.focus();
  }

  private fill(): void {
    this.isAsked = true;
    this.ask();
  }

  show(summary: OperationsSummary): void {
    const { layers, operations, operationsLeftOut, functions, libraries, hasDurations, shares, functionTimes } =
      summary;
    const columns = hasDurations ? AMOUNTS : AMOUNTS.slice(0, 2);
    const cells = (amount: SummaryAmount): Cell[] => amounts(amount).slice(0, columns.length);
    const once = layers.length > 1 ? ' (each transfer once)' : '';
    const left =
      operationsLeftOut === 0
        ? []
        : [make('p', { class: 'soft' }, `${formatCount(operationsLeftOut)} more rows are not shown.`)];
    this.tables.replaceChildren(
      ...(shares === undefined ? [] : [rolesSection(shares)]),
      ...(functionTimes === undefined ? [] : [functionsSection(functionTimes)]),
      section(
        'By layer',
        [{ title: 'Layer' }, ...columns],
        layers.map((row) => [row.layer, ...cells(row)]),
      ),
      section(
        'By layer, operation and file',
        [{ title: 'File' }, { title: 'Layer' }, { title: 'Operation' }, ...columns],
        operations.map((row) => [row.path === '' ? '(no file)' : row.path, row.layer, row.operation, ...cells(row)]),
      ),
      ...left,
      section(
        `By function of the program${once}`,
        [{ title: 'Function' }, { title: 'Source' }, ...columns],
        functions.map((row) => [functionText(row), row.group === '' ? '' : baseName(row.group), ...cells(row)]),
      ),
      section(
        `By library${once}`,
        [{ title: 'Library' }, ...columns],
        libraries.map((row) => [baseName(row.group), ...cells(row)]),
      ),
    );
  }
}

/** What the processes spend their time with, each by itself. */
function rolesSection({ total, totalNs, streams }: NonNullable<OperationsSummary['shares']>): HTMLElement {
  const roles = ['computation', 'communication', 'synchronisation', 'I/O', 'metadata'] as const;
  const cells = (times: typeof total): Cell[] => roles.map((role) => formatDuration(times[role]));
  const columns = roles.map((title) => ({ title, ...number }));
  const rows = streams.slice(0, MOST_PROCESSES).map(({ name, times }) => [name, ...cells(times)]);
  return section(
    'By what the program does',
    [{ title: 'Process' }, ...columns],
    [[`all ${formatCount(streams.length)} (${formatDuration(totalNs)})`, ...cells(total)], ...rows],
  );
}

/** What functions take themselves, and who spends least and most in them: a wide gap is a load that is not even. */
function functionsSection(functions: NonNullable<OperationsSummary['functionTimes']>): HTMLElement {
  const columns = ['Calls', 'Exclusive', 'Least', 'Most'].map((title) => ({ title, ...number }));
  const cell = (time: (typeof functions)[number]['most']): Cell =>
    time === null ? '' : formatDuration(time.exclusiveNs);
  const rows = functions
    .slice(0, MOST_FUNCTIONS)
    .map(({ name, paradigm, calls, exclusiveNs, least, most }): Cell[] => [
      ...[name, paradigm, formatCount(calls), formatDuration(exclusiveNs)],
      ...[cell(least), cell(most), most === null ? '' : most.name],
    ]);
  return section(
    'By function, without what it calls',
    [{ title: 'Function' }, { title: 'Recorded as' }, ...columns, { title: 'Most in' }],
    rows,
  );
}

const MOST_FUNCTIONS = 200;

/** Rows of a table that anybody reads; the first one stands for all. */
const MOST_PROCESSES = 200;

function functionText({ kind, functionName }: FunctionSummary): string {
  if (kind === 'unknown') return '(no frame of the program)';
  return functionName === '' ? '(no name)' : functionName;
}

function amounts({ calls, bytes, timeNs, exclusiveNs }: SummaryAmount): Cell[] {
  return [formatCount(calls), formatBytes(bytes), formatDuration(timeNs), formatDuration(exclusiveNs)];
}

function section(title: string, columns: readonly Column[], rows: readonly (readonly Cell[])[]): HTMLElement {
  const content = rows.length === 0 ? make('p', { class: 'soft' }, 'None.') : table(columns, rows);
  return make(
    'section',
    {},
    make('h2', {}, title),
    make('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': title }, content),
  );
}
