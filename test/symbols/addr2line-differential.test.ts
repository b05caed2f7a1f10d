import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DebugInformation, type FrameColumns } from '../../src/core/addr2line.ts';
import { localSymbolFiles } from '../../src/session/machine/local-files.ts';
import { debugSections } from '../../src/symbols/debug-sections.ts';
import { ElfFile } from '../../src/symbols/elf.ts';
import { parseFrames } from '../../src/symbols/installed-lookup.ts';
import { absent, corpus } from '../support/corpus.ts';

/**
 * Every instruction address of binaries from several compilers, against binutils `addr2line -i -f -C`. Every difference
 * must be one of those explained below.
 */
const sources = corpus('strace-programs');
const wasmFile = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');

interface Build {
  readonly name: string;
  readonly tool: string;
  readonly options: readonly string[];
  readonly source: string;
}

const C = 'small_writes/small_writes.c';
const CXX = 'cxx_inline_header/main.cpp';
const BUILDS: readonly Build[] = [
  { name: 'gcc -O0', tool: 'gcc', options: ['-g', '-O0'], source: C },
  { name: 'gcc -O2', tool: 'gcc', options: ['-g', '-O2'], source: C },
  { name: 'gcc -O2 -gdwarf-2', tool: 'gcc', options: ['-gdwarf-2', '-gstrict-dwarf', '-O2'], source: C },
  { name: 'gcc -O2 -gdwarf-3', tool: 'gcc', options: ['-gdwarf-3', '-O2'], source: C },
  { name: 'gcc -O2 -gdwarf-4', tool: 'gcc', options: ['-gdwarf-4', '-O2'], source: C },
  { name: 'gcc -O2 -gdwarf-5 -gz=zlib', tool: 'gcc', options: ['-gdwarf-5', '-gz=zlib', '-O2'], source: C },
  { name: 'gcc -O2 -no-pie', tool: 'gcc', options: ['-g', '-O2', '-no-pie'], source: C },
  { name: 'clang -O0', tool: 'clang', options: ['-g', '-O0'], source: C },
  { name: 'clang -O2', tool: 'clang', options: ['-g', '-O2'], source: C },
  { name: 'clang -O2 -gdwarf-4', tool: 'clang', options: ['-gdwarf-4', '-O2'], source: C },
  { name: 'g++ -O0', tool: 'g++', options: ['-g', '-O0'], source: CXX },
  { name: 'g++ -O2', tool: 'g++', options: ['-g', '-O2'], source: CXX },
  { name: 'clang++ -O2', tool: 'clang++', options: ['-g', '-O2'], source: CXX },
  { name: 'g++ -O2 -shared', tool: 'g++', options: ['-g', '-O2', '-fPIC', '-shared'], source: 'cxx_endl/logger.cpp' },
  { name: 'gfortran -O0', tool: 'gfortran', options: ['-g', '-O0'], source: 'f_flush/f_flush.f90' },
  { name: 'gfortran -O2', tool: 'gfortran', options: ['-g', '-O2'], source: 'f_flush/f_flush.f90' },
];

