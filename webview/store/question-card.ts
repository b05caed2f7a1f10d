import type {
  NumberedAnswer,
  JobFilter,
  Question,
  QuestionParameter,
  QueryResult,
  QueryValue,
} from '../../src/features/store/protocol.ts';
import { messageOf } from '../../src/base/error-message.ts';
import { actionButton } from '../kit/action-button.ts';
import { button, codeBlock, make, table, type Cell } from '../kit/dom.ts';
import { AnswerFigure } from './answer-figure.ts';
import { bytesText, parseBytes } from './amount-fields.ts';
import { cellText, columnTitle, isNumeric } from './cell-text.ts';
import type { FleetHost, FleetWays } from './fleet-host.ts';

/** Rows of a card's table; all others are one click away. */
const MOST_ROWS = 10;
/** Beyond them a card is a list to scroll through. */
const MOST_ROWS_WITHOUT_CHART = 20;

/** A ready-made question: its chart, its numbers and the SQL behind them. */
export class QuestionCard {
  readonly element: HTMLElement;
  private readonly figure = new AnswerFigure();
  private readonly body = make('div', { class: 'answer', 'aria-live': 'polite' });
  private readonly parameters: QueryValue[];
  /** Only the latest answer is shown. */
  private generation = 0;
  private isCurrent = false;

  constructor(
    private readonly question: Question,
    private readonly host: FleetHost,
    private readonly ways: FleetWays,
    private filter: JobFilter,
  ) {
    this.parameters = question.parameters.map(({ initial }) => initial);
    const title = make('h2', { id: `question-${question.id}` }, question.title);
    this.element = make(
      'article',
      { class: 'card question', 'aria-labelledby': title.id },
      title,
      definitionOf(question),
      make('p', { class: 'soft small' }, ...withCode(question.about)),
      question.parameters.length > 0 ? this.form() : null,
      this.body,
    );
    // A question may go over the whole store: it is asked when its card comes into sight.
    const observer = new IntersectionObserver((entries) => {
      this.isInSight = entries.some(({ isIntersecting }) => isIntersecting);
      if (this.isInSight && !this.isCurrent) void this.ask();
    });
    observer.observe(this.element);
  }

  private isInSight = false;

  /** Other jobs are meant: the answer is an old one. */
  filterBy(filter: JobFilter): void {
    this.filter = filter;
    this.isCurrent = false;
    if (this.isInSight) void this.ask();
  }

  redraw(): void {
    this.figure.redraw();
  }

  private async ask(): Promise<void> {
    const generation = ++this.generation;
    this.isCurrent = true;
    this.body.setAttribute('aria-busy', 'true');
    try {
      const { id } = this.question;
      const parameters = [...this.parameters];
      const answer = await this.host.page.ask('answer', { question: id, parameters, filter: this.filter });
      if (generation === this.generation) this.show(answer);
    } catch (error) {
      if (generation === this.generation) this.body.replaceChildren(make('p', { class: 'problem' }, messageOf(error)));
    } finally {
      if (generation === this.generation) this.body.removeAttribute('aria-busy');
    }
  }

  private show({ number, answer }: NumberedAnswer): void {
    const { question, sql, result } = answer;
    const figure = this.figure.make(question.title, question.chart, result);
    const rows = this.rowTable(number, question, result, figure === undefined ? MOST_ROWS_WITHOUT_CHART : MOST_ROWS);
    this.body.replaceChildren(
      ...(figure === undefined ? [] : [figure]),
      ...(result.rows.length === 0 ? [make('p', { class: 'soft' }, 'No jobs to answer this from.')] : [rows]),
      make(
        'details',
        {},
        make('summary', {}, 'SQL'),
        codeBlock(sql, `SQL of ${question.title}`),
        actionButton('Open in SQL', {}, () => this.ways.showSql(sql)),
      ),
    );
    this.host.page.say('drawn', { tab: `question:${question.id}`, rows: result.rows.length });
  }

  /** The first rows; where they lead somewhere, their first cell is a link. */
  private rowTable(answer: number, question: Question, result: QueryResult, most: number): HTMLElement {
    const { columns, rows } = result;
    const hidden = columns.findIndex(({ name }) => name === 'log');
    const shown = columns.map((_, index) => index).filter((index) => index !== hidden);
    const body = rows.slice(0, most).map((row, index) =>
      shown.map((column, at): Cell => {
        const text = cellText(row[column]!, columns[column]!);
        const follow = at === 0 ? this.wayOf(question, result, answer, index) : undefined;
        return follow === undefined ? text : button(text, { class: 'link' }, follow);
      }),
    );
    const titles = shown.map((index) => ({
      title: columnTitle(columns[index]!.name),
      isNumber: isNumeric(columns[index]!),
    }));
    const rest = rows.length - body.length;
    const caption = rest > 0 ? `The first ${body.length} of ${rows.length}${result.truncated ? ' and more' : ''}` : '';
    return make(
      'div',
      { class: 'wide', tabindex: '0', role: 'region', 'aria-label': `Rows of ${question.title}` },
      table(titles, body, caption),
    );
  }

