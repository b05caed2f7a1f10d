import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import picomatch from 'picomatch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_IGNORED } from '../../src/analysis/metrics/ignored-files.ts';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { Pseudonyms } from '../../src/export/redaction/pseudonyms.ts';
import { isPublicPart } from '../../src/export/redaction/public-names.ts';
import { groupRecordings } from '../../src/session/reading/recording-groups.ts';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';
import { redactedNames, writeRedacted } from '../../src/session/bundle/redacted-files.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { isLibraryModule, isLibrarySource } from '../../src/symbols/library-modules.ts';
import { shareOf } from '../support/rounds.ts';

const root = path.resolve(import.meta.dirname, '../..');
const data = path.join(root, 'test/data');
const cli = path.join(root, 'dist/cli.js');
const wasm = path.join(root, 'native/wasm/addr2line/addr2line.wasm');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-bundle-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function analysis(paths: readonly string[]): Promise<AnalysisDocument> {
  const session = localSession({ folder: path.dirname(wasm) });
  const { id } = await session.recordings.open({ ...plainRequest(...paths), maySpawn: false });
  return session.findings.analysis([id]);
}

/** What must not change: everything but names. */
function substance({ insights, timing, recordings }: AnalysisDocument): unknown {
  return {
    // Which kind of file is left out is told by names, and these are what a bundle hides: their sum stays.
    timing: timing.map(({ leftOut: { events, timeNs }, gaps, ...rest }) => ({
      ...rest,
      leftOut: { events, timeNs },
      gaps: gaps?.map((gap) => [
        gap.fromLine,
        gap.toLine,
        gap.times,
        gap.timeNs,
        gap.allNs,
        gap.longestNs,
        gap.streams,
      ]),
    })),
    recordings: recordings.map(({ events, streams, files, durationNs, layers, capabilities, damage }) => ({
      events,
      streams,
      files,
      durationNs,
      layers,
      capabilities,
      damage: damage.length,
    })),
    insights: insights.map(({ code, severity, evidence, sites, files }) => ({
      code,
      severity,
      evidence,
      sites: sites.map(({ line, events, bytes, timeNs, share, shareOfTime, streams, depth, stack }) => ({
        ...{ line, events, bytes, timeNs, share, shareOfTime, streams, depth },
        lines: stack.map((frame) => frame.line),
      })),
      files: files.map(({ events, bytes, timeNs }) => ({ events, bytes, timeNs })),
    })),
  };
}

/** The names of a recording that are someone's own. */
function ownNames({ trace, resolved }: OpenedRecording): Set<string> {
  const names = new Set<string>();
  const addPath = (text: string): void => {
    for (const part of text.split('/')) if (!isPublicPart(part) && !part.includes(':[')) names.add(part);
  };
  for (const { path: file } of trace.files.files) addPath(file);
  for (const module of trace.stacks.modules.names) addPath(module);
  for (const host of trace.streams.map((stream) => stream.host)) names.add(host);
  trace.program.split(' ').forEach(addPath);
  for (let node = 0; node < trace.stacks.nodes; node++) {
    for (const frame of resolved.framesOf(node)) {
      if (frame.file !== '') addPath(frame.file);
      if (!frame.isLibrary && !/^(main|_start|__libc_.*|)$/.test(frame.functionName)) names.add(frame.functionName);
    }
  }
  // Short numbers and letters are everywhere; `write` is a call, whoever else is called so.
  return new Set([...names].filter((name) => name.length >= 4 && !/^\d+$/.test(name)));
}

const WORD = /[A-Za-z0-9_.+-]+/g;

