import { formatBytes, formatCount, formatDuration } from '../../base/quantities.ts';
import { LINKS, type Link } from '../../trace/events.ts';
import type { LayerAmountDocument } from './layer-amounts.ts';
import type { LayersDocument, LinkCounts } from './layer-documents.ts';
import { printable } from '../report/report-text.ts';

/** How it is known that a call made another, in words. */
const KNOWN_BY: Readonly<Record<Link, string>> = {
  none: '',
  part: '',
  nesting: 'as recorded',
  handle: 'by handle',
  time: 'by time',
};

export function layersText(document: LayersDocument): string {
  const { layers, links, calls } = printable(document);
  if (layers.length < 2)
    return `The recording shows one layer only (${layers[0] ?? 'no calls'}): there is nothing to link.\n`;
  if (links.length === 0)
    return `The recording shows ${layers.join(', ')}, but no call is known to have made one of another layer.\n`;
  const lines = links.map(({ layer, calls: all, links: known }) => {
    const linked = linksText(known);
    return `${layer}: ${formatCount(all)} ${all === 1 ? 'call' : 'calls'}${linked === '' ? '' : `, made by a call above: ${linked}`}`;
  });
  for (const call of calls) {
    const place = call.line > 0 ? `${call.file}:${call.line}` : call.file || '(no source line)';
    lines.push('', [place, call.function].filter((part) => part !== '').join('  '));
    lines.push(`  ${call.layer}: ${call.call}  ${amountText(call)}`);
    for (const below of call.became)
      lines.push(`    → ${below.layer}: ${amountText(below)}  (${linksText(below.links)})`);
  }
  return `${lines.join('\n')}\n`;
}

function linksText(links: LinkCounts): string {
  return LINKS.flatMap((link) =>
    links[link] === undefined ? [] : [`${formatCount(links[link])} ${KNOWN_BY[link]}`],
  ).join(', ');
}

/** `16 calls, 5.0 MiB, 12 ms` */
function amountText({ calls, bytes, timeNs }: LayerAmountDocument): string {
  return [
    `${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(timeNs > 0 ? [formatDuration(timeNs)] : []),
  ].join(', ');
}
