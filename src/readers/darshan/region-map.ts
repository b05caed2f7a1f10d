import type { DamageLog } from '../../trace/damage.ts';
import type { LogHeader, ModuleRegion, Region } from './log-header.ts';

interface Placed {
  readonly region: Region;
  readonly name: string;
  readonly module: ModuleRegion | undefined;
}

/**
 * The regions of a header as far as they lie in the file. One that reaches beyond the end of the file, or into the next
 * one, is cut there: what is wrong about it shows when it is unpacked, and what stands before that is kept.
 */
export function checkedRegions(
  header: LogHeader,
  headerBytes: number,
  fileBytes: number,
  where: string,
  damage: DamageLog,
): { names: Region; modules: ModuleRegion[] } {
  const wanted: Placed[] = header.modules.map((module) => ({ region: module, name: module.name, module }));
  if (header.names.length > 0) wanted.unshift({ region: header.names, name: 'record table', module: undefined });
  const inFile = wanted.filter(({ region: { offset, length }, name }) => {
    if (offset >= headerBytes && offset < fileBytes) return true;
    const what = `the ${length} bytes of this region should stand from byte ${offset} on, in a file of ${fileBytes} bytes`;
    damage.add('region', `${where}, ${name}`, what, 'the whole region');
    return false;
  });
  const byOffset = [...inFile].sort((a, b) => a.region.offset - b.region.offset);
  const ends = new Map<Placed, number>();
  byOffset.forEach((placed, index) => {
    const { offset, length } = placed.region;
    const next = byOffset[index + 1]?.region.offset ?? Infinity;
    const end = Math.min(offset + length, fileBytes, next);
    ends.set(placed, end);
    if (end === offset + length) return;
    const obstacle = end === next ? `the region ${byOffset[index + 1]!.name} begins` : 'the file ends';
    const what = `the region has ${length} bytes, but ${obstacle} after ${end - offset} of them`;
    damage.add('region', `${where}, ${placed.name}`, what, 'what stands behind them');
  });
  const cut = (placed: Placed): Region => {
    const { offset } = placed.region;
    return { offset, length: ends.get(placed)! - offset };
  };
  const names = inFile.find(({ module }) => module === undefined);
  return {
    names: names === undefined ? { offset: header.names.offset, length: 0 } : cut(names),
    modules: inFile.flatMap((placed) => (placed.module === undefined ? [] : [{ ...placed.module, ...cut(placed) }])),
  };
}
