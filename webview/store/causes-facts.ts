import type { JobCauses } from '../../src/features/store/protocol.ts';
import { formatBytes, formatCount, formatDuration, formatRate } from '../../src/base/quantities.ts';
import { facts, make } from '../kit/dom.ts';

const seconds = (value: number): string => (value === 0 ? '0 s' : formatDuration(value * 1e9));
const known = <Value>(value: Value | null, format: (value: Value) => string): string =>
  value === null ? 'not known' : format(value);
const percent = (value: number): string => `${Math.round(value)} %`;

/** Why one direction of a job is slow: the verdicts, and the factors that they come of. */
export function causesFacts({ causes }: JobCauses): HTMLElement {
  const { direction, bytes, activeSeconds, bandwidth, factors, verdicts, critical } = causes;
  return make(
    'section',
    { class: 'card causes' },
    make('h2', {}, direction === 'read' ? 'Causes of slow reads' : 'Causes of slow writes'),
    verdicts.length === 0
      ? make('p', { class: 'soft' }, 'None of the causes looked for.')
      : make('ul', {}, ...verdicts.map(({ message }) => make('li', {}, message))),
    facts([
      ['Bandwidth', known(bandwidth, formatRate)],
      ['Moved', formatBytes(bytes)],
      ['Active time', `${seconds(activeSeconds)}, ${formatCount(critical.length)} critical files`],
      ['Small requests', known(factors.smallPercent, percent)],
      ['Non-consecutive requests', known(factors.nonConsecutivePercent, percent)],
      ['Collective I/O', factors.collective === 1 ? 'yes' : 'no'],
      ['Storage targets', known(factors.ostCount, formatCount)],
      ['Processes a target', known(factors.processesPerOst, (value) => String(Number(value.toPrecision(3))))],
    ]),
  );
}
