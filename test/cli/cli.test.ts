import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisDocument, GraphDocument, InfoDocument } from '../../src/export/analysis/documents.ts';
import { CALIBRATED_CALLS, type Calibration } from '../../src/trace/calibration.ts';
import { dearRecording } from '../support/dear-recording.ts';
import { absent, corpus } from '../support/corpus.ts';
import { Words, writeLog } from '../support/darshan/darshan-writer.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** The built command, as scripts and continuous integration use it (docs/cli.md). */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
const demo = path.resolve(import.meta.dirname, '../../demo/heat/heat.strace.gz');
const map = `/home/hpc/heat=${path.dirname(demo)}`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], input = ''): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8',
    input,
    cwd: folder,
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout, err: stderr };
}

const json = (args: readonly string[], input?: string): unknown => JSON.parse(run(args, input).out);

describe('info', () => {
  test('begins with the run, as the report does, and its JSON has the same', () => {
    const first = (command: string): string => run([command, demo]).out.split('\n')[1]!;
    expect(first('info')).toMatch(/^ {2}The run takes about .* of it I\/O .* could together save .* \(\d+ %\)\.$/);
    expect(first('info')).toBe(first('analyze'));
    const { run: ofInfo } = json(['info', '--json', demo]) as AnalysisDocument;
    expect(ofInfo).toEqual((json(['analyze', '--format', 'json', demo]) as AnalysisDocument).run);
    expect(ofInfo!.savableNs).toBeGreaterThan(0);
  });

  test('says in its first lines that a recording ended early', () => {
    const killed = new StraceText().call(7, 'execve("/w/app", ["app"], 0x7ffd /* 9 vars */) = 0', 40);
    killed.times(200, () => killed.call(7, 'write(3</w/a>, "x"..., 16) = 16', 40, [line(7)]));
    const { out } = run(['info', '-'], `${killed.toString()}7 1795252180.9 +++ killed by SIGKILL +++\n`);
    const lines = out.split('\n');
    expect(lines[1]).toMatch(
      /^ {2}From its first .* the run takes .* The recording ended early, or a part of it is lost/,
    );
    expect(lines[2]).toMatch(/^ {2}Ended early: .*7/);
  });

  test('tells what a recording is and holds', () => {
    const info = json(['info', '--json', demo]) as InfoDocument;
    expect(info).toMatchObject({
      schema: 'iolens/info@1',
      format: 'strace',
      program: './heat results',
      streams: 1,
      layers: ['system call'],
      events: 5150,
      counters: {},
      segments: {},
      damage: [],
    });
    expect(info.startTime).toBeCloseTo(1795267813.558, 2);
    expect(info.stacks).toBeGreaterThan(5);
  });

  test('several recordings give an array, and one that is damaged a warning', () => {
    const cut = path.join(folder, 'cut.strace');
    writeFileSync(cut, '7 1795252180.5 read(3</x>, "a", 1) = 1 <0.1>\n7 1795252181.5 read(3</x');
    const { status, out, err } = run(['info', '--json', demo, cut]);
    expect(status).toBe(0);
    expect((JSON.parse(out) as InfoDocument[]).map(({ events }) => events)).toEqual([5150, 1]);
    expect(err).toContain('was read in part: 1 report of damage, which "iolens info" lists');
    expect(run(['info', cut]).out).toMatch(/^damage\n {2}\S/m);
  });

  test('text on standard input', () => {
    const info = json(['info', '--json', '-'], '7 1795252180.5 read(3</x>, "a", 1) = 1 <0.1>\n') as InfoDocument;
    expect(info.events).toBe(1);
  });

  test('compressed text on standard input, cut off', () => {
    const line = '7 1795252180.5 read(3</x>, "a", 1) = 1 <0.1>\n';
    const packed = gzipSync(line.repeat(1000));
    const input = packed.subarray(0, packed.length - 20);
    const { status, stdout } = spawnSync(process.execPath, [cli, 'info', '--json', '-'], { encoding: 'utf8', input });
    const info = JSON.parse(stdout) as InfoDocument;
    expect(status).toBe(0);
    expect(info.events).toBeGreaterThan(500);
    expect(info.damage.at(-1)!.what).toContain('the gzip data end in the middle: the file was cut off');
  });

  test('a Darshan log, on standard input as well', () => {
    const stdio = new Words().int(1, 0, ...Array.from({ length: 14 }, () => 3));
    const record = stdio.float(...Array.from({ length: 15 }, () => 0.5)).bytes;
    const input = writeLog({ names: [[1n, '/x']], modules: [{ slot: 9, version: 2, streams: [record] }] });
    const { status, stdout } = spawnSync(process.execPath, [cli, 'info', '--json', '-'], { encoding: 'utf8', input });
    expect(status).toBe(0);
    const info = JSON.parse(stdout) as InfoDocument;
    expect(info).toMatchObject({ format: 'darshan', version: '3.41', program: './program', streams: 4, files: 1 });
    expect(info).toMatchObject({ startTime: 1_700_000_000, durationNs: 10_250_000_000, layers: ['STDIO'], events: 0 });
    expect(info.counters['STDIO']).toMatchObject({ records: 1, totals: { STDIO_OPENS: 3, STDIO_F_META_TIME: 0.5 } });
    const logs = ['job.darshan', 'other.darshan'].map((name) => path.join(folder, name));
    for (const log of logs) writeFileSync(log, input);
    expect(run(['info', ...logs]).out.match(/^ +records +STDIO 1$/gm)).toHaveLength(2);
  });

  test('says what lies beside a recording', () => {
    const mixed = path.join(folder, 'mixed');
    mkdirSync(mixed);
    writeFileSync(path.join(mixed, 'trace.7'), '7 1795252180.5 read(3</x>, "a", 1) = 1 <0.1>\n');
    writeFileSync(path.join(mixed, 'main.c'), 'int main;\n');
    expect(run(['info', mixed]).out).toContain('notes\n  main.c: left out: no strace recording\n');
  });
});