  private wayOf(
    question: Question,
    { columns, rows }: QueryResult,
    answer: number,
    row: number,
  ): (() => void) | undefined {
    const value = (name: string): QueryValue => rows[row]![columns.findIndex((column) => column.name === name)] ?? null;
    const [log, application, file] = [value('log'), value('application'), value('source_file')];
    if (question.leadsTo === 'job' && typeof log === 'string') return () => this.ways.showJob(log);
    if (question.leadsTo === 'application' && typeof application === 'string')
      return () => this.ways.showApplication(application);
    if (question.leadsTo === 'line' && typeof file === 'string')
      return () => this.host.page.say('openLine', { of: 'answer', answer, row });
    return undefined;
  }

  private form(): HTMLElement {
    const form = make('form', { class: 'parameters' });
    this.question.parameters.forEach((parameter, index) => {
      const input = fieldOf(parameter);
      input.addEventListener('change', () => this.change(index, parameter, input));
      form.append(make('label', {}, make('span', {}, columnTitle(parameter.name)), input));
    });
    form.addEventListener('submit', (event) => event.preventDefault());
    return form;
  }

  private change(index: number, parameter: QuestionParameter, input: HTMLInputElement | HTMLSelectElement): void {
    const value = parameterValue(parameter, input.value);
    input.setAttribute('aria-invalid', String(value === undefined));
    if (value === undefined) {
      this.generation++;
      const problem = `${columnTitle(parameter.name)}: ${EXPECTED[parameter.kind]} is expected.`;
      this.body.replaceChildren(make('p', { class: 'problem' }, problem));
      return;
    }
    this.parameters[index] = value;
    void this.ask();
  }
}

/** What exactly is counted and the paper's section, for who asks. */
function definitionOf({ definition, source }: Question): HTMLElement | null {
  const paragraphs = [
    ...(definition === undefined ? [] : [make('p', {}, ...withCode(definition))]),
    ...(source === undefined ? [] : [make('p', {}, `From ${source}.`)]),
  ];
  if (paragraphs.length === 0) return null;
  const way = 'How this is counted, and where it comes from';
  const heading = make('summary', { title: way, 'aria-label': way });
  return make('details', { class: 'definition soft small' }, heading, ...paragraphs);
}

/** A choice where there are few values, else a field with the unit that a value is in. */
function fieldOf({ about, initial, choices, unit }: QuestionParameter): HTMLInputElement | HTMLSelectElement {
  const title = about;
  if (choices !== undefined) {
    const field = make('select', { title }, ...choices.map((choice) => make('option', {}, choice)));
    field.value = String(initial);
    return field;
  }
  const field = make('input', { type: 'text', title, spellcheck: 'false', maxlength: '500' });
  const isAmount = unit !== undefined && typeof initial === 'number';
  if (isAmount) field.value = `${bytesText(initial)}${unit === 'bytes' ? '' : '/s'}`;
  else field.value = initial === null ? '' : String(initial);
  return field;
}

/** Names of columns stand between backticks, for the terminal, too. */
function withCode(text: string): (string | HTMLElement)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));
}

const EXPECTED: Readonly<Record<QuestionParameter['kind'], string>> = {
  integer: 'a whole number',
  number: 'a number',
  text: 'a text',
  instant: 'a moment such as 2018-01-31 12:00:00 (UTC)',
};

/** @returns undefined for what is none of the parameter's kind. */
function parameterValue({ kind, initial }: QuestionParameter, text: string): QueryValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return kind === 'text' ? '' : initial === null ? null : undefined;
  switch (kind) {
    case 'text':
      return trimmed;
    case 'instant':
      return /^\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/.test(trimmed) ? trimmed.replace('T', ' ') : undefined;
    case 'integer':
      // Sizes are integers, and people write `1 MiB`.
      return parseBytes(trimmed);
    case 'number': {
      const number = Number(trimmed);
      return Number.isFinite(number) ? number : parseBytes(trimmed);
    }
  }
}
