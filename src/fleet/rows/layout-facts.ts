import type { FileLayout } from '../../trace/counters.ts';
import type { FileFacts } from './recording-facts.ts';

/** Lustre's default on the systems of IOMiner: one stripe of 1 MiB (section III.F). */
const DEFAULT_STRIPE_BYTES = 1 << 20;
const DEFAULT_STRIPES = 1;

type LayoutColumns = Pick<FileFacts, 'stripe_size' | 'stripe_count' | 'stripe_offset' | 'osts'>;

const NO_LAYOUT: LayoutColumns = { stripe_size: null, stripe_count: null, stripe_offset: null, osts: null };

/**
 * How a file lies on Lustre. Of a progressive layout the last component that has targets counts for the size of stripes
 * (the end of a large file lies there); its targets are those of all components, each once.
 */
export function layoutFacts(layout: FileLayout | undefined): LayoutColumns {
  if (layout === undefined) return NO_LAYOUT;
  const used = layout.components.filter(({ targets }) => targets.some((target) => target >= 0));
  const last = used.at(-1) ?? layout.components[0];
  if (last === undefined) return NO_LAYOUT;
  const osts = [...new Set(used.flatMap(({ targets }) => targets.filter((target) => target >= 0)))];
  return {
    stripe_size: last.stripeSize,
    stripe_count: used.length > 1 ? osts.length : last.stripeCount,
    stripe_offset: last.stripeOffset ?? null,
    osts,
  };
}

/** Whether a file's layout is another than the default. */
export function isCustomised({ stripe_size, stripe_count }: LayoutColumns): boolean {
  return stripe_size !== DEFAULT_STRIPE_BYTES || stripe_count !== DEFAULT_STRIPES;
}
