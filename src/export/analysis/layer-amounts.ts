import type { LayerAmount } from '../../analysis/layers/layer-tree.ts';
import { LAYERS } from '../../trace/calls.ts';
import { formatBytes, formatCount } from '../../base/quantities.ts';

/** What calls of a layer amount to. */
export interface LayerAmountDocument {
  readonly layer: string;
  readonly calls: number;
  readonly bytes: number;
  readonly timeNs: number;
}

export function layerAmountDocument({ layer, calls, bytes, timeNs }: LayerAmount): LayerAmountDocument {
  return { layer: LAYERS[layer]!, calls, bytes, timeNs };
}

/** `MPI-IO 16 calls, 5.0 MiB → POSIX 4 calls, 5.0 MiB` */
export function layerChainText(layers: readonly LayerAmountDocument[]): string {
  const amounts = layers.map(({ layer, calls, bytes }) => {
    const moved = bytes > 0 ? `, ${formatBytes(bytes)}` : '';
    return `${layer} ${formatCount(calls)} ${calls === 1 ? 'call' : 'calls'}${moved}`;
  });
  return amounts.join(' → ');
}
