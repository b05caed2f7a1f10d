import type { Command } from 'commander';
import { resultText, type ResultFormat } from '../../export/fleet/query-result-text.ts';
import type { Question, QuestionParameter } from '../../features/store/methods.ts';
import { parseSize } from '../../fleet/query/sizes.ts';
import { descriptionOf } from '../../fleet/query/questions/question.ts';
import { QUESTIONS } from '../../fleet/query/questions/questions.ts';
import { UsageError } from '../arguments.ts';
import { filterOf, withFilterOptions, type FilterOptions } from './fleet-filter.ts';
import { asksSpark, printSparkAnswer, withEngineOptions, type EngineOptions } from './fleet-spark.ts';
import { withStore } from './fleet-query.ts';
import { print, withResultOptions, type ResultOptions } from './query-result.ts';

type AskOptions = ResultOptions & FilterOptions & EngineOptions & { sql?: true } & Record<string, unknown>;

/** A command for each ready-made question, with an option for each of its parameters. */
export function addFleetAsk(fleet: Command): void {
  const ask = fleet.command('ask').description('answers a ready-made question; without one, lists them');
  // Options of a question behind a name that is none would be told as wrong ones.
  ask
    .argument('[question]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((name: string | undefined) => {
      if (name !== undefined)
        throw new UsageError(`fleet ask: there is no question ${name}; iolens fleet ask lists them`);
      process.stdout.write(listing(QUESTIONS));
    });
  for (const question of QUESTIONS) addQuestion(ask, question);
}

function addQuestion(ask: Command, question: Question): void {
  const command = withEngineOptions(
    withFilterOptions(
      withResultOptions(ask.command(question.id).summary(question.title).description(descriptionOf(question))),
    ),
  ).option('--sql', 'print the query with its values instead of running it');
  for (const { name, about, kind, initial } of question.parameters)
    command.option(`--${name} <${kind}>`, about, String(initial));
  command.action(async (options: AskOptions) => {
    const values = question.parameters.map((parameter) => valueOf(parameter, options));
    if (asksSpark(options)) {
      const { sparkQuestion } = await import('../../session/fleet/spark/spark-store.ts');
      const sql = sparkQuestion(question.id, values, filterOf(options));
      if (options.sql === true) process.stdout.write(`${sql};\n`);
      else await printSparkAnswer(sql, options, headOf(question, sql, options.format));
      return;
    }
    await withStore(options.store, async (store) => {
      const { sql, result } = await store.answer(question.id, values, filterOf(options));
      if (options.sql === true) process.stdout.write(`${sql};\n`);
      else await print(resultText([result], options.format, headOf(question, sql, options.format)), options);
    });
  });
}

/** As commander names it: `bytes-per-process` becomes `bytesPerProcess`. */
function valueOf({ name, kind }: QuestionParameter, options: AskOptions): string | number {
  const value = String(options[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())]);
  return (kind === 'number' ? parseSize(value) : undefined) ?? value;
}

function headOf(question: Question, sql: string, format: ResultFormat): Readonly<Record<string, unknown>> {
  const { id, title } = question;
  return format === 'json'
    ? { schema: 'iolens/answer@1', question: id, title, about: descriptionOf(question), sql }
    : {};
}

function listing(questions: readonly Question[]): string {
  const widest = Math.max(...questions.map(({ id }) => id.length));
  const lines = questions.map(({ id, title }) => `${id.padEnd(widest)}  ${title}`);
  return `${lines.join('\n')}\n\niolens fleet ask QUESTION --help says what each means and takes.\n`;
}
