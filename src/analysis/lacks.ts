/**
 * What a recording does not tell, what that costs the reader, and how to get it. Nothing here is an error: the recording
 * was made so. A recording that lacks nothing has an empty list.
 */
import { counterLacks } from './counter-lacks.ts';
import { layerLacks } from './layer-lacks.ts';
import { linkedInLacks } from './linked-in-lacks.ts';
import type { ModuleReport } from '../symbols/recorded-module.ts';
import type { ResolvedStacks } from '../symbols/resolved-stacks.ts';
import type { SourceReport } from '../symbols/source-report.ts';
import { OPERATION } from '../trace/calls.ts';
import { NONE, NOT_COUNTED } from '../trace/events.ts';
import type { Trace } from '../trace/trace.ts';

/** Names that scripts rely on. */
export type LackName =
  | 'stacks'
  | 'durations'
  | 'paths'
  | 'times'
  | 'dates'
  | 'children'
  | 'callers'
  | 'opens'
  | 'successes'
  | 'binary'
  | 'build'
  | 'debug-information'
  | 'sources'
  | 'segments'
  | 'records'
  | 'stdio-segments'
  | 'layers';

export interface Lack {
  readonly name: LackName;
  /** What is missing. */
  readonly what: string;
  /** What cannot be said because of it. */
  readonly consequence: string;
  /** How to get it. */
  readonly remedy: string;
}

export interface Examined {
  readonly trace: Trace;
  readonly resolved: ResolvedStacks;
  readonly sources: readonly SourceReport[];
  /** Recorded paths of the source files that calls belong to. */
  readonly sitesIn: ReadonlySet<string>;
  /** Debug files may be fetched from servers. */
  readonly asksServers: boolean;
}

export function findLacks(examined: Examined): Lack[] {
  const { trace } = examined;
  return [
    ...(trace.format === 'strace' ? straceLacks(trace) : []),
    ...counterLacks(trace),
    ...layerLacks(trace),
    ...linkedInLacks(trace, examined.resolved),
    ...symbolLacks(examined),
    ...sourceLacks(examined),
  ];
}

