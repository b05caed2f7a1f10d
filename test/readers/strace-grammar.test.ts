import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import { absent, corpus } from '../support/corpus.ts';

/** The grammar in the engine that VS Code itself uses, on lines that strace wrote. */
const root = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: { languages: { firstLine: string; extensions: string[] }[] };
};
const recordings = corpus('strace');
const programs = corpus('strace-programs');
let grammar: IGrammar;

beforeAll(async () => {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(Uint8Array.from(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: () => {
      const file = path.join(root, 'syntaxes/strace.tmLanguage.json');
      return Promise.resolve(textmate.parseRawGrammar(readFileSync(file, 'utf8'), file));
    },
  });
  grammar = (await registry.loadGrammar('source.strace'))!;
});

/** `text → innermost scope` of every piece of text that has a scope of its own. */
function scopes(line: string): string[] {
  const pieces: { text: string; scope: string }[] = [];
  for (const { startIndex, endIndex, scopes: all } of grammar.tokenizeLine(line, textmate.INITIAL).tokens) {
    const scope = all.at(-1)!.replace(/\.strace$/, '');
    const text = line.slice(startIndex, endIndex);
    if (pieces.at(-1)?.scope === scope) pieces.at(-1)!.text += text;
    else pieces.push({ text, scope });
  }
  return pieces.filter(({ scope }) => !/^(meta|source)/.test(scope)).map(({ text, scope }) => `${text} → ${scope}`);
}

/** Names and paths that come in every line are checked once. */
const withoutPunctuation = (line: string): string[] => scopes(line).filter((token) => !token.includes('punctuation.'));

