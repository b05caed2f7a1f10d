/** Exporting a recording as an OTF2 archive, which OTF2's own library writes where it is installed. */
import { execFile, spawn, type ExecFileException } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { traceCacheFolder } from './cache-folders.ts';
import type { SessionResources } from '../session-resources.ts';

const SOURCE = 'write-archive.c';
const MISSING =
  "OTF2's library writes archives, and its program otf2-config is not on the PATH: install it (Debian and Ubuntu: apt install libotf2-trace-dev; Spack: spack install otf2) or load its module";

/** @returns why no archive can be written on this machine, in words for the user; '' when one can. */
export async function otf2Problem(): Promise<string> {
  return (await ask('otf2-config', '--version')) === undefined ? MISSING : '';
}

/**
 * Writes an archive into a folder, which is made where it is not there.
 * @param writeRecords writes a recording's events as `otf2-records` to a file; returns how many bytes.
 * @param resources beside whose folder the source of the writer is.
 * @returns bytes of the records that it was made of.
 * @throws Error in words for the user.
 */
export async function exportOtf2(
  writeRecords: (file: string) => Promise<number>,
  folder: string,
  resources: SessionResources,
): Promise<number> {
  const writer = await archiveWriter(resources);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error('the folder is not empty');
  const scratch = await mkdtemp(path.join(tmpdir(), 'iolens-otf2-'));
  try {
    const records = path.join(scratch, 'records');
    const bytes = await writeRecords(records);
    await runWriter(writer, path.resolve(folder), records);
    return bytes;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function runWriter(writer: string, folder: string, records: string): Promise<void> {
  const input = await open(records, 'r');
  try {
    const child = spawn(writer, [folder], { stdio: [input.fd, 'ignore', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const said = await text(child.stderr!);
    const status = await ended;
    if (status !== 0)
      throw new Error(`OTF2's library could not write the archive: ${said.trim() || `status ${status ?? 'none'}`}`);
  } finally {
    await input.close();
  }
}

/**
 * The program that writes archives, compiled at its first use for the OTF2 that is installed.
 * @throws Error in words for the user.
 */
async function archiveWriter({ folder, read = readFile }: SessionResources): Promise<string> {
  const version = await ask('otf2-config', '--version');
  if (version === undefined) throw new Error(MISSING);
  const source = await read(path.join(folder, '../native/otf2-writer', SOURCE));
  const asked = ['--cflags', '--ldflags', '--libs'].map((option) => ask('otf2-config', option));
  const options = (await Promise.all(asked)).map((said) => said ?? '');
  const key = createHash('sha256')
    .update(source)
    .update(JSON.stringify([version, options, process.arch]))
    .digest('hex');
  const cache = path.join(traceCacheFolder(process.env), 'otf2');
  const program = path.join(cache, `write-archive-${key.slice(0, 24)}`);
  if (existsSync(program)) return program;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(`${cache}/making-`);
  try {
    const [file, made] = [path.join(scratch, SOURCE), path.join(scratch, 'write-archive')];
    await writeFile(file, source);
    const [flags = [], ...libraries] = options.map(words);
    const compiler = process.env['CC'] ?? 'cc';
    const command = ['-std=gnu11', '-O2', ...flags, '-o', made, file, ...libraries.flat()];
    const { failed, stderr } = await run(compiler, command);
    if (typeof failed?.code === 'string')
      throw new Error(
        `the writer of archives is compiled on this machine, and ${compiler} cannot be run: ${failed.message}`,
      );
    if (failed !== null) throw new Error(`${compiler} cannot compile the writer of archives: ${firstError(stderr)}`);
    await rename(made, program);
    return program;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What a program prints; undefined when it is not there. */
async function ask(program: string, option: string): Promise<string | undefined> {
  const { failed, stdout } = await run(program, [option]);
  return failed === null ? stdout.trim() : undefined;
}

interface Ran {
  /** Its code is a text where the program could not be started. */
  readonly failed: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The editor's extension host must not wait for a compiler. */
function run(program: string, options: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, options, { encoding: 'utf8' }, (failed, stdout, stderr) => resolve({ failed, stdout, stderr }));
  });
}

function words(options: string): string[] {
  return options.split(/\s+/).filter((word) => word !== '');
}

function firstError(said: string): string {
  return said.split('\n').find((line) => line.includes('error')) ?? said.split('\n')[0] ?? '';
}