function straceLacks(trace: Trace): Lack[] {
  const summary = summarise(trace);
  return [...optionLacks(trace, summary), ...callLacks(summary, trace.events.length)];
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

const RECORD = 'or let "iolens record" choose the options';

function optionLacks({ capabilities, startTime, events }: Trace, summary: Summary): Lack[] {
  if (events.length === 0) return [];
  const { nameless, relative, children, streams } = summary;
  const { time, duration, stacks } = capabilities;
  const lacks: Lack[] = [];
  if (!stacks) {
    lacks.push({
      name: 'stacks',
      what: 'no call stacks',
      consequence: 'findings have no source lines, only files',
      remedy: `record with strace -k (its build must have it: "strace -V" names stack-trace), ${RECORD}`,
    });
  }
  if (!duration) {
    lacks.push({
      name: 'durations',
      what: 'no durations',
      consequence: 'nothing is known of the time that calls took: findings go by counts and bytes',
      remedy: `record with strace -T, ${RECORD}`,
    });
  }
  if (nameless > 0 || relative > 0) {
    lacks.push({
      name: 'paths',
      what: 'descriptors without paths',
      consequence: `${nameless} reads and writes have no file, and ${relative} files that were opened have no folder`,
      remedy: `record with strace -y, ${RECORD}`,
    });
  }
  if (!time) {
    lacks.push({
      name: 'times',
      what: 'no times',
      consequence: 'neither the length of the run nor what went on at the same time is known',
      remedy: `record with strace -ttt, ${RECORD}`,
    });
  } else if (startTime === null) {
    lacks.push({
      name: 'dates',
      what: 'times without a date',
      consequence: 'whether a binary or a source is younger than the recording cannot be told from it',
      remedy: `record with strace -ttt in place of -t, -tt or -r, ${RECORD}`,
    });
  }
  if (children > 0 && streams === 1) {
    lacks.push({
      name: 'children',
      what: `${children} ${children === 1 ? 'process or thread was' : 'processes or threads were'} started and not followed`,
      consequence: 'what they did to files is not in this recording',
      remedy: `record with strace -f (or open all files of strace -ff together), ${RECORD}`,
    });
  }
  return lacks;
}

function callLacks(summary: Summary, count: number): Lack[] {
  const lacks: Lack[] = [];
  if (summary.stacks >= FEW && summary.single > summary.stacks * 0.9) {
    lacks.push({
      name: 'callers',
      what: 'call stacks without callers',
      consequence:
        'calls end in the C library: strace with libunwind cannot follow the stack of a statically linked program',
      remedy: 'link the program dynamically, or use a strace that was built with libdw ("strace -V" says so)',
    });
  }
  if (summary.transfers >= FEW && summary.opens === 0) {
    lacks.push({
      name: 'opens',
      what: 'reads or writes, but no call that opens a file',
      consequence:
        'where in their files these calls read and wrote is not known: no finding on random, misaligned or repeated access',
      remedy: `trace open, openat, lseek, dup and close too (strace -e trace=...), from the start of the program, ${RECORD}`,
    });
  }
  if (count >= FEW && summary.failed === count) {
    lacks.push({
      name: 'successes',
      what: 'only calls that failed',
      consequence: 'no byte that was moved is seen',
      remedy: 'record without -Z and -e status=failed',
    });
  }
  return lacks;
}

function symbolLacks({ trace, resolved, asksServers }: Examined): Lack[] {
  const withLines = modulesWithLines(trace, resolved);
  const lacks: Lack[] = [];
  for (const report of resolved.modules) {
    const lack = symbolLack(report, withLines.has(report.module), trace.stacks.moduleForms.size > 0, asksServers);
    if (lack !== undefined) lacks.push(lack);
  }
  return lacks;
}

function symbolLack(
  { module, status, file, misfits, note }: ModuleReport,
  hasLines: boolean,
  linesAreUncertain: boolean,
  asksServers: boolean,
): Lack | undefined {
  if (status === 'missing' && file !== '' && !hasLines)
    return {
      name: 'binary',
      what: `the binary ${note}`,
      consequence: 'its functions have no source lines',
      remedy: 'copy or build it anew',
    };
  const rebuild =
    'rebuild it as it was, name the recorded binary with --binary (setting iolens.binaries), or record again';
  switch (status) {
    case 'missing':
      // The recorder may have written the lines itself (strace -kk).
      if (hasLines && !linesAreUncertain) return undefined;
      return {
        name: 'binary',
        what: `the binary ${module} is not here (${note})`,
        consequence: hasLines ? 'its lines may be those of the next statement' : 'its functions have no source lines',
        remedy:
          'copy it here and name it with --binary, or map its path with --source-map (settings iolens.binaries, iolens.pathRules)',
      };
    case 'functions': {
      const servers = asksServers
        ? ''
        : ', or turn debuginfod on if a server has it (--debuginfod, setting iolens.debuginfod)';
      return {
        name: 'debug-information',
        what: `${module}: ${note}`,
        consequence: 'its functions have names at most, and no source lines',
        remedy: `compile with -g, or name the folder of its debug file with --debug-dir (setting iolens.debugFolders)${servers}`,
      };
    }
    case 'changed':
      return {
        name: 'build',
        what: note,
        consequence: 'its lines are not shown: they would be wrong',
        remedy: rebuild,
      };
    case 'lines':
      if (misfits === 0) return undefined;
      return {
        name: 'build',
        what: note,
        consequence: `some functions of ${file} have no source lines`,
        remedy: rebuild,
      };
    case 'library':
      return undefined;
  }
}

function modulesWithLines(trace: Trace, resolved: ResolvedStacks): Set<string> {
  const found = new Set<string>();
  for (let place = 0; place < resolved.first.length; place++) {
    const end = place + 1 < resolved.first.length ? resolved.first.at(place + 1) : resolved.line.length;
    for (let frame = resolved.first.at(place); frame < end; frame++) {
      if (resolved.line.at(frame) > 0) found.add(trace.stacks.modules.at(resolved.moduleOfPlace[place]!));
    }
  }
  return found;
}

/** Sources that are named; a program of a thousand files is described by the first. */
const MOST_NAMED = 5;

function sourceLacks({ sources, sitesIn }: Examined): Lack[] {
  const lacking = sources.filter(({ source, status }) => status !== 'here' && sitesIn.has(source));
  if (lacking.length === 0) return [];
  const named = lacking
    .slice(0, MOST_NAMED)
    .map(({ source, candidates }) =>
      candidates.length === 0 ? source : `${source} (which of ${candidates.slice(0, MOST_NAMED).join(', ')}?)`,
    );
  const rest = lacking.length > MOST_NAMED ? ` and ${lacking.length - MOST_NAMED} more` : '';
  return [
    {
      name: 'sources',
      what: `${lacking.length === 1 ? 'a source file is' : `${lacking.length} source files are`} not here: ${named.join(', ')}${rest}`,
      consequence: 'findings in them are listed, but cannot be shown on their lines',
      remedy:
        'map the recorded folder with --source-map FROM=TO (setting iolens.pathRules), or use "I/O Lens: Locate Source File…"',
    },
  ];
}