describe('scopes', () => {
  test('a call with times, descriptors and a string', () => {
    const line =
      '19536 1795252366.882482 openat(AT_FDCWD</tmp/fmt>, "/etc/ld.so.cache", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache> <0.000010>';
    expect(scopes(line)).toEqual([
      '19536 → constant.numeric.process',
      '1795252366.882482 → comment.line.timestamp',
      'openat → entity.name.function.call',
      'AT_FDCWD → constant.language.flag',
      '< → punctuation.definition.path.begin',
      '/tmp/fmt → string.other.link.path',
      '> → punctuation.definition.path.end',
      '" → punctuation.definition.string.begin',
      '/etc/ld.so.cache → string.quoted.double',
      '" → punctuation.definition.string.end',
      'O_RDONLY → constant.language.flag',
      'O_CLOEXEC → constant.language.flag',
      '= → keyword.operator.result',
      '3 → constant.numeric.descriptor',
      '< → punctuation.definition.path.begin',
      '/etc/ld.so.cache → string.other.link.path',
      '> → punctuation.definition.path.end',
      '< → punctuation.definition.duration.begin',
      '0.000010 → constant.numeric.duration',
      '> → punctuation.definition.duration.end',
    ]);
  });

  test('a path with blanks, brackets, quotes and escapes is one path', () => {
    const line = String.raw`7 write(4</tmp/a b (c) \74d\76 \"e\", = 3 \n \351.txt>, "x\0"..., 9) = 9`;
    expect(withoutPunctuation(line)).toEqual([
      '7 → constant.numeric.process',
      'write → entity.name.function.call',
      '4 → constant.numeric.descriptor',
      '/tmp/a b (c)  → string.other.link.path',
      '\\74 → constant.character.escape',
      'd → string.other.link.path',
      '\\76 → constant.character.escape',
      '  → string.other.link.path',
      '\\" → constant.character.escape',
      'e → string.other.link.path',
      '\\" → constant.character.escape',
      ', = 3  → string.other.link.path',
      '\\n → constant.character.escape',
      '  → string.other.link.path',
      '\\351 → constant.character.escape',
      '.txt → string.other.link.path',
      'x → string.quoted.double',
      '\\0 → constant.character.escape',
      '... → keyword.operator.cut',
      '9 → constant.numeric.decimal',
      '= → keyword.operator.result',
      '9 → constant.numeric.result',
    ]);
  });

  test('sockets and devices', () => {
    expect(withoutPunctuation('read(5<TCP:[127.0.0.1:57002->127.0.0.1:41545]>, "", 8) = 0').slice(1, 3)).toEqual([
      '5 → constant.numeric.descriptor',
      'TCP:[127.0.0.1:57002->127.0.0.1:41545] → string.other.link.path',
    ]);
    expect(withoutPunctuation('write(1</dev/pts/1<char 136:1>>, "", 0) = 0').slice(1, 3)).toEqual([
      '1 → constant.numeric.descriptor',
      '/dev/pts/1<char 136:1> → string.other.link.path',
    ]);
  });

  test('the two halves of a call', () => {
    expect(withoutPunctuation('19512 12:00:00.755551 read(3</tmp/f>,  <unfinished ...>')).toEqual([
      '19512 → constant.numeric.process',
      '12:00:00.755551 → comment.line.timestamp',
      'read → entity.name.function.call',
      '3 → constant.numeric.descriptor',
      '/tmp/f → string.other.link.path',
      '<unfinished ...> → keyword.control.unfinished',
    ]);
    expect(withoutPunctuation('[pid 19512] <... clone resumed>, child_tidptr=0x7fd62fed1a10) = 19513')).toEqual([
      '19512 → constant.numeric.process',
      '<... → keyword.control.resumed',
      'clone → entity.name.function.call',
      'resumed> → keyword.control.resumed',
      'child_tidptr → variable.parameter',
      '0x7fd62fed1a10 → constant.numeric.hex',
      '= → keyword.operator.result',
      '19513 → constant.numeric.result',
    ]);
  });

  test('signal and exit', () => {
    expect(withoutPunctuation('19494 --- SIGCHLD {si_signo=SIGCHLD, si_pid=19495} ---')).toEqual([
      '19494 → constant.numeric.process',
      'SIGCHLD → keyword.other.signal',
      'si_signo → variable.parameter',
      'SIGCHLD → keyword.other.signal',
      'si_pid → variable.parameter',
      '19495 → constant.numeric.decimal',
    ]);
    expect(scopes('19495 +++ exited with 0 +++')).toEqual([
      '19495 → constant.numeric.process',
      '+++ → punctuation.definition.exit',
      'exited with → keyword.control.exit',
      '0 → constant.numeric.status',
      ' +++ → punctuation.definition.exit',
    ]);
    expect(withoutPunctuation('+++ killed by SIGSEGV (core dumped) +++')).toEqual([
      'killed by → keyword.control.exit',
      'SIGSEGV → keyword.other.signal',
      ' (core dumped) → keyword.control.exit',
    ]);
  });

  test('errors', () => {
    expect(withoutPunctuation('access("/x", R_OK)      = -1 ENOENT (No such file or directory)').slice(3)).toEqual([
      '= → keyword.operator.result',
      '-1 → constant.numeric.result',
      'ENOENT → token.error-token',
      '(No such file or directory) → comment.line.error',
    ]);
    expect(withoutPunctuation('exit_group(0) = ?').at(-1)).toBe('? → constant.language.unknown');
    expect(withoutPunctuation('read(0, 0x1, 4) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)').at(-2)).toBe(
      'ERESTARTSYS → token.error-token',
    );
  });

  test('stack frames with C++ symbols, and with the line that strace found itself', () => {
    expect(scopes(' > /usr/lib/libstdc++.so.6.0.30(std::map<int, f(char)>::at(int const&)+0x48) [0x12fc68]')).toEqual([
      ' > → punctuation.definition.frame',
      '/usr/lib/libstdc++.so.6.0.30 → string.other.link.module',
      '( → punctuation.section.symbol.begin',
      'std::map<int, f(char)>::at(int const&) → entity.name.function.symbol',
      '+0x48 → constant.numeric.offset',
      ') → punctuation.section.symbol.end',
      '[ → punctuation.section.address.begin',
      '0x12fc68 → constant.numeric.address',
      '] → punctuation.section.address.end',
    ]);
    expect(withoutPunctuation(' > /opt/app/run(main+0xef) [0x24f8] /opt/my app/main.c:25').slice(-2)).toEqual([
      '/opt/my app/main.c → string.other.link.source',
      '25 → constant.numeric.line',
    ]);
    expect(withoutPunctuation(' > /opt/app/run() [0x120f]')).toEqual([
      '/opt/app/run → string.other.link.module',
      '0x120f → constant.numeric.address',
    ]);
  });

  test("a program's own output among the lines stays plain", () =>
    expect(scopes('Step 12 of 40: wrote "out.dat" (3 MB) in 0.2 s')).toEqual([]));
});

