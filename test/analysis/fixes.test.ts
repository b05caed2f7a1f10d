import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FixKind, FixRequest } from '../../src/analysis/fixes/fix.ts';
import { snippetsOf } from '../../src/export/analysis/advice.ts';
import type { AnalysisDocument, InsightDocument, SiteDocument } from '../../src/export/analysis/documents.ts';
import { installedStrace } from '../../src/record/strace-recorder.ts';
import { straceOptions } from '../../src/record/strace-command.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { applyFix } from '../support/fixes/apply-fix.ts';
import { absent, corpus } from '../support/corpus.ts';
import { asked, exampleInsteadOf, foundInRecordings } from '../support/fixes/fix-programs.ts';

/**
 * Fixes for real: a program is compiled and recorded, the fix applied, compiled again with all warnings as errors, run and
 * recorded again. The finding must be gone and the files that the program wrote must be the same to the byte. Where an
 * example only is offered, that is inserted, which must change nothing.
 */
const programs = corpus('strace-programs');
const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });

interface Case {
  readonly program: string;
  readonly sources: readonly string[];
  readonly compiler: 'gcc' | 'g++';
  /** The file that the program writes; it is passed as an argument, or stands in the source. */
  readonly output: string;
  readonly trigger: string;
  /** `file:line` of the site whose fix is taken. */
  readonly at: string;
  /** What is offered; an example must leave the program as it is. */
  readonly kind: FixKind;
  /** The finding is there as before: what follows each write is still a synchronisation, of less. */
  readonly stays?: true;
}

const CASES: readonly Case[] = [
  {
    program: 'small_writes',
    sources: ['small_writes.c'],
    compiler: 'gcc',
    output: 'out.dat',
    trigger: 'posix-small-writes',
    at: 'small_writes.c:11',
    kind: 'example',
  },
  {
    program: 'small_writes',
    sources: ['small_writes.c'],
    compiler: 'g++',
    output: 'out.dat',
    trigger: 'posix-small-writes',
    at: 'small_writes.c:11',
    kind: 'example',
  },
  {
    program: 'cxx_inline_header',
    sources: ['main.cpp'],
    compiler: 'g++',
    output: 'particles.bin',
    trigger: 'posix-small-writes',
    at: 'table.h:13',
    kind: 'example',
  },
  {
    program: 'cxx_endl',
    sources: ['main.cpp', 'logger.cpp'],
    compiler: 'g++',
    output: 'run.log',
    trigger: 'posix-small-writes',
    at: 'logger.cpp:9',
    kind: 'trade',
  },
  {
    program: 'stdio_unbuffered',
    sources: ['stdio_unbuffered.c'],
    compiler: 'gcc',
    output: 'text.txt',
    trigger: 'posix-small-writes',
    at: 'stdio_unbuffered.c:31',
    kind: 'example',
  },
  {
    program: 'stdio_unbuffered',
    sources: ['stdio_unbuffered.c'],
    compiler: 'gcc',
    output: 'text.txt',
    trigger: 'posix-small-reads',
    at: 'stdio_unbuffered.c:8',
    kind: 'repair',
  },
  {
    program: 'open_close',
    sources: ['open_close.c'],
    compiler: 'gcc',
    output: 'progress.log',
    trigger: 'open-close-in-loop',
    at: 'open_close.c:9',
    kind: 'trade',
  },
  {
    program: 'open_close',
    sources: ['open_close.c'],
    compiler: 'g++',
    output: 'progress.log',
    trigger: 'open-close-in-loop',
    at: 'open_close.c:16',
    kind: 'trade',
  },
  {
    program: 'fsync_each',
    sources: ['fsync_each.c'],
    compiler: 'gcc',
    output: 'state.bin',
    trigger: 'sync-after-every-write',
    at: 'fsync_each.c:12',
    kind: 'trade',
    stays: true,
  },
  {
    program: 'fsync_each',
    sources: ['fsync_each.c'],
    compiler: 'g++',
    output: 'state.bin',
    trigger: 'sync-after-every-write',
    at: 'fsync_each.c:20',
    kind: 'example',
  },
  {
    program: 'seek_write',
    sources: ['seek_write.c'],
    compiler: 'gcc',
    output: 'matrix.bin',
    trigger: 'seek-before-every-access',
    at: 'seek_write.c:7',
    kind: 'repair',
  },
  {
    program: 'backward_reads',
    sources: ['backward_reads.c'],
    compiler: 'gcc',
    output: 'log.bin',
    trigger: 'seek-before-every-access',
    at: 'backward_reads.c:9',
    kind: 'example',
  },
];

