import type { CauseFileDocument, DirectionCauses } from '../../src/features/causes/protocol.ts';
import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from '../../src/base/quantities.ts';
import { button, facts, make } from '../kit/dom.ts';

const VERDICT_TITLES: Readonly<Record<DirectionCauses['verdicts'][number]['kind'], string>> = {
  'small-requests': 'Small requests',
  'non-consecutive-requests': 'Requests that are not consecutive',
  'one-target-for-all': 'One storage target for all',
  'contended-targets': 'Contended storage targets',
  'one-writer-dominates': 'One process does most of it',
  'one-file-dominates': 'One file takes most of the time',
  'intermittent-files': 'Files are used intermittently',
  'no-collective': 'No collective I/O',
  'single-node': 'A single node',
};

/** Files of a verdict that have a button of their own. */
const MOST_FILES = 4;

export const seconds = (value: number): string => formatDuration(value * 1e9);

/** Bandwidth, factors and verdicts of a direction. */
export function summaryOf(causes: DirectionCauses, choose: (file: number) => void): HTMLElement[] {
  const word = causes.direction === 'read' ? 'read' : 'written';
  if (causes.totalFiles === 0) return [make('p', {}, `Nothing is ${word}.`)];
  const verdicts = causes.verdicts.map((verdict) =>
    make(
      'li',
      {},
      make('strong', {}, VERDICT_TITLES[verdict.kind]),
      make('div', {}, verdict.message),
      ...fileButtons(causes, verdict.files, choose),
    ),
  );
  const none = 'No cause stands out: none of the factors is high, and no file or process dominates.';
  return [
    facts(amounts(causes)),
    facts(factorRows(causes)),
    make('h2', {}, 'Causes'),
    verdicts.length > 0 ? make('ul', { class: 'verdicts' }, ...verdicts) : make('p', {}, none),
  ];
}

function amounts(causes: DirectionCauses): [string, string][] {
  const { bytes, activeSeconds, spanSeconds, callSeconds, bandwidth, criticalFiles, totalFiles } = causes;
  if (bandwidth === null) return [['Bytes', `${formatBytes(bytes)}; the recording does not say when`]];
  return [
    ['Bandwidth', `${formatRate(bandwidth)} (${formatBytes(bytes)} over ${seconds(activeSeconds)} with a file in use)`],
    ['In calls, summed over processes', callSeconds === null ? 'unknown' : seconds(callSeconds)],
    [
      'From first to last',
      `${seconds(spanSeconds)}, ${formatShare(activeSeconds / spanSeconds)} of it with a file in use`,
    ],
    ['Critical files', `${formatCount(criticalFiles)} of ${formatCount(totalFiles)}`],
  ];
}

function factorRows({ factors }: DirectionCauses): [string, string][] {
  const { smallPercent, nonConsecutivePercent, collective, ostCount, processesPerOst } = factors;
  const percent = (value: number | null): string => (value === null ? 'unknown' : formatShare(value / 100));
  return [
    ['Small requests', percent(smallPercent)],
    ['Non-consecutive requests', percent(nonConsecutivePercent)],
    ['Collective I/O', collective === 1 ? 'used' : 'not used'],
    ['Storage targets', ostCount === null ? 'unknown' : formatCount(ostCount)],
    [
      'Processes for each target',
      processesPerOst === null ? 'unknown' : String(Number(processesPerOst.toPrecision(3))),
    ],
  ];
}

function fileButtons({ files }: DirectionCauses, of: readonly number[], choose: (file: number) => void): Node[] {
  const shown = of.slice(0, MOST_FILES).map((file) => button(files[file]!.path, { class: 'link' }, () => choose(file)));
  const more =
    of.length > shown.length
      ? [make('span', { class: 'soft' }, `and ${formatCount(of.length - shown.length)} more`)]
      : [];
  return shown.length === 0 ? [] : [make('div', { class: 'verdict-files' }, ...shown, ...more)];
}

/** One line about a file, for those who do not see its bar. */
export function fileLine(file: CauseFileDocument, activeSeconds: number): string {
  const { path, start, end, exclusiveSeconds } = file;
  if (start === null || end === null) return `${path}: the recording does not say when`;
  const time = `${path}: ${seconds(start)} to ${seconds(end)}`;
  if (exclusiveSeconds === 0) return `${time}, not on the critical path`;
  return `${time}, ${seconds(exclusiveSeconds)} of the critical path (${formatShare(exclusiveSeconds / activeSeconds)})`;
}

/** What is known of a file. */
export function fileFacts(file: CauseFileDocument): HTMLElement {
  const share = (part: number): string => `${formatCount(part)} (${formatShare(part / Math.max(1, file.requests))})`;
  const users = file.rank === null ? formatCount(file.processes) : `process ${file.rank} only`;
  const { stripeCount, osts } = file;
  const targets =
    osts.length > 0
      ? `${formatCount(osts.length)}: ${osts.slice(0, 16).join(', ')}${osts.length > 16 ? ', …' : ''}`
      : '';
  return facts([
    ['Bytes', formatBytes(file.bytes)],
    ['Requests', formatCount(file.requests)],
    ['Small', share(file.smallRequests)],
    ['Consecutive', share(file.consecutiveRequests)],
    ['Collective', formatCount(file.collectiveRequests)],
    ['Processes', users],
    ['Storage targets', targets || (stripeCount === null ? 'unknown' : formatCount(stripeCount))],
  ]);
}