describe('exit statuses', () => {
  test.each([
    ['an unknown command', ['frobnicate'], 2],
    ['an unknown format', ['analyze', '--format', 'xml', demo], 2],
    ['a mapping that is none', ['dfg', '--mapping', 'nonsense', demo], 2],
    ['no such file', ['info', '/nonexistent'], 3],
    ['a glob that matches nothing', ['info', '/tmp/nothing-*.here'], 3],
    ['help', ['--help'], 0],
  ])('%s', (_name, args, status) => expect(run(args).status).toBe(status));

  test('--fail-on counts what is surely so grave, and says what is not', () => {
    expect(run(['analyze', '--fail-on', 'high', '-'], dearRecording()).status).toBe(1);
    // Recorded without a calibration: what the writes of the sample cost is not known so well.
    const { status, err } = run(['analyze', '--fail-on', 'high', demo]);
    expect(status).toBe(0);
    expect(err).toContain('P06 is high, but not counted by --fail-on: at the lower end of its interval it is warn');
  });

  test('what is no recording', () => {
    const junk = path.join(folder, 'junk');
    writeFileSync(junk, 'nothing to see here\n');
    const { status, err } = run(['info', junk]);
    expect(status).toBe(3);
    expect(err).toMatch(/is no recording of a known format \(.*strace.*\)/);
  });

  test('a configuration that is no JSON names its file', () => {
    const config = path.join(folder, 'config.json');
    writeFileSync(config, '{ "tiny_bytes": "many" }');
    const { status, err } = run(['analyze', '--config', config, demo]);
    expect(status).toBe(2);
    expect(err).toContain('config.json: tiny_bytes must be a number');
    writeFileSync(config, Buffer.from([0x1b, 0x5b, 0xff, 0x00]));
    expect(run(['analyze', '--config', config, demo]).err).toBe(`iolens: --config ${config}: it is not JSON\n`);
    expect(run(['analyze', '--config', folder, demo]).err).toContain(`--config ${folder}: it is a folder, no file`);
  });
});

