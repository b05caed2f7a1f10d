import { INTERVAL_ORDERS, type IntervalOrder } from '../../src/drawing/causes/interval-picture.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { formatBytes, formatCount, formatDuration } from '../../src/base/quantities.ts';
import type {
  CauseAction,
  CauseLine,
  CausesLine,
  CausesSubject,
  DirectionCauses,
  RecordingCauses,
} from '../../src/features/causes/protocol.ts';
import { actionButton } from '../kit/action-button.ts';
import { button, make, table, type Cell } from '../kit/dom.ts';
import { OneRow } from '../kit/one-row.ts';
import { pngOfCanvas } from '../kit/png.ts';
import { unlessOvertaken, type PageEnd } from '../kit/page-end.ts';
import { IntervalList } from './interval-list.ts';
import { fileFacts, fileLine, seconds, summaryOf } from './summary.ts';

const ORDER_NAMES: Readonly<Record<IntervalOrder, string>> = {
  critical: 'Critical files first',
  start: 'Start',
  length: 'Length',
  name: 'Name',
};
const ACTION_NAMES: Readonly<Record<CauseAction, string>> = {
  offsets: 'Offsets over Time',
  select: 'Select in All Views',
  report: 'Report',
};
const HINT =
  'A thin bar is the time of a file, a thick one its part of the critical path. Choose a file for its lines.';
/** Critical files in the table. */
const TABLED = 100;

/** Why a recording reads and writes slowly: verdicts, factors, and the intervals of its files (figure 3 of IOMiner). */
export class CausesView {
  private causes: RecordingCauses | undefined;
  private direction: DirectionCauses['direction'] | undefined;
  private paths: readonly string[] = [];
  private chosen: number | undefined;
  private readonly heading = make('div', {});
  private readonly choice = make('div', { class: 'toolbar', role: 'group', 'aria-label': 'Direction' });
  private readonly summary = make('div', {});
  private readonly filter = make('input', {
    type: 'search',
    placeholder: 'Filter files',
    'aria-label': 'Filter files',
  });
  private readonly order = make('select', { 'aria-label': 'Order of the files' });
  private readonly count = make('span', { class: 'soft', role: 'status' });
  private readonly intervals: IntervalList;
  private readonly said = make('p', { class: 'said', 'aria-live': 'polite' }, HINT);
  private readonly details = make('div', { class: 'details' });
  private readonly critical = make('div', {
    class: 'wide',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Critical files',
  });
  private readonly lines = make('div', {});

