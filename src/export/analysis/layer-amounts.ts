import type { LayerAmount } from '../../analysis/layers/layer-tree.ts';
import { LAYERS } from '../../trace/calls.ts';
import { formatBytes, formatCount } from '../../base/quantities.ts';

/** What calls of a layer amount to. */
export interface LayerAmountDocument {
  readonly layer: string;
  readonly calls: number;
  /** How many of them no other recorded call made. */
  readonly own: number;
  readonly bytes: number;
  readonly timeNs: number;
}

export function layerAmountDocument({ layer, calls, own, bytes, timeNs }: LayerAmount): LayerAmountDocument {
  return { layer: LAYERS[layer]!, calls, own, bytes, timeNs };
}

/** `MPI-IO 16 calls, 5.0 MiB → POSIX 4 calls, 5.0 MiB`; `STDIO 1 call, 5 B; POSIX 2,401 calls` where most are made beside it. */
export function layerChainText(layers: readonly LayerAmountDocument[]): string {
  const amounts = layers.map(({ layer, calls, own, bytes }, at) => {
    const moved = bytes > 0 ? `, ${formatBytes(bytes)}` : '';
    const from = at === 0 ? '' : own > calls / 2 ? '; ' : ' → ';
    return `${from}${layer} ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}${moved}`;
  });
  return amounts.join('');
}
