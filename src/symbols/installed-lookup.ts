import type { FrameColumns } from '../core/addr2line.ts';
import { NameTable } from '../trace/names.ts';
import type { AddressLookup, LookupFactory } from './address-lookup.ts';
import type { OpenedElf } from './debug-files.ts';

/** Runs an installed tool: arguments as a list (never a shell), text in, text out. */
export type RunTool = (program: string, options: readonly string[], input: string) => Promise<string>;

/**
 * Lookups by an installed `llvm-symbolizer` or binutils `addr2line`, for machines where the WebAssembly module could not
 * be built. Both print the same form: the address, then function and place of each frame, innermost first.
 */
export class InstalledLookupFactory implements LookupFactory {
  constructor(
    readonly tool: string,
    private readonly run: RunTool,
  ) {}

  open(debug: OpenedElf): Promise<AddressLookup> {
    const isLlvm = this.tool.includes('llvm');
    const options = isLlvm
      ? [`--obj=${debug.path}`, '--output-style=GNU', '--inlines', '--demangle', '--addresses']
      : ['-a', '-i', '-f', '-C', '-e', debug.path];
    return Promise.resolve({
      lookup: async (addresses) => {
        const input = Array.from(addresses, (address) => `0x${address.toString(16)}\n`).join('');
        return parseFrames(await this.run(this.tool, options, input), addresses.length);
      },
      close: () => undefined,
    });
  }

  demangle(names: readonly string[]): Promise<string[]> {
    return Promise.resolve([...names]);
  }
}

/** Reads `0x1234`, then pairs of lines: function, `file:line` (with ` (discriminator 3)` behind it sometimes). */
export function parseFrames(text: string, count: number): FrameColumns {
  const names = new NameTable();
  const first: number[] = [];
  const functionName: number[] = [];
  const file: number[] = [];
  const line: number[] = [];
  const lines = text.split('\n');
  for (let at = 0; at + 1 < lines.length;) {
    if (/^0x[0-9a-f]+$/.test(lines[at]!)) {
      first.push(line.length);
      at++;
      continue;
    }
    const place = /^(.*):(\d+|\?)(:\d+)?( \(discriminator \d+\))?$/.exec(lines[at + 1]!);
    const path = place?.[1] ?? '??';
    if (lines[at] !== '??' || path !== '??') {
      functionName.push(lines[at] === '??' ? -1 : names.intern(lines[at]!));
      file.push(path === '??' ? -1 : names.intern(path));
      line.push(path === '??' ? 0 : Number(place?.[2]) || 0);
    }
    at += 2;
  }
  if (first.length !== count) throw new Error(`the tool answered ${first.length} of ${count} addresses`);
  first.push(line.length);
  return {
    first: Uint32Array.from(first),
    functionName: Int32Array.from(functionName),
    file: Int32Array.from(file),
    line: Uint32Array.from(line),
    column: new Uint32Array(line.length),
    names: names.names,
  };
}