const skip = recordings === undefined || programs === undefined;
const title = skip ? absent('strace, strace-programs') : 'every line of the corpus';
describe.skipIf(skip)(title, () => {
  test('ends in the state that it began in, and calls are recognised', () => {
    let calls = 0;
    for (const line of linesBelow(recordings!)) {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, textmate.INITIAL);
      expect(ruleStack.depth, line.slice(0, 200)).toBe(1);
      if (tokens.some(({ scopes: all }) => all.includes('entity.name.function.call.strace'))) calls++;
    }
    expect(calls).toBeGreaterThan(5000);
  });

  test('the first line tells a recording without an ending of its own', () => {
    const { firstLine, extensions } = manifest.contributes.languages[0]!;
    const pattern = new RegExp(firstLine);
    const names = ['f.strace', 'f-ttt.strace', 'f-tt-T-y.strace', 'k.strace', 'n-f-ttt-T.strace', 'stderr-pid.strace'];
    for (const name of names) {
      const [first] = readFileSync(path.join(recordings!, 'formats', name), 'latin1').split('\n');
      expect(pattern.test(first!), `${name}: ${first!}`).toBe(true);
    }
    for (const other of ['execve is a call', '#!/bin/sh', '1 2 3', '12:00:00 started execve("x"', ' execve("a")'])
      expect(pattern.test(other), other).toBe(false);
    expect(extensions).toEqual(['.strace', '.st']);
  });
});

/** Lines that a program could write to make a pattern try every way there is; each would take minutes if it did. */
test('hostile lines of hundreds of kilobytes end', () => {
  const size = 300_000;
  const fill = (text: string): string => text.repeat(Math.ceil(size / text.length));
  const lines = [
    `1 write(1</f>, "${fill('\\1')}", ${size}) = ${size}`,
    `1 write(1</f>, "${fill('a')}`,
    `1 write(1<${fill('/x<')}`,
    `1 write(${fill('1')}a`,
    `1 write(${fill('=')}`,
    `1 write(${fill('<1> ')}`,
    `1 f(${fill('A')}a${fill(' ')}`,
    `1 f(${fill('= -1 EIO (')}`,
    fill('1'),
    fill('a'),
    ` > ${fill('(')}`,
    ` > /x(${fill(') [')}`,
    ` > /x() [0x1] ${fill(':1')}x`,
    ` > /x() ${fill('[0x1] ')}`,
    `1 --- SIGUSR1 {${fill('--- ')}`,
    `1 +++ ${fill('exited with 0 ')}`,
    `[pid ${fill(' ')}`,
    fill(' '),
    fill('1<'),
  ];
  for (const line of lines) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, textmate.INITIAL);
    expect(tokens.at(-1)!.endIndex).toBeGreaterThanOrEqual(line.length);
    expect(ruleStack.depth).toBe(1);
  }
}, 60_000);

function* linesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(strace|st)(\.gz)?$/.test(entry.name)) continue;
    const bytes = readFileSync(path.join(entry.parentPath, entry.name));
    const text = (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    yield* text.split(/\r?\n/);
  }
}