function filesBelow(at: string): string[] {
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const recordings = [...filesBelow(path.join(data, 'strace-programs')), ...filesBelow(path.join(data, 'strace'))]
  .filter((file) => /\.(strace|st)(\.gz)?$/.test(file) || /ff\/trace\.\d+$/.test(file))
  // Garbage and nothing: there is no recording to redact.
  .filter((file) => !/only-garbage|empty\.strace|summary\.strace|binary-head/.test(file));

describe.skipIf(!existsSync(wasm))('findings and privacy', async () => {
  const lookup = await chooseLookup(wasm, false);
  const groups = shareOf(await groupRecordings(recordings));

  test.each(groups.map((group) => [path.relative(data, group[0]!), group] as const))('%s', async (name, group) => {
    const opened = await OpenedRecording.open({ ...plainRequest(...group), maySpawn: false }, lookup);
    const target = path.join(folder, name.replaceAll('/', '-'));
    await writeRedacted(opened, new Pseudonyms(), target);
    expect(substance(await analysis([target]))).toEqual(substance(await analysis(group)));
    const text = filesBelow(target)
      .map((file) => `${file.slice(target.length)}\n${readFileSync(file, 'latin1')}`)
      .join('\n');
    const words = new Set(text.match(WORD));
    const callNames = new Set(opened.trace.calls.names);
    const leaked = [...ownNames(opened)].filter((own) => words.has(own) && !callNames.has(own));
    expect(leaked).toEqual([]);
  });
});

describe('secrets in every place', () => {
  const SECRET = /hunter2|alice|projectx|node042|topsecret/i;
  const lines = [
    'hunter2 is the password',
    'strace: hunter2',
    '42<alice> 1795252180.000001 execve("/home/alice/projectx", ["projectx", "--password=hunter2"], ["USER=alice"]) = 0 <0.1>',
    '42<alice> 1795252181.0 uname({sysname="Linux", nodename="node042", release="hunter2"}) = 0 <0.1>',
    '42<alice> 1795252182.0 openat(AT_FDCWD</home/alice>, "\\x70\\x72ojectx/\\141lice.h5", O_RDWR) = 3</home/alice/projectx/alice.h5> <0.1>',
    '42<alice> 1795252183.0 write(3</home/alice/projectx/alice.h5>, "hunter2"..., 4096) = 4096 <0.1>',
    ' > /home/alice/projectx/topsecret(topsecret::run(int)+0x1) [0x11] /home/alice/topsecret.cpp:12',
    ' > /home/alice/libtopsecret.so.1(topsecret+0x1) [0x22]',
    ' > hunter2',
    ' | 00000  68 75 6e 74 65 72 32   hunter2 |',
    '42<alice> 1795252184.0 writev(3</home/alice/projectx/alice.h5>, [{iov_base="hunter2", iov_len=7}], 1) = 7 <0.1>',
    '42<alice> 1795252185.0 stat("/home/alice", {st_uid=31337, st_size=1, hunter2=alice, ...}) = 0 <0.1>',
    '42<alice> 1795252186.0 topsecret_call("alice", hunter2) = 0 <0.1>',
    '42<alice> 1795252187.0 connect(5<UNIX-STREAM:[12->13, "/run/alice"]>, {sa_family=AF_UNIX, sun_path="/run/alice"}, 16) = 0 <0.1>',
    '42<alice> 1795252188.0 sendto(6<TCP:[10.31.33.7:22->node042:80]>, "hunter2", 7, 0, NULL, 0) = 7 <0.1>',
    '42<alice> 1795252189.0 readlink("/proc/self/exe", <unfinished ...>',
    '42<alice> 1795252189.5 <... readlink resumed>"/home/alice/projectx", 4095) = 20 <0.1>',
    '42<alice> 1795252190.0 setxattr("/home/alice", "user.alice", "hunter2", 7, 0) = -1 ENOTSUP (hunter2) <0.1>',
    '42<alice> 1795252191.0 prctl(PR_SET_NAME, "alice") = 0 /* hunter2 */ <0.1>',
    '42<alice> 1795252192.0 symlink("/home/alice/projectx", "alice") = 0 <0.1>',
    '42<alice> 1795252193.0 chown("/home/alice", 31337, 31337) = 0 <0.1>',
    '--- SIGCHLD {si_signo=SIGCHLD, si_code="hunter2"} ---',
    '+++ hunter2 +++',
    '42<alice> 1795252194.0 write(3</home/alice/projectx/alice.h5>, "hunter2',
  ];

  test('nothing of them is in the text, the name, or the analysis', async () => {
    const file = path.join(folder, 'alice_node042_7.st');
    writeFileSync(file, lines.join('\n'));
    const lookup = await chooseLookup('/nonexistent.wasm', false);
    const opened = await OpenedRecording.open(plainRequest(file), lookup);
    const target = path.join(folder, 'secrets');
    await writeRedacted(opened, new Pseudonyms(), target);
    const [made] = filesBelow(target);
    expect(path.basename(made!)).toBe('c1_host1_7.st');
    const text = readFileSync(made!, 'utf8');
    expect(text.split('\n').filter((line) => SECRET.test(line))).toEqual([]);
    expect(text).not.toContain('31337');
    expect(text).not.toContain('10.31.33.7');
    expect(substance(await analysis([target]))).toEqual(substance(await analysis([file])));
    // What a help desk needs is still there.
    expect(text).toMatch(
      /openat\(AT_FDCWD<\/home\/n\d+>, "n\d+\/n\d+\.h5", O_RDWR\) = 3<\/home\/n\d+\/n\d+\/n\d+\.h5> <0\.1>/,
    );
    expect(text).toMatch(
      /write\(3<[^>]+>, ""\.\.\., 4096\) = 4096 <0\.1>\n > \/home\/\S+\(f1\+0x0\) \[0x11\] \/home\/n\d+\/n\d+\.cpp:12\n/,
    );
  });
});

describe('pseudonyms', () => {
  test('what findings leave out and what is a library stays so', () => {
    const names = new Pseudonyms();
    const ignored = picomatch([...DEFAULT_IGNORED], { dot: true });
    const paths = [
      ...['/proc/42/maps', '/sys/devices/x', '/dev/shm/secret', '/run/user/1000/x', '/etc/secret/x', '/usr/share/x'],
      ...[
        '/lib/x',
        '/lib64/x',
        '/bin/x',
        '/sbin/x',
        '/opt/secret/v2/lib/x',
        '/memfd:secret',
        '/var/lib/x',
        '/var/run/x',
      ],
      ...['/tmp/ompi.node.1000/jf.1/x', '/tmp/ompi.node', '/tmp/pmix-secret/x', '/tmp/.X11-unix/X0', '/home/a/libb.so'],
      ...['/home/a/libb.so.1.2', '/home/a/b.py', '/home/a/b.pyc', '/home/a/__pycache__/c', '/a/site-packages/b'],
      ...[
        '/a/dist-packages/b',
        '/a/.pmix/b',
        '/a/.openmpi/b',
        '/a/b.locktest.c',
        '/home/a/data.h5',
        '/opt/a/data',
        'a',
      ],
      ...['/tmp/a', '/var/a', '/home/a/lib/b', '/scratch/proc/x', '/home/.hidden/.x'],
    ];
    for (const file of paths) expect([file, ignored(names.path(file))]).toEqual([file, ignored(file)]);
    const modules = [
      ...[
        '/usr/lib/x/y.so',
        '/home/a/libmpi.so.40',
        '/home/a/libhdf5_openmpi.so.103',
        '[vdso]',
        '[secret]',
        '/opt/python3.11',
      ],
      ...[
        '/home/a/libmine.so',
        '/home/a/app',
        '/usr/local/lib/libmine.so',
        '/usr/bin/secret',
        '/home/a/ld-linux-x86-64.so.2',
      ],
    ];
    const own = { folders: [], launched: '' };
    for (const module of modules)
      expect([module, isLibraryModule(names.path(module), own)]).toEqual([module, isLibraryModule(module, own)]);
    const sources = [
      '/usr/include/x/y.h',
      '/usr/lib/gcc/z/a.h',
      '/home/a/include/c++/v1/b',
      '<artificial>',
      '<built-in>',
      './a.c',
    ];
    for (const source of sources)
      expect([source, isLibrarySource(names.source(source))]).toEqual([source, isLibrarySource(source)]);
  });

  test('the same text has the same name, others have others, and the key leads back', () => {
    const names = new Pseudonyms();
    expect(names.path('/home/ann/x/../data.h5')).toBe('/home/n1/n2/../n3.h5');
    expect(names.path('ann/data.h5')).toBe('n1/n3.h5');
    expect(names.path('data.nc')).not.toBe(names.path('data.h5'));
    expect(names.key()['pathParts']).toMatchObject({ n1: 'ann', 'n3.h5': 'data.h5' });
  });

  test('file names keep rank, process and order', () => {
    const given = ['b_x_10.st', 'a_y_2.st', 'a_x_secret.st.gz', 'trace.77', 'trace.8', 'mine.txt'];
    expect(redactedNames(given.map((name) => ({ name, path: `/d/${name}` })))).toEqual([
      'c2_host1_10.st',
      'c1_host2_2.st',
      'c1_host1_r3.st',
      'run2.strace.77',
      'run2.strace.8',
      'run1.strace',
    ]);
    const twice = ['/d/a_x_1.st', '/e/a_x_1.st'].map((file) => ({ name: 'a_x_1.st', path: file }));
    expect(new Set(redactedNames(twice)).size).toBe(2);
  });
});

describe('the command', () => {
  const demo = path.join(root, 'demo/heat/heat.strace.gz');
  const bundle = (...args: string[]): { status: number | null; stderr: string; stdout: string } =>
    spawnSync(process.execPath, [cli, 'bundle', ...args], { encoding: 'utf8', cwd: folder });

  test('makes an archive that names nobody, and a key that only its owner may read', () => {
    const map = `/home/hpc/heat=${path.dirname(demo)}`;
    const wanted = ['-o', 'help.tar.gz', '--key', 'key.json', '--source-map', map];
    const ran = bundle(demo, path.join(data, 'strace/ls'), ...wanted);
    expect([ran.status, ran.stdout]).toEqual([0, '']);
    const unpacked = path.join(folder, 'unpacked');
    spawnSync('sh', ['-c', `mkdir ${unpacked} && tar xzf help.tar.gz -C ${unpacked}`], { cwd: folder });
    const names = filesBelow(unpacked).map((file) => path.relative(unpacked, file));
    expect(names.sort()).toEqual(
      expect.arrayContaining([
        'iolens-bundle/README.txt',
        'iolens-bundle/analysis.json',
        'iolens-bundle/doctor.json',
        'iolens-bundle/recordings/1/run1.strace',
        'iolens-bundle/versions.json',
      ]),
    );
    expect(names).toHaveLength(11);
    const text = filesBelow(unpacked)
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const { username } = userInfo();
    const secrets = ['heat', 'hpc', 'emit', 'cells.txt', '14582_', path.basename(folder), root];
    if (hostname().length > 3) secrets.push(hostname());
    // `root` is a folder of every system.
    if (username !== 'root') secrets.push(username);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    const listing = spawnSync('tar', ['tvzf', 'help.tar.gz'], { cwd: folder, encoding: 'utf8' }).stdout;
    expect(listing.split('\n').filter((line) => line !== '' && !line.includes(' 0/0 '))).toEqual([]);
    const analysed = JSON.parse(
      readFileSync(path.join(unpacked, 'iolens-bundle/analysis.json'), 'utf8'),
    ) as AnalysisDocument;
    expect(analysed.insights.map(({ code }) => code)).toEqual(['P06', 'L02']);
    expect(analysed.insights[0]!.sites[0]).toMatchObject({ line: 22, events: 4096 });
    expect(analysed.recordings.map(({ recording }) => recording)).toEqual(['recordings/1', 'recordings/2']);
    expect(statSync(path.join(folder, 'key.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, 'key.json'), 'utf8')).toContain('"emit"');
  });

  test('writes nothing over a folder that holds something', () => {
    const { status, stderr } = bundle(demo, '-o', '.');
    expect(stderr).toContain('the folder is not empty');
    expect(status).toBe(2);
  });

  test('cannot be written: said before the work, and nothing is left behind', () => {
    const temporary = path.join(folder, 'temporary');
    mkdirSync(temporary, { recursive: true });
    for (const output of ['absent/help.tar.gz', 'help.tar.gz/below']) {
      writeFileSync(path.join(folder, 'help.tar.gz'), 'the one before');
      const { status, stderr } = spawnSync(process.execPath, [cli, 'bundle', demo, '-o', output], {
        encoding: 'utf8',
        cwd: folder,
        env: { ...process.env, TMPDIR: temporary },
      });
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^iolens: .* cannot be written: [^\n]*\n$/)]);
    }
    expect(bundle(path.join(folder, 'absent.strace'), '-o', 'help.tar.gz').status).toBe(3);
    expect(readFileSync(path.join(folder, 'help.tar.gz'), 'utf8')).toBe('the one before');
    expect(readdirSync(temporary)).toEqual([]);
  });

  test.skipIf(!existsSync('/dev/full'))('a disk that is full ends it in words', () => {
    symlinkSync('/dev/full', path.join(folder, 'full.tar.gz'));
    const { status, stderr } = bundle(demo, '-o', 'full.tar.gz');
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^iolens: full\.tar\.gz cannot be written: ENOSPC/)]);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s leaves nothing behind', async (signal) => {
    const temporary = path.join(folder, signal);
    mkdirSync(temporary);
    const child = spawn(process.execPath, [cli, 'bundle', demo, '-o', `${signal}.tar.gz`], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: temporary },
    });
    const ended = new Promise((resolve) => child.on('close', (_status, by) => resolve(by)));
    while (child.exitCode === null && readdirSync(temporary).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill(signal);
    expect(await ended).toBe(signal);
    expect(existsSync(path.join(folder, `${signal}.tar.gz`))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('the key is no part of it', () => {
    for (const [output, key] of [
      ['keyed', 'keyed/key.json'],
      ['keyed', 'absent/../keyed/key.json'],
      ['keyed.tgz', 'keyed.tgz'],
    ] as const) {
      const { status, stderr } = bundle(demo, '-o', output, '--key', key);
      expect([status, stderr]).toEqual([2, expect.stringContaining('the key must not be in the bundle')]);
      expect(existsSync(path.join(folder, output))).toBe(false);
    }
  });

  test('a recording of two runs keeps lines and findings, and what calls cost', () => {
    const call = (n: number, more = ''): string =>
      `7 1795252180.${String(n).padStart(6, '0')} write(3</w/secret.dat>, "x", 5) = 5 <0.000010>\n${more}`;
    const stack = ' > /w/app(emit+0x10) [0x1234] /w/secret.c:6\n';
    const calls = (more: string): string => Array.from({ length: 500 }, (_, n) => call(n + 1, more)).join('');
    writeFileSync(path.join(folder, 'two.strace'), calls(''));
    writeFileSync(path.join(folder, 'two.stacks.strace'), calls(stack));
    const costs = [{ call: 'write', bytes: 5, ns: 500, lowNs: 400, highNs: 600 }];
    const mounts = [{ path: '/', type: 'fuse.secret' }];
    const calibration = { schema: 'iolens/calibration@1', folder: '/w/secret', mounts, calls: costs };
    writeFileSync(path.join(folder, 'two.strace.calibration.json'), JSON.stringify(calibration));
    expect(bundle('two.strace', '-o', 'two', '--no-cache', '--memory-budget', '64MiB').status).toBe(0);
    const made = path.join(folder, 'two/recordings/1');
    expect(readdirSync(made).sort()).toEqual(['run1.stacks.strace', 'run1.strace', 'run1.strace.calibration.json']);
    const text = filesBelow(path.join(folder, 'two')).map((file) => readFileSync(file, 'latin1'));
    expect(text.join('')).not.toContain('secret');
    const analyse = (recording: string): AnalysisDocument =>
      JSON.parse(
        spawnSync(process.execPath, [cli, 'analyze', '--format', 'json', recording], { encoding: 'utf8', cwd: folder })
          .stdout,
      ) as AnalysisDocument;
    const found = analyse('two/recordings/1');
    expect(found.insights[0]!.sites[0]).toMatchObject({ line: 6, events: 500 });
    expect(substance(found)).toEqual(substance(analyse('two.strace')));
    expect(found.insights.map(({ gain }) => gain)).toEqual(analyse('two.strace').insights.map(({ gain }) => gain));
  });

  test('standard input and other formats are refused in words', () => {
    const { status, stderr } = spawnSync(process.execPath, [cli, 'bundle', '-', '-o', 'x.tar.gz'], {
      encoding: 'utf8',
      cwd: folder,
      input: '7 1795252180.5 read(3</x>, "a", 1) = 1 <0.1>\n',
    });
    expect(stderr).toContain('standard input cannot be redacted');
    expect(status).toBe(2);
    expect(existsSync(path.join(folder, 'x.tar.gz'))).toBe(false);
  });
});
