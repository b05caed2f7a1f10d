import type { LayoutComponent } from '../../trace/counters.ts';

/** How files lie on Lustre, as darshan-dxt-parser says it above their segments: once for each process that used them. */
export class SegmentLayouts {
  readonly layouts = new Map<bigint, { readonly fileName: string; readonly components: LayoutComponent[] }>();
  private recordId = 0n;
  private fileName = '';
  /** The layout was read with the segments of another process. */
  private isKnown = true;
  private stripeSize = 0;
  private stripeCount = 0;

  beginFile(recordId: bigint, fileName: string): void {
    [this.recordId, this.fileName] = [recordId, fileName];
    this.isKnown = this.layouts.has(recordId);
  }

  /**
   * Takes a line of the releases before 3.4.6: `Lustre stripe_size: 1048576, Lustre stripe_count: 4`, and then
   * `Lustre OST obdidx: 12 17 3 9`.
   */
  readLine(text: string): void {
    const stripes = /^Lustre stripe_size: (\d+), Lustre stripe_count: (\d+)/.exec(text);
    if (stripes !== null) [this.stripeSize, this.stripeCount] = [Number(stripes[1]), Number(stripes[2])];
    const targets = /^Lustre OST obdidx: *([\d ]*)$/.exec(text);
    if (targets !== null) this.add(this.stripeSize, this.stripeCount, 0, -1, targets[1]!);
  }

  /** Takes a line of the later releases: `[Component 1] stripe_ext: 0 - EOF, stripe_size: 1048576, stripe_count: 4, OSTs: 12 17`. */
  readComponent(text: string): void {
    const parts = /stripe_ext: (\d+) - (EOF|\d+), stripe_size: (\d+), stripe_count: (-?\d+), OSTs: *([\d ]*)$/.exec(
      text,
    );
    if (parts === null) return;
    const extentEnd = parts[2] === 'EOF' ? -1 : Number(parts[2]);
    this.add(Number(parts[3]), Number(parts[4]), Number(parts[1]), extentEnd, parts[5]!);
  }

  private add(stripeSize: number, stripeCount: number, extentStart: number, extentEnd: number, targets: string): void {
    if (this.isKnown) return;
    const known = this.layouts.get(this.recordId) ?? { fileName: this.fileName, components: [] };
    this.layouts.set(this.recordId, known);
    const targetNumbers = targets.split(' ').filter((target) => target !== '');
    known.components.push({
      stripeSize,
      stripeCount,
      pattern: '',
      flags: -1,
      extentStart,
      extentEnd,
      mirror: -1,
      pool: '',
      targets: targetNumbers.map(Number),
    });
  }
}