  constructor(
    room: HTMLElement,
    private readonly page: PageEnd<CausesLine>,
    private readonly say: (message: string) => void,
  ) {
    this.direction = page.kept?.direction;
    this.intervals = new IntervalList({
      point: (file) => this.point(file ?? this.chosen),
      choose: (file) => this.choose(file),
    });
    for (const order of INTERVAL_ORDERS) this.order.append(make('option', { value: order }, ORDER_NAMES[order]));
    for (const part of [this.filter, this.order]) {
      part.addEventListener('input', () => this.list());
    }
    const saving = (['svg', 'png'] as const).map((format) =>
      actionButton(`Save ${format.toUpperCase()}…`, {}, () => this.save(format)),
    );
    const tools = make('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Files' });
    const controls = [this.filter, this.order, this.count, ...saving];
    new OneRow(
      tools,
      controls.map((element, at) => ({ element, worth: controls.length - at })),
    );
    const asTable = make('details', {}, make('summary', {}, 'Critical files, as a table'), this.critical);
    room.append(
      this.heading,
      this.choice,
      this.summary,
      tools,
      this.intervals.element,
      this.said,
      this.details,
      asTable,
    );
  }

  show({ recording, paths, causes }: CausesSubject): void {
    const { processes, nodes, application } = causes;
    this.causes = causes;
    this.paths = paths;
    const machine = nodes === null ? '' : `, ${formatCount(nodes)} ${nodes === 1 ? 'node' : 'nodes'}`;
    const run = `${recording}: ${formatCount(processes)} ${processes === 1 ? 'process' : 'processes'}${machine}`;
    this.heading.replaceChildren(make('h1', {}, application ?? 'Root Causes'), make('p', { class: 'soft' }, run));
    // What takes longer is what somebody looks for.
    const longer = causes.read.activeSeconds > causes.write.activeSeconds ? 'read' : 'write';
    this.turn(this.direction ?? longer);
  }

  /** The lines that use the chosen file. */
  private showLines(lines: readonly CauseLine[]): void {
    const rows = lines.map((line, number): Cell[] => {
      const place = line.file === '' ? '(no source line)' : `${line.file}${line.line > 0 ? `:${line.line}` : ''}`;
      const open = (): void => this.page.say('openSource', { line: number });
      return [
        line.isHere && line.line > 0 ? button(place, { class: 'link' }, open) : place,
        line.function,
        formatCount(line.events),
        formatBytes(line.bytes),
        formatDuration(line.timeNs),
      ];
    });
    const numbers = ['Calls', 'Bytes', 'Time'].map((title) => ({ title, isNumber: true }));
    const none = 'The recording knows no calls of this file.';
    const columns = [{ title: 'Line' }, { title: 'Function' }, ...numbers];
    this.lines.replaceChildren(
      rows.length === 0 ? make('p', { class: 'soft' }, none) : table(columns, rows, 'Source lines'),
    );
  }

  redraw(): void {
    this.intervals.draw();
  }

  private get shown(): DirectionCauses | undefined {
    return this.direction === undefined ? undefined : this.causes?.[this.direction];
  }

  private turn(direction: DirectionCauses['direction']): void {
    this.direction = direction;
    this.chosen = undefined;
    this.page.keep({ paths: this.paths, direction });
    this.choice.replaceChildren(
      ...(['read', 'write'] as const).map((each) =>
        button(each === 'read' ? 'Reads' : 'Writes', { 'aria-pressed': String(each === direction) }, () => {
          this.turn(each);
          this.choice.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
        }),
      ),
    );
    const causes = this.shown!;
    this.summary.replaceChildren(...summaryOf(causes, (file) => this.choose(file)));
    this.details.replaceChildren();
    this.intervals.show(causes.files, direction);
    this.critical.replaceChildren(this.criticalTable(causes));
    this.list();
    this.point(undefined);
  }

  private list(): void {
    const causes = this.shown;
    if (causes === undefined) return;
    const listed = this.intervals.list(this.filter.value, this.order.value as IntervalOrder);
    const left = causes.totalFiles - causes.files.length;
    const more = left > 0 ? `; ${formatCount(left)} shorter ones are left out` : '';
    this.count.textContent = `${formatCount(listed)} of ${formatCount(causes.totalFiles)} files${more}`;
    this.page.say('drawn', { files: listed });
  }

  private criticalTable({ files, activeSeconds }: DirectionCauses): HTMLElement {
    const critical = files.flatMap((file, number) => (file.exclusiveSeconds > 0 ? [{ file, number }] : []));
    const rows = critical
      .slice(0, TABLED)
      .map(({ file, number }): Cell[] => [
        button(file.path, { class: 'link' }, () => this.choose(number)),
        seconds(file.exclusiveSeconds),
        `${((100 * file.exclusiveSeconds) / activeSeconds).toFixed(1)} %`,
        formatBytes(file.bytes),
        formatCount(file.requests),
        formatCount(file.processes),
      ]);
    const numbers = ['Exclusive time', 'Share', 'Bytes', 'Requests', 'Processes'];
    const columns = [{ title: 'File' }, ...numbers.map((title) => ({ title, isNumber: true }))];
    return table(
      columns,
      rows,
      critical.length > TABLED ? `The first ${TABLED} of ${formatCount(critical.length)}` : '',
    );
  }

  private point(file: number | undefined): void {
    const causes = this.shown;
    if (causes === undefined) return;
    this.said.textContent = file === undefined ? HINT : fileLine(causes.files[file]!, causes.activeSeconds);
  }

  private choose(file: number): void {
    const { direction, shown } = this;
    if (direction === undefined || shown === undefined) return;
    this.chosen = file;
    this.intervals.select(file);
    this.point(file);
    const actions = Object.entries(ACTION_NAMES).map(([action, name]) =>
      actionButton(name, {}, () => this.page.say('act', { action: action as CauseAction, direction, file })),
    );
    this.lines.replaceChildren();
    this.details.replaceChildren(
      make('h2', {}, shown.files[file]!.path),
      make('div', { class: 'toolbar' }, ...actions),
      fileFacts(shown.files[file]!),
      this.lines,
    );
    const isChosen = (): boolean => this.direction === direction && this.chosen === file;
    this.page
      .askInstead('lines', { direction, file })
      .then((lines) => isChosen() && this.showLines(lines), unlessOvertaken(this.say));
  }

  private save(format: 'svg' | 'png'): void {
    const title = `Critical path of the ${this.direction === 'read' ? 'reads' : 'writes'}: ${this.paths.join(' ')}`;
    if (format === 'svg') {
      this.page.say('picture', { format, content: this.intervals.svg(title) });
      return;
    }
    pngOfCanvas(this.intervals.savedCanvas()).then(
      (content) => this.page.say('picture', { format, content }),
      (error: unknown) => this.say(messageOf(error)),
    );
  }
}
