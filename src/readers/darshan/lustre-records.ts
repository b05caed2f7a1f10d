import type { FileLayout, LayoutComponent } from '../../trace/counters.ts';
import { baseProblem } from './counter-records.ts';
import { textOf, type RegionReader } from './region-reader.ts';

const COMPONENT_BYTES = 72;
/** Lustre allows fewer of both (LOV_MAX_STRIPE_COUNT is 2,000); more is damage. */
const MOST_COMPONENTS = 4096;
const MOST_TARGETS = 1 << 16;
const MOST_LAYOUTS = 2_000_000;
/** Targets of all files together that are kept. */
const MOST_TARGETS_KEPT = 1 << 24;

/** Bits that lustreapi.h gives to patterns (LLAPI_LAYOUT_*), as darshan-parser names them. */
const PATTERNS: Readonly<Record<number, string>> = { 0: 'raid0', 2: 'mdt', 4: 'raid0,overstriped', 8: 'foreign' };

type AddLayout = (layout: Omit<FileLayout, 'file'>) => void;

/**
 * Reads the layouts of files on Lustre: one component each in version 1 of the module, any number of them from version 2 on.
 * @returns what is wrong; '' when the region was read to its end.
 */
export async function readLayouts(reader: RegionReader, version: number, add: AddLayout): Promise<string> {
  const headBytes = version === 1 ? 56 : 32;
  let kept = 0;
  for (let layouts = 0; reader.left >= headBytes || (await reader.fill(headBytes)); layouts++) {
    if (layouts === MOST_LAYOUTS) return `more than ${MOST_LAYOUTS} layouts`;
    const { at } = reader;
    const [recordId, rank] = [reader.uint64(at), reader.int64(at + 8)];
    const problem = baseProblem(reader);
    if (problem !== '') return problem;
    const isOld = version === 1;
    const components = isOld ? 1 : reader.int64(at + 16);
    const stripes = isOld ? reader.int64(at + 48) : reader.int64(at + 24);
    const old = isOld ? oldComponent(reader.int64(at + 40), stripes, reader.int64(at + 32)) : undefined;
    if (components < 0 || components > MOST_COMPONENTS) return `a layout of ${components} components`;
    if (stripes < 0 || stripes > MOST_TARGETS) return `a layout of ${stripes} stripes`;
    if ((kept += stripes) > MOST_TARGETS_KEPT) return `more than ${MOST_TARGETS_KEPT} stripes`;
    reader.at += headBytes;
    const found = old === undefined ? await readComponents(reader, components) : [old];
    const targets = found === undefined ? undefined : await readTargets(reader, stripes);
    if (found === undefined || targets === undefined) return 'a layout that ends in the middle';
    add({ recordId, rank, components: withTargets(found, targets) });
  }
  return reader.left === 0 ? '' : 'a layout that ends in the middle';
}

function oldComponent(stripeSize: number, stripeCount: number, stripeOffset: number): LayoutComponent {
  const unknown = { pattern: '', flags: -1, mirror: -1, pool: '' };
  return { stripeSize, stripeCount, stripeOffset, extentStart: 0, extentEnd: -1, targets: [], ...unknown };
}

async function readComponents(reader: RegionReader, count: number): Promise<LayoutComponent[] | undefined> {
  const components: LayoutComponent[] = [];
  for (let i = 0; i < count; i++) {
    if (!(await reader.fill(COMPONENT_BYTES))) return undefined;
    const word = (index: number): number => reader.int64(reader.at + index * 8);
    components.push({
      stripeSize: word(0),
      stripeCount: word(1),
      pattern: PATTERNS[word(2)] ?? '',
      flags: word(3),
      extentStart: word(4),
      extentEnd: word(5),
      mirror: word(6),
      pool: textOf(reader.bytes.subarray(reader.at + 56, reader.at + COMPONENT_BYTES)),
      targets: [],
    });
    reader.at += COMPONENT_BYTES;
  }
  return components;
}

async function readTargets(reader: RegionReader, count: number): Promise<number[] | undefined> {
  const targets: number[] = [];
  for (let i = 0; i < count; i++) {
    if (reader.left < 8 && !(await reader.fill(8))) return undefined;
    targets.push(reader.int64(reader.at));
    reader.at += 8;
  }
  return targets;
}

/** The recorder leaves room for more components than it finds: from the first one without a stripe size on none is used. */
function withTargets(components: readonly LayoutComponent[], targets: readonly number[]): LayoutComponent[] {
  const unused = components.findIndex(({ stripeSize }) => stripeSize === -1);
  let given = 0;
  return components.slice(0, unused < 0 ? undefined : unused).map((component) => {
    const from = given;
    given += Math.max(0, component.stripeCount);
    return { ...component, targets: targets.slice(from, given) };
  });
}
