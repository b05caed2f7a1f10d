import { readFileSync } from 'node:fs';
import { DebugInformation } from '../../src/core/addr2line.ts';
import { localSymbolFiles } from '../../src/session/machine/local-files.ts';
import { debugSections } from '../../src/symbols/debug-sections.ts';
import { ElfFile } from '../../src/symbols/elf.ts';

/** Prints function and source line of every frame at each address of a list, as `addr2line -i -f -C` does. */
const [, , module, binary, list] = process.argv;
const addresses = Float64Array.from(readFileSync(list!, 'utf8').trim().split('\n'), Number);
const source = await localSymbolFiles.open(binary!);
const elf = await ElfFile.open(source!);
const compiled = await WebAssembly.compile(readFileSync(module!));
const information = await DebugInformation.open(compiled, await debugSections(elf));
const { first, functionName, file, line, names } = information.lookup(addresses);
const name = (index: number): string => (index < 0 ? '??' : names[index]!);
const lines: string[] = [];
for (let i = 0; i < addresses.length; i++) {
  if (first[i] === first[i + 1]) lines.push('??\n??:0');
  for (let frame = first[i]!; frame < first[i + 1]!; frame++) {
    lines.push(`${name(functionName[frame]!)}\n${name(file[frame]!)}:${line[frame] === 0 ? '?' : line[frame]}`);
  }
}
await source!.close();
process.stdout.write(lines.join('\n') + '\n');
