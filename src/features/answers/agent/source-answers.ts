import type { Cost } from '../../../analysis/gain/cost.ts';
import type { Session } from '../all-answers.ts';
import { fileOf, type AskedRecording, type LineNow, type LineQuestion } from './asked-recording.ts';
import { cutText, within } from './limits.ts';

export interface SourceQuestion extends LineQuestion {
  /** Lines above and below. */
  readonly around?: number;
}

/** A line of a source with what its I/O costs. */
export interface SourceLineAnswer {
  readonly line: number;
  readonly text: string;
  /** I/O calls; absent where it makes none. */
  readonly events?: number;
  readonly bytes?: number;
  readonly timeNs?: number;
  readonly shareOfTime?: number;
  readonly cost?: Cost;
  /** Codes of the findings at this line. */
  readonly findings?: readonly string[];
}

export interface SourceAnswer {
  readonly file: string;
  readonly line: number;
  /** Lines of the whole file. */
  readonly length: number;
  /** Why the lines may not be the recorded ones; absent when they are. */
  readonly note?: string;
  readonly lines: readonly SourceLineAnswer[];
}

const USUAL_LINES = 10;
const MOST_LINES = 100;
/** Characters of a line of source that are told. */
const LONGEST_LINE = 400;

/**
 * The source around a line, of files whose text may be shown.
 * @throws Error in words for the model.
 */
export async function sourceAnswer(
  session: Session,
  recording: AskedRecording,
  { line, around = USUAL_LINES, ...question }: SourceQuestion,
  now: LineNow,
): Promise<SourceAnswer> {
  const file = fileOf(recording, question.file);
  const text = await session.lines.source(recording.id, file);
  if (text === undefined)
    throw new Error(
      `${file} is not shown: it is not here, is no source file, or lies outside the working folder (--source-map FROM=TO names a folder of sources)`,
    );
  // Behind the last line's end there is none.
  const texts = text.at(-1) === '' ? text.slice(0, -1) : text;
  if (line > texts.length) throw new Error(`${file} has ${texts.length} lines`);
  const reach = within(around + 1, MOST_LINES + 1) - 1;
  const first = Math.max(1, line - reach);
  const note = recording.analysis.symbols.sources.find((source) => source.file === file)?.note ?? '';
  return {
    file,
    line,
    length: texts.length,
    ...(note !== '' && { note }),
    lines: texts
      .slice(first - 1, line + reach)
      .map((text, i) => ({ line: first + i, text: cutText(text, LONGEST_LINE) }))
      .map((each) => ({ ...each, ...costOf(recording, file, each.line, now) })),
  };
}

function costOf(recording: AskedRecording, file: string, line: number, now: LineNow): Partial<SourceLineAnswer> {
  const isHere = (site: { readonly file: string; readonly line: number }): boolean =>
    site.file === file && site.line > 0 && now(file, site.line) === line;
  const site = recording.sites.find(isHere);
  if (site === undefined) return {};
  const findings = recording.analysis.insights.filter(({ sites }) => sites.some(isHere)).map(({ code }) => code);
  const { events, bytes, timeNs, share, cost } = site;
  return { events, bytes, timeNs, shareOfTime: share, ...(cost && { cost }), findings: [...new Set(findings)] };
}