interface Frame {
  readonly functionName: string;
  readonly file: string;
  readonly line: number;
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-addr2line-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function has(tool: string): boolean {
  return spawnSync(tool, ['--version']).status === 0;
}

function compile(build: Build): string {
  const output = path.join(folder, build.name.replaceAll(/[^a-z0-9]/gi, '_'));
  execFileSync(
    build.tool,
    [...build.options, '-J', folder, '-o', output, path.join(sources!, build.source)].filter(
      (option, i, all) => build.tool === 'gfortran' || (option !== '-J' && all[i - 1] !== '-J'),
    ),
  );
  return output;
}

function instructionAddresses(binary: string): number[] {
  const text = execFileSync('objdump', ['-d', '--no-show-raw-insn', binary], { maxBuffer: 1 << 28 }).toString();
  return [...text.matchAll(/^ +([0-9a-f]+):\t/gm)].map((match) => Number.parseInt(match[1]!, 16));
}

async function openBinary(binary: string): Promise<DebugInformation> {
  const source = (await localSymbolFiles.open(binary))!;
  const information = await DebugInformation.open(
    await WebAssembly.compile(readFileSync(wasmFile)),
    await debugSections(await ElfFile.open(source)),
  );
  await source.close();
  return information;
}

function byTool(tool: string, options: readonly string[], addresses: readonly number[]): FrameColumns {
  const input = addresses.map((address) => `0x${address.toString(16)}\n`).join('');
  return parseFrames(execFileSync(tool, [...options], { input, maxBuffer: 1 << 28 }).toString(), addresses.length);
}

function framesAt(columns: FrameColumns, i: number): Frame[] {
  const frames: Frame[] = [];
  for (let at = columns.first[i]!; at < columns.first[i + 1]!; at++) {
    const name = columns.functionName[at]!;
    const file = columns.file[at]!;
    frames.push({
      functionName: name < 0 ? '' : columns.names[name]!,
      file: file < 0 ? '' : path.basename(columns.names[file]!),
      line: columns.line[at]!,
    });
  }
  return frames;
}

/** The function's own name, without what it belongs to, its template and its parameters: what all demanglers agree on. */
function ownName(name: string): string {
  if (name.includes('operator()')) return 'operator()';
  let depth = 0;
  let plain = '';
  for (const character of name.replace(/\(.*$/s, '')) {
    if (character === '<') depth++;
    else if (character === '>') depth--;
    else if (depth === 0) plain += character;
  }
  return plain
    .split(/::| /)
    .at(-1)!
    .replace(/^(~?)(basic_)?/, '');
}

const places = (frames: readonly Frame[]): string => frames.map(({ file, line }) => `${file}:${line}`).join(' ← ');

function differentNames(ours: readonly Frame[], theirs: readonly Frame[]): Frame[] {
  return ours.filter(
    ({ functionName }, i) => functionName === '' || theirs[i]?.functionName.includes(ownName(functionName)) !== true,
  );
}

/** Why ours may differ from binutils; undefined when nothing explains it. */
function explanation(
  ours: readonly Frame[],
  theirs: readonly Frame[],
  llvm: readonly Frame[] | undefined,
): string | undefined {
  if (ours.length === 0 && theirs.every(({ line }) => line === 0)) {
    return 'no debug information: binutils takes the symbol table, which is the resolver’s work here';
  }
  if (places(ours) === places(theirs)) {
    const different = differentNames(ours, theirs);
    if (different.length === 0) return 'the demanglers write templates, packs and standard names differently';
    if (different.every(({ functionName }) => functionName === '')) return 'padding behind a function belongs to none';
    if (different.every(({ functionName }) => functionName.startsWith('_Z')))
      return 'a name that the demangler does not know stays as it is';
    if (llvm !== undefined && differentNames(ours, llvm).length === 0)
      return 'LLVM agrees with ours: binutils names the wrong function';
    return undefined;
  }
  if (llvm !== undefined && places(llvm) === places(ours))
    return 'LLVM agrees with ours: binutils names the wrong file or line';
  return undefined;
}

describe.skipIf(sources === undefined)(
  sources === undefined ? absent('strace-programs') : 'against binutils addr2line',
  () => {
    for (const build of BUILDS) {
      const missing = [build.tool, 'addr2line', 'objdump'].filter((tool) => !has(tool));
      const title = missing.length === 0 ? build.name : `${build.name}: needs ${missing.join(', ')}`;
      test.skipIf(missing.length > 0)(title, async () => {
        await compare(compile(build));
      });
    }

    test.skipIf(!has('gcc') || !has('objcopy'))('sections compressed with zstd', async () => {
      const plain = compile(BUILDS[1]!);
      const packed = `${plain}.zstd`;
      execFileSync('objcopy', ['--compress-debug-sections=zstd', plain, packed]);
      const addresses = Float64Array.from(instructionAddresses(plain));
      const expected = (await openBinary(plain)).lookup(addresses);
      const found = (await openBinary(packed)).lookup(addresses);
      expect(addresses.map((_, i) => framesAt(found, i).length)).toEqual(
        addresses.map((_, i) => framesAt(expected, i).length),
      );
      expect(places(framesAt(found, 20))).toBe(places(framesAt(expected, 20)));
      expect(found.line).toEqual(expected.line);
    });

    test.skipIf(!has('rustc'))(has('rustc') ? 'Rust names' : 'Rust names: needs rustc', async () => {
      const source = path.join(folder, 'hello.rs');
      writeFileSync(
        source,
        'mod deep { #[inline(never)] pub fn emit(n: usize) { println!("{}", n); } }\nfn main() { deep::emit(3); }\n',
      );
      const binary = path.join(folder, 'hello');
      execFileSync('rustc', ['-g', '-O', '-o', binary, source]);
      const symbols = execFileSync('nm', [binary]).toString();
      const address = Number.parseInt(/^([0-9a-f]+) . \S*4deep4emit\S*$/m.exec(symbols)![1]!, 16);
      const frames = framesAt((await openBinary(binary)).lookup(Float64Array.of(address)), 0);
      expect(frames.at(-1)?.functionName).toBe('hello::deep::emit');
    });
  },
);

async function compare(binary: string): Promise<void> {
  const addresses = instructionAddresses(binary);
  const ours = (await openBinary(binary)).lookup(Float64Array.from(addresses));
  const theirs = byTool('addr2line', ['-a', '-i', '-f', '-C', '-e', binary], addresses);
  const llvmTool = ['llvm-symbolizer', 'llvm-symbolizer-14'].find(has);
  const options = [`--obj=${binary}`, '--output-style=GNU', '--inlines', '--demangle', '--addresses'];
  const llvm = llvmTool === undefined ? undefined : byTool(llvmTool, options, addresses);
  expect(addresses.length).toBeGreaterThan(50);
  const unexplained: unknown[] = [];
  addresses.forEach((address, i) => {
    const mine = framesAt(ours, i);
    const binutils = framesAt(theirs, i);
    if (JSON.stringify(mine) === JSON.stringify(binutils)) return;
    const referee = llvm === undefined ? undefined : framesAt(llvm, i);
    if (explanation(mine, binutils, referee) === undefined) {
      unexplained.push({ address: address.toString(16), mine, binutils, referee });
    }
  });
  expect(unexplained).toEqual([]);
}
