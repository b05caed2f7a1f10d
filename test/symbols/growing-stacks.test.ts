import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readStrace } from '../../src/readers/strace/strace-reader.ts';
import { localSymbolFiles } from '../../src/session/machine/local-files.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import type { LookupFactory } from '../../src/symbols/address-lookup.ts';
import { GrowingStacks } from '../../src/symbols/growing-stacks.ts';
import type { ResolvedStacks } from '../../src/symbols/resolved-stacks.ts';
import { resolveStacks } from '../../src/symbols/stack-resolver.ts';
import type { Trace } from '../../src/trace/trace.ts';
import { memoryFile } from '../support/memory-file.ts';
import { freshFolder, has, recordEmit } from '../support/programs.ts';
import { PLAIN_SEARCH } from '../../src/symbols/symbol-files.ts';

const folder = freshFolder('growing-stacks');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const framesOf = (trace: Trace, resolved: ResolvedStacks): unknown =>
  Array.from({ length: trace.stacks.nodes }, (_, node) => resolved.framesOf(node));

const isPossible = has('gcc', 'strace');

describe.skipIf(!isPossible)(isPossible ? 'stacks that grow' : 'gcc or strace is not on this machine', () =>
  test('are resolved as if at once, and each address is looked up once', async () => {
    const text = readFileSync(recordEmit(folder), 'utf8');
    const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');
    const factory = await chooseLookup(wasm, false);
    const asked: number[] = [];
    let opened = 0;
    const counting: LookupFactory = {
      tool: factory.tool,
      demangle: (names) => factory.demangle(names),
      open: async (debug, alternate) => {
        opened++;
        const lookup = await factory.open(debug, alternate);
        return {
          lookup: (addresses) => {
            asked.push(...addresses);
            return lookup.lookup(addresses);
          },
          close: () => lookup.close(),
        };
      },
    };
    const search = { ...PLAIN_SEARCH, ownFolders: [folder] };
    const growing = new GrowingStacks(localSymbolFiles, counting);
    const ends = [0.2, 0.9, 0.95, 1].map((share) => text.lastIndexOf('\n', share * text.length) + 1);
    ends.push(text.indexOf('\n', text.indexOf('out.dat')) + 1);
    const seen: number[] = [];
    for (const end of ends.sort((a, b) => a - b)) {
      const trace = await readStrace([memoryFile('emit.strace', text.slice(0, end))]);
      const resolved = await growing.resolve(trace, search);
      const whole = await resolveStacks(trace, localSymbolFiles, search, factory);
      expect(framesOf(trace, resolved)).toEqual(framesOf(trace, whole));
      expect(resolved.modules).toEqual(whole.modules);
      expect(await growing.resolve(trace, search)).toBe(resolved);
      seen.push(trace.stacks.nodes);
    }
    growing.close();
    expect(new Set(seen).size).toBeGreaterThan(2);
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked).size).toBe(asked.length);
    expect(opened).toBe(1);
  }),
);
