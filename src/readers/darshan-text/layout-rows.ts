import type { FileLayout, LayoutComponent } from '../../trace/counters.ts';
import type { ModuleRows } from './record-rows.ts';

/** More components or targets than Lustre allows: what is beyond is damage. */
const MOST_PARTS = 1 << 12;

/** Names of the flags of a component, the lowest bit first (darshan-lustre-logutils.c). */
const FLAGS = [
  'stale',
  'prefrd',
  'prefwr',
  'offline',
  'init',
  'nosync',
  'extension',
  'parity',
  'compress',
  'partial',
  'nocompr',
  'neg',
];

/** What stands for a value that the log does not hold. */
const ABSENT = 'N/A';

/** Which value of which component a row holds. */
interface LayoutCounter {
  /** From 0; -1: of the whole file. */
  readonly component: number;
  readonly field: string;
  /** Index of a storage target. */
  readonly index: number;
}

/** A component under way: numbers by field, texts by field, targets. */
interface Parts {
  readonly numbers: Map<string, number>;
  readonly texts: Map<string, string>;
  readonly targets: number[];
}

/**
 * How files lie on Lustre. Releases from 3.4.6 on print `LUSTRE_COMP1_STRIPE_SIZE`, `LUSTRE_COMP1_OST_ID_0`, … for each
 * component; those before print `LUSTRE_STRIPE_SIZE`, `LUSTRE_OST_ID_0`, … of the only one.
 */
export class LayoutRows implements ModuleRows {
  readonly layouts: FileLayout[] = [];
  private readonly counters: (LayoutCounter | undefined)[] = [];
  private recordId = 0n;
  private rank = 0;
  private file = 0;
  private readonly seen = new Set<number>();
  private components: Parts[] = [];
  private announced = NaN;

  constructor(private readonly nameOf: (counter: number) => string) {}

  begin(recordId: bigint, rank: number, file: number): void {
    [this.recordId, this.rank, this.file] = [recordId, rank, file];
    [this.components, this.announced] = [[], NaN];
    this.seen.clear();
  }

  expected(): number {
    return -1;
  }

  addNumber(counter: number, value: number): boolean {
    if (this.seen.has(counter)) return false;
    const { component, field, index } = this.placeOf(counter);
    this.seen.add(counter);
    if (component < 0) {
      if (field === 'NUM_COMPONENTS') this.announced = value;
      return true;
    }
    const parts = this.partsOf(component);
    if (field === 'OST_ID') parts.targets[index] = value;
    else parts.numbers.set(field, value);
    return true;
  }

  addText(counter: number, value: string): boolean {
    const { component, field } = this.placeOf(counter);
    if (component < 0 || !['STRIPE_PATTERN', 'FLAGS', 'POOL_NAME'].includes(field)) return false;
    this.seen.add(counter);
    this.partsOf(component).texts.set(field, value);
    return true;
  }

  finish(): number {
    if (this.seen.size === 0) return 0;
    const components = this.components.map(componentOf);
    this.layouts.push({ file: this.file, recordId: this.recordId, rank: this.rank, components });
    this.seen.clear();
    const missing = components.reduce(
      (sum, { stripeCount, targets }) => sum + Math.max(0, stripeCount - targets.length),
      0,
    );
    return missing + Math.max(0, (Number.isNaN(this.announced) ? 0 : this.announced) - components.length);
  }

  private partsOf(component: number): Parts {
    while (this.components.length <= component) {
      this.components.push({ numbers: new Map(), texts: new Map(), targets: [] });
    }
    return this.components[component]!;
  }

  private placeOf(counter: number): LayoutCounter {
    return (this.counters[counter] ??= parseCounter(this.nameOf(counter)));
  }
}

function parseCounter(name: string): LayoutCounter {
  const parts = /^LUSTRE_(?:COMP(\d+)_)?(?:(OST_ID)_(\d+)|(\w+))$/.exec(name);
  const outside = { component: -1, field: name, index: 0 };
  if (parts === null) return outside;
  const [, number, list, index, single] = parts;
  const field = list ?? single!;
  // Before 3.4.6 there is one component, and it has no number; OSTS and MDTS are of the whole file system.
  const isOld = number === undefined && /^(?:OST_ID|STRIPE_(?:SIZE|WIDTH|OFFSET))$/.test(field);
  const component = isOld ? 0 : Number(number ?? 0) - 1;
  if (component < 0 || component >= MOST_PARTS || Number(index ?? 0) >= MOST_PARTS) return { ...outside, field };
  return { component, field: field === 'STRIPE_WIDTH' ? 'STRIPE_COUNT' : field, index: Number(index ?? 0) };
}

function componentOf({ numbers, texts, targets }: Parts): LayoutComponent {
  const text = (field: string): string => {
    const value = texts.get(field) ?? '';
    return value === ABSENT ? '' : value;
  };
  const stripeOffset = numbers.get('STRIPE_OFFSET');
  return {
    stripeSize: numbers.get('STRIPE_SIZE') ?? -1,
    stripeCount: numbers.get('STRIPE_COUNT') ?? targets.length,
    ...(stripeOffset !== undefined && { stripeOffset }),
    pattern: text('STRIPE_PATTERN'),
    flags: numbers.get('FLAGS') ?? flagsOf(texts.get('FLAGS')),
    extentStart: numbers.get('EXT_START') ?? 0,
    extentEnd: numbers.get('EXT_END') ?? -1,
    mirror: numbers.get('MIRROR_ID') ?? -1,
    pool: text('POOL_NAME'),
    targets: Array.from(targets, (target) => (target as number | undefined) ?? -1),
  };
}

/** Bits of `init,prefwr`; -1 when the log does not hold them. */
function flagsOf(text: string | undefined): number {
  if (text === undefined || text === ABSENT) return -1;
  const names = text.split(',');
  return FLAGS.reduce((bits, flag, bit) => (names.includes(flag) ? bits | (1 << bit) : bits), 0);
}
