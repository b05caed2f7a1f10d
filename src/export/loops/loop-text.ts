import { fileName } from '../../base/path-names.ts';
import { counted, formatBytes, formatCount, formatDuration } from '../../base/quantities.ts';
import { formatRanks } from '../../analysis/metrics/process-noun.ts';
import { NamedPatterns } from './named-patterns.ts';
import type { LoopCall, LoopGroup, LoopLine, LoopSynchronisation, RecordingLoops } from './loop-document.ts';

/** Streams of a group that are named one by one where they are no ranks. */
const MOST_PROCESSES = 4;

/** The outline of a recording for a terminal; see `printable` for what a recording's names may hold. */
export function loopsText({ recording, groups }: RecordingLoops): string {
  const parts = groups.map((group) => {
    const lines = linesText(group.patterns, 1, new NamedPatterns(group.patterns));
    return `\n${groupTitle(group)}\n${lines}${leftOutText(group)}`;
  });
  return `${recording}\n${groups.length === 0 ? '\n  no calls\n' : parts.join('')}`;
}

function leftOutText({ linesLeftOut = 0 }: LoopGroup): string {
  return linesLeftOut === 0 ? '' : `  … and ${counted(linesLeftOut, 'line')} more\n`;
}

/** `ranks 0–255: 1,024 calls of each in 12 lines, 1.2 s`. */
function groupTitle(group: LoopGroup): string {
  const each = group.streams.length > 1 ? ' of each' : '';
  const lines = group.size === 1 ? '1 line' : `${formatCount(group.size)} lines`;
  return `${streamsText(group)}: ${formatCount(group.length)} calls${each} in ${lines}${costsText(group)}`;
}

function streamsText({ streams }: LoopGroup): string {
  const ranks = streams.flatMap(({ rank }) => (rank === null ? [] : [rank]));
  if (ranks.length === streams.length) {
    const threads = new Set(ranks).size < ranks.length ? `, ${formatCount(ranks.length)} threads` : '';
    return formatRanks(ranks) + threads;
  }
  const names = streams.slice(0, MOST_PROCESSES).map(({ host, thread }) => `${String(thread)}${host && `@${host}`}`);
  const further = streams.length - names.length;
  const list = `${names.join(', ')}${further > 0 ? ` and ${formatCount(further)} more` : ''}`;
  return `${streams.length === 1 ? 'process' : 'processes'} ${list}`;
}

function costsText({ bytes, timeNs }: { bytes: number; timeNs: number }): string {
  return `${bytes > 0 ? `, ${formatBytes(bytes)}` : ''}${timeNs > 0 ? `, ${formatDuration(timeNs)}` : ''}`;
}

function linesText(lines: readonly LoopLine[], depth: number, named: NamedPatterns): string {
  let text = '';
  for (let at = 0; at < lines.length; at++) {
    const use = named.useAt(lines[at]!);
    if (use === undefined) text += lineText(lines[at]!, depth, named);
    else {
      text += `${'  '.repeat(depth)}${use.name}${costsText(sumOf(use.lines))}\n`;
      at += use.lines.length - 1;
    }
  }
  return text;
}

function sumOf(lines: readonly LoopLine[]): { bytes: number; timeNs: number } {
  const sum = (of: 'bytes' | 'timeNs'): number =>
    lines.reduce((total, line) => total + (line.kind === 'synchronisation' ? 0 : line[of]), 0);
  return { bytes: sum('bytes'), timeNs: sum('timeNs') };
}

function lineText(line: LoopLine, depth: number, named: NamedPatterns): string {
  const indent = '  '.repeat(depth);
  if (line.kind === 'synchronisation') return `${indent}${times(line.count)}${synchronisationText(line)}\n`;
  if (line.kind === 'call') {
    const place =
      line.site === null || line.site.line === 0 ? '' : `  ${fileName(line.site.file)}:${String(line.site.line)}`;
    return `${indent}${times(line.count)}${callText(line)}${place}${costsText(line)}\n`;
  }
  const { variable } = line;
  const range = variable === null ? '' : ` {${variable.name} = ${String(variable.from)}…${String(variable.to)}}`;
  const access = line.access === null ? '' : `, ${line.access.kind}`;
  const body = linesText(line.body, depth + 1, named);
  const name = named.nameOf(line);
  const head = `${times(line.count)}${name === undefined ? '' : `${name} `}[`;
  return `${indent}${head}${range}${costsText(line).replace(/^,/, '')}${access}\n${body}${indent}]\n`;
}

function times(count: number): string {
  return count === 1 ? '' : `${formatCount(count)} × `;
}

/** `read 10000 B, offset 0 += 640, /data/in.dat`. */
export function callText({ call, requested, offset, path, flags, error }: LoopCall): string {
  return [
    requested === null ? call : `${call} ${requested.text} B`,
    ...(offset === null ? [] : [`offset ${offset.text}`]),
    ...flags.map((flag) => (flag === 'nonBlocking' ? 'non-blocking' : flag)),
    ...(path === '' ? [] : [path]),
    ...(error === '' ? [] : [error]),
  ].join(', ');
}

/** `send(x)`, `barrier`. */
export function synchronisationText({ operation, peer }: LoopSynchronisation): string {
  return peer === null ? operation : `${operation}(${peer.text})`;
}
