import { formatBytes, formatCount, formatDuration } from '../../src/base/quantities.ts';
import type { EventLayers, LayerStep, ViewEvent } from '../../src/features/timeline/protocol.ts';
import { button, make } from '../kit/dom.ts';

interface LayerEvents {
  layer(step: LayerStep): void;
  selectBelow(number: number): void;
}

type Caller = EventLayers['above'][number];

/** How it is known that one call made another. */
const KNOWN_BY: Readonly<Record<Caller['link'], string>> = {
  none: '',
  part: '',
  nesting: 'as recorded',
  handle: 'by its handle',
  time: 'by its time',
};

/** The calls above an event and what it became, with the ways there. */
export function layersOf({ number, event }: ViewEvent, layers: EventLayers, events: LayerEvents): HTMLElement {
  const { above, below, hasNext, hasPrevious } = layers;
  const step = (text: string, key: string, to: LayerStep): HTMLButtonElement =>
    button(text, { title: `Key ${key}` }, () => events.layer(to));
  const actions = make('div', { class: 'actions' });
  if (above.length > 0) actions.append(step(`Up to ${above[0]!.call}`, 'U', 'up'));
  if (below.length > 0) actions.append(step('Down to the first it became', 'J', 'down'));
  if (hasPrevious) actions.append(step('Previous', 'P', 'previous'));
  if (hasNext) actions.append(step('Next', 'N', 'next'));
  if (below.length > 0) actions.append(button('Select the calls under it', {}, () => events.selectBelow(number)));
  const outermostFirst = [...above].reverse().map((caller) => make('li', {}, callerText(caller)));
  const own = make('li', {}, make('strong', {}, `${event.layer}: ${event.call}`));
  return make(
    'div',
    { class: 'layers' },
    make('h3', {}, 'Layers'),
    make('ol', { class: 'stack' }, ...outermostFirst, own),
    make('p', {}, becameText(layers)),
    actions,
  );
}

function callerText({ call, layer, bytes, durationNs, link }: Caller): string {
  const amounts = [
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(durationNs === null ? [] : [formatDuration(durationNs)]),
  ];
  return `${layer}: ${call}${amounts.length === 0 ? '' : ` (${amounts.join(', ')})`} → ${KNOWN_BY[link]}`;
}

/** `Became POSIX: 27 calls, 1.2 MiB, 3 ms → system call: 31 calls, …` */
export function becameText({ below }: EventLayers): string {
  if (below.length === 0) return 'It became no call of a lower layer in this recording.';
  const parts = below.map(({ layer, calls, bytes, timeNs }) =>
    [
      `${layer}: ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`,
      ...(bytes > 0 ? [formatBytes(bytes)] : []),
      ...(timeNs > 0 ? [formatDuration(timeNs)] : []),
    ].join(', '),
  );
  return `Became ${parts.join(' → ')}`;
}
