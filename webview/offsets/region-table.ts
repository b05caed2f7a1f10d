import type { OffsetArea, OffsetRegion, OffsetWindow } from '../../src/features/offsets/protocol.ts';
import { formatBytes, formatCount } from '../../src/base/quantities.ts';
import { button, make, table } from '../kit/dom.ts';
import { bytesOf, positionText } from './access-text.ts';

/** The busiest parts of what is seen, as a table: the same for those who cannot see it. */
export function regionTable(
  { regions, area }: OffsetWindow,
  axis: 'time' | 'order',
  look: (area: OffsetArea) => void,
): HTMLElement {
  const rows = [...regions]
    .sort((a, b) => bytesOf(b) - bytesOf(a))
    .map((region) => [
      button(`${formatBytes(region.fromByte)} to ${formatBytes(region.toByte)}`, { class: 'link' }, () =>
        look({ ...area, fromByte: region.fromByte, toByte: region.toByte }),
      ),
      formatBytes(region.bytesRead),
      formatBytes(region.bytesWritten),
      formatCount(region.accesses),
      formatCount(region.processes),
      formatBytes(region.bytesAgain),
      formatCount(region.writtenOver),
      positionText(region.from, axis),
      endText(region, axis),
    ]);
  const number = { isNumber: true };
  const columns = [
    { title: 'Part of the file', hint: 'Choose one to look at it' },
    { title: 'Read', ...number },
    { title: 'Written', ...number },
    { title: 'Accesses', ...number },
    { title: 'Processes', ...number },
    { title: 'Again', hint: 'Bytes that the same process had read or written before', ...number },
    { title: 'Over', hint: 'Accesses that write over what another process had written', ...number },
    { title: axis === 'time' ? 'First' : 'From', ...number },
    { title: axis === 'time' ? 'Until' : 'To', ...number },
  ];
  return make(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Busiest parts of the file' },
    table(columns, rows),
  );
}

function endText({ to }: OffsetRegion, axis: 'time' | 'order'): string {
  return positionText(axis === 'time' ? to : to - 1, axis);
}
