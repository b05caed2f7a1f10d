import { comparisonText } from '../../export/comparison/comparison-text.ts';
import type { ComparisonDocument } from '../../export/comparison/comparison-document.ts';
import { changedRows, shownFindings } from '../../export/comparison/comparison-words.ts';
import { PLAIN, relativeTo } from '../../export/report/report-text.ts';
import { AS_ANALYSED, summaryAnswer, type LineQuestion } from '../../features/answers/agent/asked-recording.ts';
import { findingsAnswer, type FindingsQuestion } from '../../features/answers/agent/finding-answers.ts';
import { cutText, fitting, shortened } from '../../features/answers/agent/limits.ts';
import { callsAnswer, lineAnswer, type CallsQuestion } from '../../features/answers/agent/line-answers.ts';
import { sourceAnswer, type SourceQuestion } from '../../features/answers/agent/source-answers.ts';
import { callsText, findingsText, lineText, sourceText, summaryText } from './texts.ts';
import { limitOf, RECORDING, SOURCE_FILE, type Tool } from './tool.ts';

/** Tools that only look. */

interface OfRecording {
  readonly recording: string;
}

const LINE = {
  type: 'integer',
  minimum: 1,
  description: 'Line as it stands in the file now, counted from 1.',
} as const;

const describeRecording: Tool = {
  name: 'describe_recording',
  title: 'What a recording is',
  description:
    'Tells what a recording of a program’s file I/O is: format, program, number of calls and processes, length of the run, and what it lacks (such as call stacks, without which there are no source lines) and how to get it.',
  input: { type: 'object', properties: { recording: RECORDING }, required: ['recording'], additionalProperties: false },
  answer: ({ recording }: OfRecording, { withRecordings }, call) =>
    withRecordings([recording], call, async (asked) => {
      const answer = summaryAnswer(asked);
      const { layers, files, damage, notes } = asked.info;
      const lacks = fitting(asked.info.lacks, 20).told;
      const data = {
        ...answer,
        lacks,
        layers,
        files,
        damage: fitting(damage, 20).told,
        notes: shortened(notes.slice(0, 20)),
      };
      return Promise.resolve({ text: summaryText(answer), data });
    }),
};

const listFindings: Tool = {
  name: 'list_findings',
  title: 'What costs I/O time',
  description:
    'Lists what costs I/O time in a recorded program run, heaviest first: each finding with its code, severity, message, the source lines it stands at with calls, bytes and time, what following it would save, and the advice. Use it first, to find out why a program’s I/O is slow, before changing code.',
  input: {
    type: 'object',
    properties: {
      recording: RECORDING,
      severity: {
        type: 'string',
        enum: ['high', 'warn', 'info', 'ok'],
        description: 'Only findings at least as severe; info by default.',
      },
      file: SOURCE_FILE,
      limit: limitOf(10, 50),
    },
    required: ['recording'],
    additionalProperties: false,
  },
  answer: ({ recording, ...question }: OfRecording & FindingsQuestion, { withRecordings }, call) =>
    withRecordings([recording], call, async (asked) => {
      const answer = findingsAnswer(asked, question, AS_ANALYSED);
      return Promise.resolve({ text: findingsText(answer), data: { ...summaryAnswer(asked), ...answer } });
    }),
};

const explainLine: Tool = {
  name: 'explain_line',
  title: 'The I/O of a source line',
  description:
    'Explains what the file I/O of one source line cost in the recorded run: calls, bytes, time, ranks, the findings at this line with evidence, advice and code examples in the file’s language, and the chains of callers. Use it before editing a line that does I/O.',
  input: {
    type: 'object',
    properties: { recording: RECORDING, file: SOURCE_FILE, line: LINE },
    required: ['recording', 'file', 'line'],
    additionalProperties: false,
  },
  answer: ({ recording, ...question }: OfRecording & LineQuestion, { session, withRecordings }, call) =>
    withRecordings([recording], call, async (asked) => {
      const answer = await lineAnswer(session, asked, question, AS_ANALYSED);
      return { text: lineText(answer), data: { ...answer } };
    }),
};

