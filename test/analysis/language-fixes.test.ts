import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FixRequest } from '../../src/analysis/fixes/fix.ts';
import type { AnalysisDocument, SiteDocument } from '../../src/export/analysis/documents.ts';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { installedStrace } from '../../src/record/strace-recorder.ts';
import { straceOptions } from '../../src/record/strace-command.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';
import { applyFix } from '../support/fixes/apply-fix.ts';
import { absent, corpus } from '../support/corpus.ts';
import { asked, foundInRecordings } from '../support/fixes/fix-programs.ts';

/**
 * Fixes of Fortran and Python for real: applied, compiled without a warning, run, and recorded again.
 */
const session = localSession({ folder: path.resolve(import.meta.dirname, '../../dist') });
const flushProgram = corpus('strace-programs/f_flush/f_flush.f90');
const missing = ['gfortran', 'strace'].filter((tool) => spawnSync(tool, ['-V']).error !== undefined);
const python = ['python3', '/usr/bin/python3'].find(
  (program) => spawnSync(program, ['-c', 'import h5py'], { stdio: 'ignore' }).status === 0,
);

/** A new folder with a short name: lines of Fortran have an end. */
function newFolder(): string {
  return mkdtempSync(path.join(folder, 'x'));
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'iolens-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;

const DECLARATIONS = `program main
  implicit none
  integer :: unit, step
`;

interface FortranCase {
  readonly source: string;
  readonly trigger: string;
  /** Part of the line whose fix is taken. */
  readonly at: string;
  readonly title: RegExp;
}

const FORTRAN: Readonly<Record<string, FortranCase>> = {
  'a flush in nested loops is dropped': {
    source: `${DECLARATIONS}  integer :: part
  open(newunit=unit, file='OUTPUT', status='replace', action='write')
  rows: do step = 1, 40
    do part = 1, 10
      write(unit, '(2i6)') step, part
      flush(unit)   ! to be safe
    end do
  end do rows   ! all written
  close(unit)
end program main
`,
    trigger: 'posix-small-writes',
    at: 'flush(unit)',
    title: /^Do not flush after each record: up to 8 KiB are lost if the program is killed$/,
  },
  'elements of an array become one write, and the counter is gone with its declaration': {
    source: `program main
  implicit none
  integer :: unit, i
  real(8) :: values(500)
  values = 3
  values(7) = 4
  open(newunit=unit, file='OUTPUT', access='stream', form='unformatted', status='replace')
  do i = 1, size(values)
    write(unit) values(i)
    flush(unit)
  end do
  close(unit)
end program main
`,
    trigger: 'posix-small-writes',
    at: 'flush(unit)',
    title: /^Write the elements with one statement$/,
  },
  'elements with a counter that is used again': {
    source: `program main
  implicit none
  integer :: unit, i
  real(8), dimension(300) :: values
  do i = 1, 300
    values(i) = i
  end do
  open(newunit=unit, file='OUTPUT', access='stream', status='replace')
  do i = 101, 300
    write(unit) values(i)
    flush unit
  end do
  close(unit)
end program main
`,
    trigger: 'posix-small-writes',
    at: 'flush unit',
    title: /^Write the elements with one statement$/,
  },
  'a file that is opened in each turn stays open': {
    source: `${DECLARATIONS}  character(len=200) :: name
  name = 'OUTPUT'
  do step = 1, 400
    open(newunit=unit, file=trim(name), position='append', action='write')
    write(unit, '(a, i6)') 'step', step
    close(unit)
  end do
end program main
`,
    trigger: 'open-close-in-loop',
    at: 'open(newunit',
    title: /^Open the file before the loop and close it after the loop \(what another program appends/,
  },
};

function compile(source: string): string {
  const binary = path.join(path.dirname(source), 'program');
  const options = ['-g', '-O1', '-Wall', '-Wextra', '-Werror', '-J', path.dirname(source), '-o', binary, source];
  execFileSync('gfortran', options, { stdio: 'pipe' });
  return binary;
}

function outputOf(program: string, options: readonly string[], output: string): Buffer {
  rmSync(output, { force: true });
  execFileSync(program, options, { stdio: 'pipe' });
  return readFileSync(output);
}

async function analyse(binary: string, at: string): Promise<AnalysisDocument> {
  const recording = path.join(at, 'recording.strace');
  rmSync(path.join(at, 'output'), { force: true });
  const options = straceOptions({ output: recording, abilities: installedStrace(), filePerProcess: false });
  execFileSync('strace', [...options, binary]);
  const { id } = await session.recordings.open({ ...plainRequest(recording), workspaceFolders: [at] });
  const analysis = await session.findings.analysis([id]);
  await session.recordings.close(id);
  return analysis;
}

function sitesOf(analysis: AnalysisDocument, trigger: string): readonly SiteDocument[] {
  return analysis.insights.filter((insight) => insight.trigger === trigger).flatMap(({ sites }) => sites);
}

function fortranRequest(trigger: string, site: SiteDocument): FixRequest {
  return {
    trigger,
    language: 'fortran',
    place: { file: site.file, line: site.line },
    sources: { [site.file]: readFileSync(site.file, 'utf8') },
    count: site.events,
    medianBytes: site.medianBytes,
    threaded: site.threaded,
    plainFiles: site.plainFiles,
    closedAt: site.closedAt,
    touchedAt: site.touchedAt,
    examples: [],
  };
}

async function repairFortran({ source: text, trigger, at: part, title }: FortranCase): Promise<void> {
  const at = newFolder();
  const source = path.join(at, 'program.f90');
  const output = path.join(at, 'output');
  writeFileSync(source, text.replaceAll('OUTPUT', output));
  const binary = compile(source);
  const before = outputOf(binary, [], output);
  const line = lineOf(readFileSync(source, 'utf8'), part);
  const site = await foundInRecordings(async () =>
    sitesOf(await analyse(binary, at), trigger).find((candidate) => candidate.line === line),
  );
  expect(site, 'the finding before the fix').toBeDefined();
  const isSame = (): boolean => outputOf(compile(source), [], output).equals(before);
  const request = fortranRequest(trigger, site!);
  const [fix] = await session.fixes.find(asked(request));
  expect(fix!.title).toMatch(title);
  applyFix(fix!);
  expect(isSame()).toBe(true);
  const repaired = path.join(at, 'program');
  expect(sitesOf(await analyse(repaired, at), trigger)).toEqual([]);
}

describe.skipIf(missing.length > 0)(missing.length > 0 ? `needs ${missing.join(', ')}` : 'Fortran', () => {
  for (const [name, kase] of Object.entries(FORTRAN))
    test(name, async () => {
      await repairFortran(kase);
    });

  test.skipIf(flushProgram === undefined)(
    flushProgram === undefined ? absent('strace-programs') : 'a flush in a procedure that a loop calls is dropped',
    async () => {
      const source = readFileSync(flushProgram!, 'utf8').replace('/tmp/badio/f_flush/history.txt', 'OUTPUT');
      const finding = { trigger: 'posix-small-writes', at: 'flush(unit)' } as const;
      await repairFortran({ ...finding, source, title: /^Do not flush/ });
    },
  );
});

interface PythonCase {
  readonly source: string;
  readonly trigger: string;
  readonly at: string;
  readonly title: RegExp;
  /** The system call that becomes rarer, and how often it may come at most on the output afterwards. */
  readonly call: string;
  readonly most: number;
}

const PYTHON: Readonly<Record<string, PythonCase>> = {
  'an unbuffered file is buffered': {
    source: `def main(path):
    with open(path, "wb", buffering=0) as file:
        for step in range(300):
            file.write(b"%6d" % step)


main("OUTPUT")
`,
    trigger: 'posix-small-writes',
    at: 'buffering=0',
    title: /^Let Python buffer this file: up to 8 KiB are lost if the program is killed$/,
    call: 'write',
    most: 1,
  },
  'a flush after each record is dropped': {
    source: `import json


def record(file, step):
    file.write(json.dumps({"step": step}))
    file.flush()
    # next


with open("OUTPUT", "w") as out:
    for step in range(300):
        record(out, step)
    print("done")
`,
    trigger: 'flush-after-every-record',
    at: 'file.flush',
    title: /^Do not flush after each record: up to 16 KiB are lost if the program is killed$/,
    call: 'write',
    most: 1,
  },
  'rows of an array are written with one call': {
    source: `import numpy as np

rows = np.arange(600.0).reshape(200, 3)
with open("OUTPUT", "wb") as out:
    out.write(b"head")
    for i in range(len(rows)):
        rows[i].tofile(out)
    out.write(b"tail")
`,
    trigger: 'posix-small-writes',
    at: 'rows[i]',
    title: /^Write all rows with one call$/,
    call: 'write',
    most: 4,
  },
  'elements of an array become a slice of a dataset': {
    source: `import h5py
import numpy as np

n = 400
values = np.arange(n, dtype=np.int32)
with h5py.File("OUTPUT", "w") as file:
    kept = file.create_dataset("kept", (400000,), dtype="f4", chunks=(400000,))
    for i in range(n):
        kept[i] = values[i]
`,
    trigger: 'hdf5-small-writes',
    at: 'kept[i]',
    title: /^Write the elements with one assignment$/,
    call: 'pwrite64',
    most: 10,
  },
  'a file that is opened in each turn is opened around the loop': {
    source: `def log(path):
    for step in range(50):
        with open(path, "a") as file:
            file.write("step ")
            file.write(f"{step}\\n")


log("OUTPUT")
`,
    trigger: 'open-close-in-loop',
    at: 'with open',
    title: /^Open the file once, around the loop \(a file that another/,
    call: 'openat',
    most: 1,
  },
  'elements of a dataset become one assignment': {
    source: `import h5py

with h5py.File("OUTPUT", "w") as file:
    values = file.create_dataset("values", (200000,), dtype="f8", chunks=(200000,))
    n = 400
    for i in range(n):
        values[i] = i * 0.5
    file.flush()
`,
    trigger: 'posix-small-writes',
    at: 'values[i]',
    title: /^Write the elements with one assignment/,
    call: 'pwrite64',
    most: 10,
  },
};

function callsOn(call: string, program: string, source: string, output: string): number {
  const recording = `${source}.strace`;
  rmSync(output, { force: true });
  execFileSync('strace', ['-f', '-y', '-e', `trace=${call}`, '-o', recording, program, source], { stdio: 'pipe' });
  const lines = readFileSync(recording, 'utf8').split('\n');
  return lines.filter((line) => line.includes(`${call}(`) && line.includes(output)).length;
}

const noPython = python === undefined ? 'needs python3 with h5py' : '';
describe.skipIf(noPython !== '' || missing.includes('strace'))(noPython || 'Python', () => {
  for (const [name, { source: text, trigger, at: part, title, call, most }] of Object.entries(PYTHON))
    test(name, async () => {
      const at = newFolder();
      const source = path.join(at, 'program.py');
      const output = path.join(at, 'output');
      writeFileSync(source, text.replaceAll('OUTPUT', output));
      const before = outputOf(python!, [source], output);
      const many = callsOn(call, python!, source, output);
      const request = pythonRequest(source, trigger, part);
      const fixes = await session.fixes.find(asked(request));
      expect(fixes[0]!.title).toMatch(title);
      applyFix(fixes[0]!);
      const now = outputOf(python!, [source], output);
      expect(now.equals(before)).toBe(true);
      const few = callsOn(call, python!, source, output);
      expect(few).toBeLessThanOrEqual(most);
      expect(few).toBeLessThan(many);
    });
});

function pythonRequest(file: string, trigger: string, part: string): FixRequest {
  const text = readFileSync(file, 'utf8');
  return {
    trigger,
    language: 'python',
    place: { file, line: lineOf(text, part) },
    sources: { [file]: text },
    count: 300,
    medianBytes: 6,
    threaded: false,
    plainFiles: true,
    closedAt: [],
    touchedAt: [],
    examples: [],
  };
}

test('the grammars were built into dist', () => {
  for (const name of ['fortran', 'python'])
    expect(existsSync(path.resolve(import.meta.dirname, `../../dist/tree-sitter-${name}.wasm`))).toBe(true);
});