const missing = ['gcc', 'g++', 'strace'].filter((tool) => spawnSync(tool, ['-V']).error !== undefined);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-fixes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles with all warnings as errors. */
function compile(kase: Case, at: string): string {
  const binary = path.join(at, 'program');
  const language = kase.compiler === 'g++' ? ['-x', 'c++'] : [];
  const sources = kase.sources.map((source) => path.join(at, source));
  execFileSync(kase.compiler, ['-g', '-O1', '-Wall', '-Wextra', '-Werror', ...language, '-o', binary, ...sources], {
    stdio: 'pipe',
  });
  return binary;
}

/** Runs the program and gives what it wrote. */
function outputOf(binary: string, output: string): Buffer {
  rmSync(output, { force: true });
  execFileSync(binary, [output]);
  return readFileSync(output);
}

async function analyse(binary: string, output: string, at: string): Promise<AnalysisDocument> {
  const recording = path.join(at, 'recording.strace');
  rmSync(output, { force: true });
  const options = straceOptions({ output: recording, abilities: installedStrace(), filePerProcess: false });
  execFileSync('strace', [...options, binary, output]);
  const { id } = await session.recordings.open({ ...plainRequest(recording), workspaceFolders: [at] });
  const analysis = await session.findings.analysis([id]);
  await session.recordings.close(id);
  return analysis;
}

function siteAt(analysis: AnalysisDocument, kase: Case): { insight: InsightDocument; site: SiteDocument } | undefined {
  for (const insight of analysis.insights.filter(({ trigger }) => trigger === kase.trigger)) {
    const site = insight.sites.find(({ file, line }) => `${path.basename(file)}:${line}` === kase.at);
    if (site !== undefined) return { insight, site };
  }
  return undefined;
}

function requestFor(kase: Case, insight: InsightDocument, site: SiteDocument): FixRequest {
  const folder = path.dirname(site.file);
  const own = readdirSync(folder).filter((name) => /\.(c|cpp|h)$/.test(name));
  const files = new Set([...own.map((name) => path.join(folder, name)), ...site.closedAt.map(({ file }) => file)]);
  return {
    trigger: insight.trigger,
    language: kase.compiler === 'gcc' ? 'c' : 'cpp',
    place: { file: site.file, line: site.line },
    sources: Object.fromEntries([...files].map((file) => [file, readFileSync(file, 'utf8')])),
    count: site.events,
    medianBytes: site.medianBytes,
    threaded: site.threaded,
    plainFiles: site.plainFiles,
    closedAt: site.closedAt,
    touchedAt: site.touchedAt,
    examples: insight.recommendations.flatMap(snippetsOf).filter(({ language }) => language === 'c'),
  };
}

const skip = programs === undefined || missing.length > 0;
const title =
  missing.length > 0 ? `needs ${missing.join(', ')}` : programs === undefined ? absent('strace-programs') : 'fixes';
describe.skipIf(skip)(title, () =>
  CASES.forEach((kase, number) =>
    test(`${kase.program} (${kase.compiler}): ${kase.trigger} at ${kase.at}`, async () => {
      const at = path.join(folder, String(number));
      const output = path.join(at, kase.output);
      cpSync(path.join(programs!, kase.program), at, {
        recursive: true,
        filter: (file) => !/strace|\.O[02]|\.so/.test(path.basename(file)),
      });
      for (const source of kase.sources) {
        const file = path.join(at, source);
        writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`/tmp/badio/${kase.program}/${kase.output}`, output));
      }
      const binary = compile(kase, at);
      const before = outputOf(binary, output);
      const found = await foundInRecordings(async () => siteAt(await analyse(binary, output, at), kase));
      expect(found, 'the finding before the fix').toBeDefined();
      const isSame = (): boolean => outputOf(compile(kase, at), output).equals(before);
      const offered = await session.fixes.find(asked(requestFor(kase, found!.insight, found!.site)));
      const fix = kase.kind === 'example' ? exampleInsteadOf(offered) : offered[0]!;
      expect(fix.kind, fix.reason ?? fix.title).toBe(kase.kind);
      applyFix(fix);
      expect(isSame()).toBe(true);
      if (kase.kind === 'example' || kase.stays) return;
      const repaired = path.join(at, 'program');
      const after = await analyse(repaired, output, at);
      const places = after.insights.filter(({ trigger }) => trigger === kase.trigger).flatMap(({ sites }) => sites);
      expect(places.map(({ file, line, source }) => `${path.basename(file)}:${line} ${source}`)).not.toContainEqual(
        expect.stringContaining(found!.site.source),
      );
      if (kase.program !== 'cxx_endl') expect(places).toEqual([]);
    }),
  ),
);
