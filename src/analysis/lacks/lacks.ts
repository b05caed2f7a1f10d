/**
 * What a recording does not tell, what that costs the reader, and how to get it. Nothing here is an error: the recording
 * was made so. A recording that lacks nothing has an empty list.
 */
import { callLacks } from './call-lacks.ts';
import { counterLacks } from './counter-lacks.ts';
import { layerLacks } from './layer-lacks.ts';
import { linkedInLacks } from './linked-in-lacks.ts';
import type { ModuleReport } from '../../symbols/recorded-module.ts';
import type { ResolvedStacks } from '../../symbols/resolved-stacks.ts';
import type { SourceReport } from '../../symbols/source-report.ts';
import type { UnrecordedThing } from '../../trace/format-traits.ts';
import type { Trace } from '../../trace/trace.ts';

/** Names that scripts rely on. */
export type LackName =
  | UnrecordedThing
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

interface Examined {
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
    ...recordedLacks(trace),
    ...linkedInLacks(trace, examined.resolved),
    ...symbolLacks(examined),
    ...sourceLacks(examined),
  ];
}

function recordedLacks(trace: Trace): Lack[] {
  switch (trace.form.lacksShowIn) {
    case 'calls':
      return callLacks(trace);
    case 'capabilities':
      return layerLacks(trace);
    case 'counters':
      return counterLacks(trace);
  }
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
      remedy: 'copy it again or rebuild it',
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
