import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import { readDarshan } from '../../src/readers/darshan/darshan-reader.ts';
import { LocalRecordingFile } from '../../src/session/reading/recording-files.ts';
import { absent, corpus } from '../support/corpus.ts';
import { printCounters } from '../support/darshan/darshan-printer.ts';
import { COLUMNS, HEADER, row } from '../support/darshan/darshan-samples.ts';

/** The grammars of both outputs in the engine that VS Code itself uses. */
const root = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: {
    languages: { id: string; firstLine: string; extensions?: string[]; filenamePatterns?: string[] }[];
    grammars: { scopeName: string; path: string }[];
  };
};
let counters: IGrammar;
let segments: IGrammar;

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(Uint8Array.from(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (scopeName) => {
      const { path: name } = manifest.contributes.grammars.find((grammar) => grammar.scopeName === scopeName)!;
      const file = path.join(root, name);
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(file, 'utf8'), file));
    },
  });
  counters = (await registry.loadGrammar('source.darshan-parser'))!;
  segments = (await registry.loadGrammar('source.darshan-dxt-parser'))!;
});

/** `text → innermost scope` of every piece of text that has a scope of its own. */
function scopes(grammar: IGrammar, line: string): string[] {
  const { tokens } = grammar.tokenizeLine(line, textmate.INITIAL);
  return tokens
    .map(({ startIndex, endIndex, scopes: all }) => {
      const scope = all.at(-1)!.replace(/\.darshan-(dxt-)?parser$/, '');
      return { text: line.slice(startIndex, endIndex), scope };
    })
    .filter(({ scope }) => !/^(meta|source|punctuation)/.test(scope))
    .map(({ text, scope }) => `${text} → ${scope}`);
}

describe('scopes', () => {
  test('a row of counters, in both grammars', () => {
    const line = row('POSIX_F_READ_TIME', '-0.250000', { rank: -1, name: '/scratch/my file' });
    for (const grammar of [counters, segments]) {
      expect(scopes(grammar, line)).toEqual([
        'POSIX → entity.name.type.module',
        '-1 → constant.numeric.rank',
        '7 → comment.line.record',
        'POSIX_F_READ_TIME → variable.other.counter',
        '-0.250000 → constant.numeric.value',
        '/scratch/my file → string.other.link.path',
        '/scratch → comment.line.mount',
        'lustre → comment.line.filesystem',
      ]);
    }
    expect(scopes(counters, row('LUSTRE_COMP1_POOL_NAME', 'N/A')).slice(4, 5)).toEqual(['N/A → string.unquoted.value']);
  });

  test('a row of segments, in both grammars', () => {
    const line =
      ' X_POSIX       3  write        0              -1         4096      0.0010      0.0011  [ 12]  139979100170048  [0x7f52, 0x180x3fa0]';
    for (const grammar of [counters, segments]) {
      expect(scopes(grammar, line)).toEqual([
        'X_POSIX → entity.name.type.module',
        '3 → constant.numeric.rank',
        'write → keyword.operator.write',
        '0 → comment.line.segment',
        '-1 → constant.numeric.offset',
        '4096 → constant.numeric.length',
        '0.0010 → constant.numeric.time',
        '0.0011 → constant.numeric.time',
        '12 → constant.numeric.target',
        '139979100170048 → comment.line.thread',
        '0x7f52 → constant.numeric.address',
        '0x18 → constant.numeric.address',
        '0x3fa0 → constant.numeric.address',
      ]);
    }
  });

  test('what stands above segments', () => {
    expect(scopes(segments, '# DXT, file_id: 42, file_name: /scratch/a, b: c')).toEqual([
      'file_id → support.type.property-name',
      '42 → comment.line.record',
      'file_name → support.type.property-name',
      '/scratch/a, b: c → string.other.link.path',
    ]);
    expect(scopes(segments, '# DXT, rank: 3, hostname: nid00012')).toEqual([
      'rank → support.type.property-name',
      '3 → string.unquoted.header',
      'hostname → support.type.property-name',
      'nid00012 → string.unquoted.header',
    ]);
    expect(scopes(segments, '0x4012f2, /src/my a.c:19 (discriminator 3)').slice(0, 3)).toEqual([
      '0x4012f2 → constant.numeric.address',
      '/src/my a.c → string.other.link.source',
      '19 → constant.numeric.line',
    ]);
  });

  test('headers, modules and warnings', () => {
    expect(scopes(counters, '# run time: 10.2500')).toEqual([
      'run time → support.type.property-name',
      ' 10.2500 → string.unquoted.header',
    ]);
    expect(scopes(segments, '# DXT_POSIX module data')).toEqual(['DXT_POSIX module data → markup.heading.module']);
    expect(scopes(counters, '# *WARNING*: The POSIX module contains incomplete data!')[0]).toContain(
      'token.warn-token',
    );
    expect(scopes(counters, 'total_POSIX_OPENS: 16')).toEqual([
      'total_POSIX_OPENS → variable.other.counter',
      '16 → constant.numeric.value',
    ]);
  });

  test("a program's own output stays plain", () =>
    expect(scopes(counters, 'POSIX is a standard: 16 files')).toEqual([]));
});

