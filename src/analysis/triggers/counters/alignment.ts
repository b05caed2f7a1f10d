import { advising, countOf, say, slot } from '../message.ts';
import { share } from '../catalogue/amounts.ts';
import type { Amount, InsightFile, Recommendation } from '../insight.ts';
import * as languages from '../language-snippets.ts';
import * as parallel from '../parallel-snippets.ts';
import * as snippets from '../snippets.ts';
import type { CounterTrigger } from './counter-trigger.ts';
import type { CounterView } from './counter-view.ts';
import type { FileAmounts } from './file-groups.ts';
import type { ModuleView, RecordView } from './module-view.ts';
import { everything, known, measured, READ, WRITE } from './posix-counters.ts';
import { stripeFor, stripingAdvice } from './striping.ts';

/** Share of the calls whose records measured the counter; what was not measured is in neither number. */
function misaligned(posix: ModuleView, counter: string): { count: number; calls: number; files: FileAmounts } {
  let count = 0;
  let calls = 0;
  posix.forEach((record) => {
    const value = record.get(counter);
    if (Number.isNaN(value)) return;
    count += value;
    calls += measured(record, [READ.calls, WRITE.calls]);
  });
  const part = (record: RecordView): Amount | undefined => {
    const events = known(record.get(counter));
    return events === 0 ? undefined : { ...everything(record), events };
  };
  return { count, calls, files: posix.files(part) };
}

const memory: CounterTrigger = {
  kind: 'counters',
  code: 'P07',
  name: 'posix-misaligned-memory',
  title: 'Buffers that are not aligned in memory',
  severity: 'high',
  module: 'POSIX',
  examine: (view, { misaligned_requests }) => {
    const posix = view.module('POSIX');
    if (posix === undefined) return undefined;
    const { count, calls, files } = misaligned(posix, 'POSIX_MEM_NOT_ALIGNED');
    const part = share(count, calls);
    if (part <= misaligned_requests) return undefined;
    return {
      message: say`${slot('calls', count)} of ${countOf('accesses', calls, 'read or write', 'reads and writes')} (${slot('shareOfCalls', part)}) have a buffer that does not begin at a multiple of a machine word: its bytes may be copied more slowly, or once more, and direct I/O refuses it.`,
      evidence: { count, share: part, calls, files: files.count },
      files: files.files,
      amount: files.amount,
      recommendations: [
        {
          audience: 'code',
          text: 'Take buffers from malloc (or posix_memalign for direct I/O), and do not begin a transfer in the middle of a record.',
          snippet: snippets.alignedBuffer(),
        },
      ],
    };
  },
};

const file: CounterTrigger = {
  kind: 'counters',
  code: 'P08',
  name: 'posix-misaligned-writes',
  title: 'Requests that are not aligned in the file',
  severity: 'high',
  module: 'POSIX',
  examine: (view, { misaligned_requests }) => {
    const posix = view.module('POSIX');
    if (posix === undefined) return undefined;
    const { count, calls, files } = misaligned(posix, 'POSIX_FILE_NOT_ALIGNED');
    const part = share(count, calls);
    if (part <= misaligned_requests) return undefined;
    const { alignment, request } = habitsOf(posix, files.files[0]?.file);
    return {
      message: say`${slot('calls', count)} of ${countOf('accesses', calls, 'read or write', 'reads and writes')} (${slot('shareOfCalls', part)}) do not begin at a multiple of the file system's block${alignment > 0 ? say` (${slot('blockOfFile', alignment)} where most of it happens)` : []}: blocks are locked, and read before they are written, by more than one request.`,
      evidence: { count, share: part, calls, alignment, files: files.count },
      files: files.files,
      amount: files.amount,
      recommendations: alignmentAdvice(view, files.files, alignment, request),
    };
  },
};

/** Block and commonest request of the file that takes most time; 0 where the log does not say. */
function habitsOf(posix: ModuleView, of: number | undefined): { alignment: number; request: number } {
  const habits = { alignment: 0, request: 0 };
  posix.forEach((record) => {
    if (record.file !== of) return;
    habits.alignment = Math.max(habits.alignment, known(record.get('POSIX_FILE_ALIGNMENT')));
    habits.request = Math.max(habits.request, known(record.get('POSIX_ACCESS1_ACCESS')));
  });
  return habits;
}

function alignmentAdvice(
  view: CounterView,
  files: readonly InsightFile[],
  alignment: number,
  request: number,
): Recommendation[] {
  const block = alignment > 0 ? alignment : 4096;
  const stripe = stripeFor(request);
  return [
    {
      audience: 'code',
      ...advising(
        say`Let every process begin its part at a multiple of the file system's block (${slot('blockOfFile', block)}), and write headers apart from data.`,
      ),
      snippet: snippets.alignedWrites(block),
    },
    ...(view.usesHdf5
      ? [
          {
            audience: 'code' as const,
            text: 'Let HDF5 align its objects.',
            snippet: parallel.hdf5Alignment(block),
            alternatives: languages.hdf5AlignmentIn(block),
          },
        ]
      : []),
    ...(stripe === undefined
      ? []
      : stripingAdvice(
          view,
          files,
          say`On Lustre let a stripe hold whole requests: most are of ${slot('commonestSize', request)}.`,
          true,
        )),
  ];
}

/** P07 and P08. */
export const ALIGNMENTS: readonly CounterTrigger[] = [memory, file];
