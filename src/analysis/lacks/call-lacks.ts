import { OPERATION } from '../../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../../trace/events.ts';
import type { UnrecordedThing } from '../../trace/format-traits.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Lack } from './lacks.ts';

/** What the options of a tracer left out, as it shows in the calls, and how to get it. */
export function callLacks(trace: Trace): Lack[] {
  const { remedies } = trace.form;
  const summary = summarise(trace);
  return [...optionLacks(trace, summary), ...missingCalls(trace, summary)].flatMap((lack) => {
    const remedy = remedies[lack.name];
    return remedy === undefined ? [] : [{ ...lack, remedy }];
  });
}

/** A lack before it is known whether, and how, the format can help it. */
interface Observed extends Pick<Lack, 'what' | 'consequence'> {
  readonly name: UnrecordedThing;
}

/** What the events say about the options of the recording. */
interface Summary {
  /** Calls that moved bytes of files. */
  transfers: number;
  opens: number;
  /** Processes that were made and should have been followed. */
  children: number;
  failed: number;
  /** Calls that moved bytes of a descriptor whose file has no name. */
  nameless: number;
  /** Calls that opened a file under a name whose folder is not known. */
  relative: number;
  /** Processes and threads that made a call. */
  streams: number;
  /** Calls with a stack, and those whose stack is a single frame. */
  stacks: number;
  single: number;
}

const MAKES_A_PROCESS = /^(clone|clone3|fork|vfork)$/;

function summarise({ events, calls, files, stacks }: Trace): Summary {
  const summary = {
    transfers: 0,
    opens: 0,
    children: 0,
    failed: 0,
    nameless: 0,
    relative: 0,
    streams: 0,
    stacks: 0,
    single: 0,
  };
  const streams = new Set<number>();
  const makesProcess = calls.names.map((name) => MAKES_A_PROCESS.test(name));
  events.chunks.forEach((chunk, number) => {
    for (let i = 0; i < events.rowsIn(number); i++) {
      const call = chunk.call[i]!;
      const failed = chunk.error[i] !== 0;
      streams.add(chunk.stream[i]!);
      if (failed) summary.failed++;
      const stack = chunk.stack[i]!;
      if (stack !== NONE) {
        summary.stacks++;
        if (stacks.nodeParent.at(stack) === NONE) summary.single++;
      }
      if (failed || chunk.flags[i]! & NOT_COUNTED) continue;
      const operation = calls.operation[call];
      if (makesProcess[call] === true) summary.children++;
      const isTransfer = operation === OPERATION.read || operation === OPERATION.write;
      const file = chunk.file[i]!;
      const isRegular = file !== NONE && files.at(file).kind === 'regular';
      if (operation === OPERATION.open) {
        summary.opens++;
        if (isRegular && !files.at(file).path.startsWith('/')) summary.relative++;
      }
      if (isTransfer && file === NONE) summary.nameless++;
      if (isTransfer && isRegular) summary.transfers++;
    }
  });
  summary.streams = streams.size;
  return summary;
}

/** Fewest calls of which something can be said. */
const FEW = 5;

function optionLacks({ capabilities, startTime, events }: Trace, summary: Summary): Observed[] {
  if (events.length === 0) return [];
  const { nameless, relative, children, streams } = summary;
  const { time, duration, stacks } = capabilities;
  const lacks: Observed[] = [];
  if (!stacks) {
    lacks.push({
      name: 'stacks',
      what: 'no call stacks',
      consequence: 'findings have no source lines, only files',
    });
  }
  if (!duration) {
    lacks.push({
      name: 'durations',
      what: 'no durations',
      consequence: 'nothing is known of the time that calls took: findings go by counts and bytes',
    });
  }
  if (nameless > 0 || relative > 0) {
    lacks.push({
      name: 'paths',
      what: 'descriptors without paths',
      consequence: `${nameless} reads and writes have no file, and ${relative} files that were opened have no folder`,
    });
  }
  if (!time) {
    lacks.push({
      name: 'times',
      what: 'no times',
      consequence: 'neither the length of the run nor what went on at the same time is known',
    });
  } else if (startTime === null) {
    lacks.push({
      name: 'dates',
      what: 'times without a date',
      consequence: 'whether a binary or a source is younger than the recording cannot be told from it',
    });
  }
  if (children > 0 && streams === 1) {
    lacks.push({
      name: 'children',
      what: `${children} ${children === 1 ? 'process or thread was' : 'processes or threads were'} started and not followed`,
      consequence: 'what they did to files is not in this recording',
    });
  }
  return lacks;
}

/** What a program does that uses files: it closes them, maps libraries, asks for memory. */
const OF_EVERY_PROGRAM: readonly number[] = [OPERATION.close, OPERATION.map, OPERATION.other];
/** Recorded with any choice of calls: without them nobody knows which process is which. */
const OF_PROCESSES = /^(execve|execveat|clone3?|v?fork|exit|exit_group)$/;

/** Names of the calls, where the tracer was told to record few of them. */
function chosenCalls({ calls }: Trace): readonly string[] {
  const chosen = calls.names.filter((name) => !OF_PROCESSES.test(name));
  const isWhole = calls.names.some(
    (name, call) => OF_EVERY_PROGRAM.includes(calls.operation[call]!) && !OF_PROCESSES.test(name),
  );
  return isWhole ? [] : chosen;
}

function missingCalls(trace: Trace, summary: Summary): Observed[] {
  const count = trace.events.length;
  const chosen = chosenCalls(trace);
  const lacks: Observed[] = [];
  if (summary.stacks >= FEW && summary.single > summary.stacks * 0.9) {
    lacks.push({
      name: 'callers',
      what: 'call stacks without callers',
      consequence:
        'calls end in the C library: strace with libunwind cannot follow the stack of a statically linked program',
    });
  }
  if (summary.transfers >= FEW && summary.opens === 0) {
    lacks.push({
      name: 'opens',
      what: 'reads or writes, but no call that opens a file',
      consequence:
        'where in their files these calls read and wrote is not known: no finding on random, misaligned or repeated access',
    });
  } else if (count > 0 && chosen.length > 0) {
    lacks.push({
      name: 'calls',
      what: `no calls but ${chosen.join(', ')}`,
      consequence: 'what the program did to files by other calls is not seen, and nothing is found in it',
    });
  }
  if (count >= FEW && summary.failed === count) {
    lacks.push({
      name: 'successes',
      what: 'calls that succeeded',
      consequence: 'no byte that was moved is seen',
    });
  }
  return lacks;
}