test('the first line tells an output; files of other languages are left alone', () => {
  const languageOf = (line: string): string | undefined =>
    manifest.contributes.languages.find(({ firstLine }) => new RegExp(firstLine).test(line))?.id;
  expect(languageOf(HEADER)).toBe('darshan-parser');
  expect(languageOf(COLUMNS)).toBe('darshan-parser');
  expect(languageOf(row('POSIX_OPENS', 3))).toBe('darshan-parser');
  expect(languageOf('# DXT, file_id: 42, file_name: /a')).toBe('darshan-dxt-parser');
  expect(languageOf(' X_POSIX       3  write        0')).toBe('darshan-dxt-parser');
  for (const other of ['# darshan', '#!/bin/sh', 'POSIX\tis', 'A\t1\t2\tb', ' X_POSIX is']) {
    expect(languageOf(other), other).toBeUndefined();
  }
  for (const { id, extensions, filenamePatterns } of manifest.contributes.languages) {
    if (id.startsWith('darshan')) expect([extensions, filenamePatterns]).toEqual([undefined, undefined]);
  }
});

const logs = corpus('darshan');
const texts = corpus('darshan-stack');
const skip = logs === undefined || texts === undefined;
describe.skipIf(skip)(skip ? absent('darshan, darshan-stack') : 'every line of real output', () => {
  const check = (grammar: IGrammar, text: string, scope: string): number => {
    let rows = 0;
    for (const line of text.split(/\r?\n/)) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, textmate.INITIAL);
      expect(ruleStack.depth, line.slice(0, 200)).toBe(1);
      if (tokens.some(({ scopes: all }) => all.includes(scope))) rows++;
      else if (line !== '' && !line.startsWith('#') && !line.startsWith('0x')) expect(line, 'without colours').toBe('');
    }
    return rows;
  };

  test('of darshan-dxt-parser', () => {
    let rows = 0;
    for (const name of readdirSync(texts!).filter((file) => file.includes('.dxt.txt'))) {
      const bytes = readFileSync(path.join(texts!, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      rows += check(segments, text.slice(0, 300_000), 'entity.name.type.module.darshan-dxt-parser');
    }
    expect(rows).toBeGreaterThan(5000);
  });

  test('of darshan-parser', async () => {
    const file = path.join(logs!, 'mpi-io-test-x86_64-3.4.6.darshan');
    const text = printCounters(await readDarshan([new LocalRecordingFile(file, statSync(file).size)]));
    expect(check(counters, text, 'entity.name.type.module.darshan-parser')).toBeGreaterThan(500);
  });
});

/** Lines that a program could write to make a pattern try every way there is; each would take minutes if it did. */
test('hostile lines of a hundred kilobytes end', () => {
  const size = 100_000;
  const fill = (text: string): string => text.repeat(Math.ceil(size / text.length));
  const lines = [
    `POSIX\t0\t7\tPOSIX_OPENS\t${fill('1')}`,
    `POSIX\t0\t7\tPOSIX_OPENS\t1${fill('\t')}`,
    `POSIX\t0\t7\t${fill('A')}`,
    fill('A'),
    fill('POSIX\t'),
    ` X_POSIX       0  write        0               0         4096      0.0010      0.0011${fill(' [')}`,
    ` X_POSIX       0  write        0               0         4096      0.0010      0.0011${fill(' 1')}`,
    ` X_POSIX       0  write        0               0         4096      0.0010      0.0011 [${fill('0x')}`,
    ` X_POSIX       0  write        0               0         4096      0.0010      0.0011 ${fill('1')}`,
    ` X_POSIX${fill(' ')}`,
    fill(' '),
    `# DXT, ${fill('Lustre ')}`,
    `# DXT, ${fill('rank: ')}`,
    `# DXT, file_id: 1, file_name: ${fill(',')}`,
    `0x1, ${fill(':1')}x`,
    `# ${fill('A')}`,
    `#   ${fill('A_')}`,
    `# *WARNING*: ${fill('*')}`,
    `total_${fill('A_')}`,
    fill('0x1'),
  ];
  for (const grammar of [counters, segments]) {
    for (const line of lines) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, textmate.INITIAL);
      expect(tokens.at(-1)!.endIndex).toBeGreaterThanOrEqual(line.length);
      expect(ruleStack.depth).toBe(1);
    }
  }
}, 60_000);
