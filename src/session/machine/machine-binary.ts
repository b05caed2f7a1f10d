import path from 'node:path';
import { findDebugSource } from '../../symbols/recorded-module.ts';
import { openElf, type OpenedElf } from '../../symbols/debug-files.ts';
import { debugSections } from '../../symbols/debug-sections.ts';
import { Fields, type ElfFile } from '../../symbols/elf.ts';
import { PLAIN_SEARCH, SYSTEM_DEBUG_FOLDER } from '../../symbols/symbol-files.ts';
import type { MachineCheck } from '../../export/analysis/machine-document.ts';
import { messageOf } from '../../base/error-message.ts';
import { localSymbolFiles } from './local-files.ts';

/** What a binary needs so that its calls lead to source lines. */

const SHARED_OBJECT = 3;
const FLAGS_1 = 0x6ffffffb;
const FLAG_POSITION_INDEPENDENT = 0x08000000;
/** DWARF 5's mark of a unit whose rest is in a `.dwo` file (section 7.5.1). */
const SKELETON_UNIT = 4;
const MOST_UNITS = 100_000;

/** @param given the path as the user wrote it. */
export async function binaryCheck(given: string, debugFolders: readonly string[]): Promise<MachineCheck> {
  const check = { id: 'binary', group: 'Binaries', name: given } as const;
  const file = path.resolve(given);
  let binary: OpenedElf | undefined;
  try {
    binary = await openElf(localSymbolFiles, file);
  } catch (error) {
    const advice = 'name the executable itself: a script or a launcher has no debug information';
    return { ...check, status: 'warning', found: messageOf(error), advice };
  }
  if (binary === undefined)
    return { ...check, status: 'missing', found: 'cannot be read', advice: 'is the path right?' };
  try {
    return { ...check, ...(await described(binary, debugFolders)) };
  } catch (error) {
    const found = `broken: ${messageOf(error)}`;
    return { ...check, status: 'missing', found, advice: 'build it again' };
  } finally {
    await binary.source.close();
  }
}

async function described(
  binary: OpenedElf,
  debugFolders: readonly string[],
): Promise<Pick<MachineCheck, 'status' | 'found' | 'advice'>> {
  const { elf } = binary;
  const buildId = await elf.buildId();
  const facts = [await kindOf(binary), buildId === '' ? 'no build id' : `build id ${buildId}`];
  const search = { ...PLAIN_SEARCH, debugFolders: [...debugFolders, SYSTEM_DEBUG_FOLDER] };
  const source = await findDebugSource(localSymbolFiles, search, binary);
  if ('looked' in source) {
    const isStripped = elf.section('.symtab') === undefined;
    const looked = source.looked.length === 0 ? '' : ` (looked at ${source.looked.join(', ')})`;
    return {
      status: 'missing',
      found: [...facts, `no debug information${isStripped ? ', stripped' : ''}${looked}`].join('; '),
      advice:
        'compile with -g (any optimisation) and do not strip, or name the folder of the debug files with --debug-dir',
    };
  }
  try {
    const { versions, isSplit } = await dwarfOf(source.debug.elf);
    facts.push(`DWARF ${versions.join(' and ')}`);
    if (source.debug !== binary) facts.push(`debug file ${source.debug.path}`);
    if (source.alternate !== undefined) facts.push(`supplement ${source.alternate.path}`);
    if (!isSplit) return { status: 'ok', found: facts.join('; '), advice: '' };
    return {
      status: 'warning',
      found: [...facts, 'split (-gsplit-dwarf)'].join('; '),
      advice: 'lines are found, but inlined calls are in the .dwo files: compile without -gsplit-dwarf to see them',
    };
  } finally {
    if (source.debug !== binary) await source.debug.source.close();
    await source.alternate?.source.close();
  }
}

async function kindOf({ elf, source }: OpenedElf): Promise<string> {
  const head = new Uint8Array(20);
  await source.read(0, head);
  const type = new Fields(head, elf.littleEndian, elf.hasWideFields).u16(16);
  const linked = elf.section('.dynamic') === undefined ? 'static' : 'dynamic';
  if (type !== SHARED_OBJECT) return `${linked}, not position-independent`;
  const isExecutable = elf.section('.interp') !== undefined || (await isMarkedIndependent(elf));
  return isExecutable
    ? `${elf.section('.interp') === undefined ? 'static' : linked}, position-independent`
    : 'shared library';
}

/** DF_1_PIE in the dynamic section. */
async function isMarkedIndependent(elf: ElfFile): Promise<boolean> {
  const section = elf.section('.dynamic');
  if (section === undefined || section.size > 1 << 20) return false;
  const fields = new Fields(await elf.bytes(section), elf.littleEndian, elf.hasWideFields);
  const word = elf.hasWideFields ? 8 : 4;
  for (let at = 0; at + 2 * word <= fields.length; at += 2 * word) {
    if (fields.word(at) === FLAGS_1) return (fields.word(at + word) & FLAG_POSITION_INDEPENDENT) !== 0;
  }
  return false;
}

/** Versions of the units of `.debug_info`, and whether any has its rest in another file. */
async function dwarfOf(elf: ElfFile): Promise<{ versions: number[]; isSplit: boolean }> {
  const section = (await debugSections(elf)).find(({ name }) => name === '.debug_info');
  const bytes = new Uint8Array(section?.size ?? 0);
  await section?.fill(bytes);
  const fields = new Fields(bytes, elf.littleEndian, true);
  const versions = new Set<number>();
  let isSplit = false;
  for (let at = 0, units = 0; at + 16 <= bytes.length && units < MOST_UNITS; units++) {
    const isLong = fields.u32(at) === 0xffffffff;
    const start = at + (isLong ? 12 : 4);
    const version = fields.u16(start);
    versions.add(version);
    if (version >= 5) isSplit ||= fields.u8(start + 2) === SKELETON_UNIT;
    // Before version 5 gcc and clang mark it by the section that only split units need.
    else isSplit ||= elf.section('.debug_addr') !== undefined;
    at = start + (isLong ? fields.u64(at + 4) : fields.u32(at));
  }
  return { versions: [...versions].sort((a, b) => a - b), isSplit };
}