describe('analyze', () => {
  test('names sites with evidence, callers and recommendations', () => {
    const analysis = json(['analyze', '--format', 'json', '--source-map', map, demo]) as AnalysisDocument;
    expect(analysis.schema).toBe('iolens/analysis@1');
    const [first] = analysis.insights;
    expect(first).toMatchObject({ code: 'P06', trigger: 'posix-small-writes', severity: 'high' });
    expect(first!.evidence).toMatchObject({ count: 4096, medianBytes: 100 });
    const [site] = first!.sites;
    expect(site).toMatchObject({ line: 22, function: 'emit', events: 4096, bytes: 409_600, share: 1, isHere: true });
    expect(site!.file).toBe(path.join(path.dirname(demo), 'heat.c'));
    expect(site!.stack.map(({ function: name }) => name)).toContain('main');
    expect(first!.recommendations[0]!.snippet!.code).toContain('4,096 writes of 100 B');
    expect(analysis.timing[0]!.tracerShare).toBeGreaterThan(0.5);
  });

  test('the text report shows the source line', () => {
    const { out } = run(['analyze', '--source-map', map, demo]);
    expect(out).toContain('if (write(fd, line, 100) != 100)');
    expect(out).toContain('called from');
    expect(out).toMatch(
      /Following this would save about [\d.]+ (ms|µs) \(.* to .*\) of .* of I\/O in a run without a tracer\./,
    );
  });

  test.skipIf(!existsSync('/dev/full'))(
    'standard output that cannot be written is an error in words; a closed one is none',
    () => {
      const dear = path.join(folder, 'dear.strace');
      writeFileSync(dear, dearRecording());
      const shell = (command: string): { status: number | null; stderr: string } =>
        spawnSync('bash', ['-c', command, 'bash', process.execPath, cli, dear], { encoding: 'utf8', cwd: folder });
      const full = shell('"$1" "$2" info "$3" > /dev/full');
      expect([full.status, full.stderr]).toEqual([
        2,
        expect.stringMatching(/^iolens: standard output cannot be written: ENOSPC/),
      ]);
      const closed = shell('("$1" "$2" analyze --fail-on high --format html "$3"; echo "status $?" >&2) | true');
      expect(closed.stderr).toContain('status 1\n');
    },
  );

  test('Drishti’s own configuration is understood; what is no threshold ends the command', () => {
    const config = path.join(folder, 'drishti.json');
    writeFileSync(config, '{ "small": { "requests": 0.2 }, "backtrace": 2 }');
    const { status, err } = run(['analyze', '--config', config, demo]);
    expect(status).toBe(0);
    expect(err).toContain('whatever "backtrace" says');
    writeFileSync(config, '{ "small": { "requests": 0.2 }, "tiny_byte": 2 }');
    const refused = run(['analyze', '--config', config, demo]);
    expect([refused.status, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain('drishti.json: tiny_byte is no threshold (is tiny_bytes meant?)');
  });

  test('the text report marks a line once for one cause, and has what is no finding in short', () => {
    const text = new StraceText();
    text.times(200, (i) => text.call(1, `pwrite64(3</w/a>, ""..., 8, ${i * 128}) = 8`, 10, [line(8)]));
    const config = path.join(folder, 'short.json');
    writeFileSync(config, '{ "summary_operations": 10 }');
    const { out } = run(['analyze', '--config', config, '-'], text.toString());
    expect(out).toContain('HIGH L06 Small writes with gaps of equal size');
    expect(out).not.toContain('Many small writes');
    expect(out).toContain('\n… and 1 that follows from these: P06 (--all shows them)\n');
    expect(out).toContain('In short\n  P01 Mostly write calls: 200 against 0 (100 %).\n');
    const other = (format: string): string =>
      run(['analyze', '--config', config, '--format', format, '-'], text.toString()).out;
    const sarif = JSON.parse(other('sarif')) as { runs: { results: { ruleId: string }[] }[] };
    expect(sarif.runs[0]!.results.map(({ ruleId }) => ruleId)).toEqual(['L06']);
    const textOfPage = other('html').replace(/<[^>]*>/g, '');
    for (const [report, summary] of [
      [other('markdown'), 'P01 Mostly write calls: 200 against 0 (100 %).'],
      [textOfPage, 'Mostly write calls P01Mostly write calls: 200 against 0 (100 %).'],
    ] as const) {
      expect(report).toContain('In short');
      expect(report).toContain(summary);
      expect(report).not.toContain('Many small writes');
      expect(report).toContain('… and 1 that follows from these: P06.');
    }
    const document = JSON.parse(run(['analyze', '--format', 'json', '-'], text.toString()).out) as AnalysisDocument;
    expect(document.insights.map(({ code, sites }) => [code, sites[0]!.explainedBy])).toEqual([
      ['L06', undefined],
      ['P06', 'L06'],
    ]);
  });

  test('thresholds of a configuration are used', () => {
    const config = path.join(folder, 'strict.json');
    writeFileSync(config, '{ "tiny_bytes": 50 }');
    const analysis = json(['analyze', '--format', 'json', '--config', config, demo]) as AnalysisDocument;
    expect(analysis.insights.map(({ trigger }) => trigger)).not.toContain('posix-small-writes');
  });

  test('-o writes a file', () => {
    const file = path.join(folder, 'report.json');
    expect(run(['analyze', '--format', 'json', '-o', file, demo]).out).toBe('');
    expect((JSON.parse(readFileSync(file, 'utf8')) as AnalysisDocument).insights).not.toHaveLength(0);
  });
});

describe('dfg', () => {
  const ls = corpus('strace/ls');
  test.skipIf(ls === undefined)(
    ls === undefined ? absent('strace/ls') : 'the paper’s example, with a partition',
    () => {
      const graph = json(['dfg', '--green', 'a_*', '--red', 'b_*', ls!]) as GraphDocument;
      expect(graph).toMatchObject({ schema: 'iolens/dfg@1', cases: 6, events: 75 });
      const green = graph.edges.filter(({ partition }) => partition === 'green');
      expect(green.map(({ from, to }) => `${from} → ${to}`)).toEqual(['read:/etc/locale.alias → write:/dev/pts']);
      expect(graph.activityLog.map(({ multiplicity, events }) => [multiplicity, events])).toEqual([
        [3, 17],
        [3, 8],
      ]);
    },
  );

  test('files of one command are one recording', () => {
    if (ls === undefined) return;
    const files = ['a_host1_14582.st', 'a_host1_14584.st'].map((name) => path.join(ls, name));
    expect((json(['dfg', ...files]) as GraphDocument).cases).toBe(2);
    expect((json(['info', '--json', ...files]) as InfoDocument).streams).toBe(2);
  });

  test('DOT', () => {
    const { out } = run([
      'dfg',
      '--format',
      'dot',
      '--own-files',
      '--site',
      'HEAT=/home/hpc/heat',
      '--mapping',
      'call+path:2',
      demo,
    ]);
    expect(out).toMatch(/^digraph dfg \{/);
    expect(out).toContain('"write:$HEAT/results"');
    expect(out).not.toContain('/usr/lib');
  });

  test('a mapping of one’s own', () => {
    const module = path.join(folder, 'mapping.mjs');
    writeFileSync(
      module,
      'export default ({ call, path }) => (path?.endsWith("cells.txt") ? `${call} cells` : null);\n',
    );
    const graph = json(['dfg', '--mapping', module, demo]) as GraphDocument;
    expect(graph.nodes.map(({ activity, events }) => [activity, events])).toEqual([
      ['openat cells', 1],
      ['write cells', 4096],
      ['close cells', 1],
    ]);
  });

  test('a mapping of rules, from a file', () => {
    const file = path.join(folder, 'mapping.json');
    const rules = [{ path: '/home/hpc/heat/results/cells.txt', calls: 'write*', name: '{call} of {name}' }];
    writeFileSync(file, JSON.stringify({ base: null, callGroups: { 'write*': 'write|pwrite64' }, rules }));
    const graph = json(['dfg', '--mapping', file, demo]) as GraphDocument;
    expect(graph.nodes.map(({ activity, events }) => [activity, events])).toEqual([['write* of cells.txt', 4096]]);
    writeFileSync(file, JSON.stringify({ rules: [{ name: 7 }] }));
    const refused = run(['dfg', '--mapping', file, demo]);
    expect(refused.status).toBe(2);
    expect(refused.err).toContain('rule 1: name must be a text that is not empty');
    const absentFile = run(['dfg', '--mapping', path.join(folder, 'none.json'), demo]);
    expect(absentFile.status).toBe(2);
    expect(absentFile.err).toContain('none.json');
  });
});

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
describe.skipIf(!canTrace)(canTrace ? 'record' : 'record: processes cannot be traced here', () => {
  test('records a program, whose output and exit status stay its own', () => {
    const { status, out, err } = run([
      'record',
      '-o',
      'made.strace',
      'sh',
      '-c',
      'echo hello > hello.txt; cat hello.txt; exit 7',
    ]);
    expect([status, out]).toEqual([7, 'hello\n']);
    expect(err).toContain('recorded made.strace');
    const info = json(['info', '--json', path.join(folder, 'made.strace')]) as InfoDocument;
    expect(info.capabilities).toMatchObject({ time: true, duration: true, stacks: true, paths: true });
    expect(info.damage).toEqual([]);
  });

  test('measures what calls cost here, in a folder that is gone afterwards', () => {
    const calibration = path.join(folder, 'measured.strace.calibration.json');
    const program = ['sh', '-c', 'for i in $(seq 400); do echo $i; done > lines.txt'];
    const { err } = run(['record', '-o', 'measured.strace', ...program]);
    expect(err).not.toContain('was not measured');
    const { folder: place, calls } = JSON.parse(readFileSync(calibration, 'utf8')) as Calibration;
    expect(place).toBe(realpathSync(folder));
    expect(new Set(calls.map(({ call }) => call))).toEqual(new Set(CALIBRATED_CALLS));
    for (const { ns } of calls) expect(ns).toBeGreaterThan(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    const measured = json(['analyze', '--format', 'json', 'measured.strace']) as AnalysisDocument;
    expect(measured.timing[0]).toMatchObject({ calibrated: true, calibrationNote: '' });
    expect(measured.insights.find(({ code }) => code === 'P06')!.gain.method).toContain('measured without a tracer');

    writeFileSync(calibration, '{"schema":"iolens/calibration@1","folder":"/","mounts":[],"calls":[{"call":"rm"}]}');
    const report = run(['analyze', 'measured.strace']);
    expect([report.status, report.out]).toEqual([
      0,
      expect.stringContaining('calibration.json is not used: calls[0].call'),
    ]);
    expect(report.out).toContain('is that on usual machines');

    run(['record', '--no-calibration', '-o', 'measured.strace', ...program]);
    expect(existsSync(calibration)).toBe(false);
  });

  test('without a compiler the recording is made all the same', () => {
    const tools = path.join(folder, 'tools');
    mkdirSync(tools);
    for (const tool of ['strace', 'true']) {
      symlinkSync(spawnSync('which', [tool], { encoding: 'utf8' }).stdout.trim(), path.join(tools, tool));
    }
    const options = { cwd: folder, encoding: 'utf8', env: { PATH: tools } } as const;
    const { status, stderr } = spawnSync(process.execPath, [cli, 'record', '-o', 'bare.strace', 'true'], options);
    expect(status).toBe(0);
    expect(stderr).toContain('was not measured: there is no C compiler');
    expect(stderr).toContain('recorded bare.strace');
  });

  test('does not overwrite a recording', () => {
    run(['record', '--with', 'strace', 'true']);
    run(['record', '--with', 'strace', 'true']);
    expect([existsSync(path.join(folder, 'true.strace')), existsSync(path.join(folder, 'true-2.strace'))]).toEqual([
      true,
      true,
    ]);
  });

  test('a program that is not there', () => {
    const { status, err } = run(['record', './nonexistent']);
    expect(status).toBe(2);
    expect(err).toContain('there is no such program');
  });

  test('the script for MPI names its files as in the paper', () => {
    const script = path.join(folder, 'record.sh');
    writeFileSync(script, run(['record', '--with', 'strace', '--script']).out, { mode: 0o755 });
    const environment = { ...process.env, OMPI_COMM_WORLD_RANK: '3', IOLENS_FOLDER: 'ranks' };
    expect(spawnSync(script, ['true'], { cwd: folder, env: environment }).status).toBe(0);
    const info = json(['info', '--json', path.join(folder, 'ranks')]) as InfoDocument;
    expect(info.hosts).toHaveLength(1);
    expect(info.events).toBeGreaterThan(5);
  });
});

test('of several recordings each finding says whose it is', () => {
  const at = (name: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, '7 1795252180.500000 write(3</data/x>, "x"..., 10) = 10 <0.100000>\n'.repeat(100));
    return file;
  };
  const files = [at('first.strace'), at('second.strace')];
  const { insights } = JSON.parse(run(['analyze', '--format', 'json', ...files]).out) as AnalysisDocument;
  expect(insights.map(({ recording }) => recording)).toEqual(files);
  for (const { recording, message } of insights) expect(message).toContain(recording);
});