const showSource: Tool = {
  name: 'show_source',
  title: 'The source around a line, with its I/O',
  description:
    'Shows the source around a line of the recorded program with what the I/O of each line cost and the codes of its findings beside it. Only sources below the working folder are shown. Use it to see the loop or function that a finding is about.',
  input: {
    type: 'object',
    properties: {
      recording: RECORDING,
      file: SOURCE_FILE,
      line: LINE,
      around: {
        type: 'integer',
        minimum: 0,
        maximum: 100,
        description: 'Lines above and below; 10 by default.',
      },
    },
    required: ['recording', 'file', 'line'],
    additionalProperties: false,
  },
  answer: ({ recording, ...question }: OfRecording & SourceQuestion, { session, withRecordings }, call) =>
    withRecordings([recording], call, async (asked) => {
      const answer = await sourceAnswer(session, asked, question, AS_ANALYSED);
      return { text: sourceText(answer), data: { ...answer } };
    }),
};

const showCalls: Tool = {
  name: 'show_calls',
  title: 'Recorded calls of a source line',
  description:
    'Lists the first recorded I/O calls of one source line with file, offset, size, duration and place in the recording. Use it to see the access pattern itself when explain_line is not enough.',
  input: {
    type: 'object',
    properties: { recording: RECORDING, file: SOURCE_FILE, line: LINE, limit: limitOf(20, 200) },
    required: ['recording', 'file', 'line'],
    additionalProperties: false,
  },
  answer: ({ recording, ...question }: OfRecording & CallsQuestion, { session, withRecordings }, call) =>
    withRecordings([recording], call, async (asked) => {
      const answer = await callsAnswer(session, asked, question, AS_ANALYSED);
      return { text: callsText(answer), data: { ...answer } };
    }),
};

interface CompareInput {
  readonly base: readonly string[];
  readonly new: readonly string[];
}

const MOST_RUNS = 10;
const MOST_ROWS = 30;
const LONGEST_COMPARISON = 8000;

function runsOf(description: string): object {
  const items = { type: 'string', description: 'A recording, as for the other tools.' };
  return { type: 'array', items, minItems: 1, maxItems: MOST_RUNS, description };
}

const compareRecordings: Tool = {
  name: 'compare_recordings',
  title: 'Before and after',
  description:
    'Compares recordings of a program from before and after a change: the run, each finding (gone, new, better, worse) and each source line with its calls, bytes and time. Use it after changing and recording again, to see whether it helped. With one recording on each side calls and bytes are judged, times are not; two or more of each side tell change from chance.',
  input: {
    type: 'object',
    properties: {
      base: runsOf('Recordings from before; several are repetitions of one run.'),
      new: runsOf('Recordings from after.'),
    },
    required: ['base', 'new'],
    additionalProperties: false,
  },
  answer: (input: CompareInput, { session, withRecordings }, call) =>
    withRecordings([...input.base, ...input.new], call, async (...asked) => {
      const ids = asked.map(({ id }) => id);
      const base = ids.slice(0, input.base.length);
      const document = await session.comparison.compare(base, ids.slice(input.base.length));
      const text = comparisonText(document, relativeTo(process.cwd(), PLAIN));
      return { text: cutText(text, LONGEST_COMPARISON), data: comparisonData(document) };
    }),
};

/** Without the graph, and of findings and lines what changed. */
function comparisonData({ base, new: changed, chance, total, insights, lines, notes }: ComparisonDocument) {
  const findings = fitting(shownFindings(insights), MOST_ROWS);
  const rows = fitting(changedRows(lines), MOST_ROWS);
  return {
    base: shortened(base),
    new: shortened(changed),
    chance,
    total,
    insights: findings.told,
    moreInsights: findings.more,
    lines: rows.told,
    moreLines: rows.more,
    notes: shortened(notes),
  };
}

export const READING_TOOLS: readonly Tool[] = [
  describeRecording,
  listFindings,
  explainLine,
  showSource,
  showCalls,
  compareRecordings,
];
