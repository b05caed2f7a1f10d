import { LAYERS } from '../../trace/calls.ts';

/** Counts reads and writes of which something is not known, for the notes of the trace. */
export class TransferLacks {
  private readonly placeless = new Map<number, number>();
  private readonly sizeless = new Map<number, number>();

  /** @param layer index into LAYERS. */
  transfer(layer: number, offset: number, size: number): void {
    if (Number.isNaN(offset)) this.placeless.set(layer, (this.placeless.get(layer) ?? 0) + 1);
    if (Number.isNaN(size)) this.sizeless.set(layer, (this.sizeless.get(layer) ?? 0) + 1);
  }

  notes(): string[] {
    const named = (counts: ReadonlyMap<number, number>): string =>
      [...counts]
        .sort(([a], [b]) => a - b)
        .map(([layer, count]) => `${count} of ${LAYERS[layer]!}`)
        .join(', ');
    const notes: string[] = [];
    if (this.sizeless.size > 0) {
      notes.push(`reads and writes of unknown size, which count as 0 bytes: ${named(this.sizeless)}`);
    }
    if (this.placeless.size > 0) {
      notes.push(
        `reads and writes at an unknown offset (file views, shared or inherited positions, files that others append to): ${named(this.placeless)}`,
      );
    }
    return notes;
  }
}
