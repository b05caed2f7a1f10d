import { createReadStream, createWriteStream } from 'node:fs';
import { cp, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack, type Pack } from 'tar-stream';
import type { AnalysisDocument } from '../export/documents.ts';
import type { MachineDocument } from '../export/machine-document.ts';
import { Pseudonyms, type RedactionKey } from '../export/redaction/pseudonyms.ts';
import { chooseLookup } from './lookup-tools.ts';
import { checkMachine } from './machine-check.ts';
import { plainRequest, type OpenRequest } from './open-request.ts';
import { OpenedRecording, type OpenHooks } from './opened-recording.ts';
import { BundleError, writeRedacted } from './redacted-files.ts';
import { Session, type SessionResources } from './session.ts';

export { BundleError };

export interface BundleRequest {
  /** One for each recording; workspace folders are not used: who gets the bundle has none. */
  readonly recordings: readonly OpenRequest[];
  /** A file whose name ends with `.tar.gz` or `.tgz`, else a folder that is empty or not there yet. */
  readonly output: string;
  /** A file for what each pseudonym stands for; it stays with its owner. */
  readonly keyFile: string | undefined;
  readonly version: string;
  readonly resources: SessionResources;
}

/** What the bundle's reader needs to know. */
const README = `A bundle of I/O Lens for a help desk.

recordings/     strace text. Paths, functions, source files, hosts, commands and words of
                command lines are pseudonyms (the same text has the same one everywhere);
                what programs read and wrote is taken out. Names of the system and of
                public libraries, calls, sizes, offsets, times and results are as recorded.
                Call stacks hold the source lines that the owner's machine found.
analysis.json   what "iolens analyze --format json" says of these recordings
doctor.json     what works on the machine that made the bundle
versions.json   versions of what made it

Look at it:     iolens analyze recordings/1
`;

/**
 * Makes a bundle in which nothing says who did what where, and whose analysis comes to the same findings.
 * @throws BundleError, or an Error in words for the user.
 */
export async function makeBundle(request: BundleRequest, hooks: OpenHooks = {}): Promise<void> {
  const isArchive = /\.(tar\.gz|tgz)$/.test(request.output);
  if (!isArchive && !(await isFree(request.output)))
    throw new BundleError(`${request.output}: the folder is not empty`);
  const work = await mkdtemp(path.join(tmpdir(), 'iolens-bundle-'));
  try {
    const pseudonyms = new Pseudonyms();
    await fill(work, request, pseudonyms, hooks);
    if (isArchive) await writeArchive(work, request.output);
    else await cp(work, request.output, { recursive: true });
    if (request.keyFile !== undefined) await writeKey(request.keyFile, pseudonyms.key());
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function isFree(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.length === 0;
}

async function fill(work: string, request: BundleRequest, pseudonyms: Pseudonyms, hooks: OpenHooks): Promise<void> {
  const { resources, version } = request;
  const lookup = await chooseLookup(path.join(resources.folder, 'addr2line.wasm'), true, resources.read);
  const redacted: OpenRequest[] = [];
  for (const [i, recording] of request.recordings.entries()) {
    const opened = await OpenedRecording.open({ ...recording, workspaceFolders: [] }, lookup, hooks);
    const folder = path.join(work, 'recordings', String(i + 1));
    await writeRedacted(opened, pseudonyms, folder);
    redacted.push({
      ...plainRequest(folder),
      sharedPaths: recording.sharedPaths.map((shared) => pseudonyms.path(shared)),
      ...(recording.thresholds && { thresholds: recording.thresholds }),
      maySpawn: false,
    });
  }
  const writeJson = (name: string, value: unknown): Promise<void> =>
    writeFile(path.join(work, name), `${JSON.stringify(value, null, 2)}\n`);
  await writeJson('analysis.json', await analysisOf(redacted, resources));
  const machine = await checkMachine({ version, resources, binaries: [], debugFolders: [] });
  await writeJson('doctor.json', redactedMachine(machine, pseudonyms));
  await writeJson('versions.json', { iolens: version, node: process.versions.node, ...machine.system });
  await writeFile(path.join(work, 'README.txt'), README);
}

/** The analysis of what is in the bundle, as its reader will see it: it cannot say more than the bundle does. */
async function analysisOf(requests: readonly OpenRequest[], resources: SessionResources): Promise<AnalysisDocument> {
  const session = new Session(resources);
  const ids: number[] = [];
  for (const request of requests) ids.push((await session.open(request)).id);
  const analysis = await session.analysis(ids);
  const recordings = analysis.recordings.map((info, i) => ({ ...info, recording: `recordings/${i + 1}` }));
  return { ...analysis, recordings };
}

function redactedMachine(machine: MachineDocument, pseudonyms: Pseudonyms): MachineDocument {
  const secrets = [homedir(), hostname(), userInfo().username];
  const text = (value: string): string => pseudonyms.text(value, secrets);
  return {
    ...machine,
    checks: machine.checks.map((check) => ({
      ...check,
      // Servers have names too.
      found: check.id === 'debuginfod' ? 'redacted' : text(check.found),
      advice: text(check.advice),
    })),
  };
}

async function writeKey(file: string, key: RedactionKey): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify({ schema: 'iolens/bundle-key@1', ...key }, null, 2)}\n`);
  } finally {
    await handle.close();
  }
}

async function writeArchive(folder: string, output: string): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createGzip(), createWriteStream(output));
  try {
    await addFolder(archive, folder, 'iolens-bundle');
    archive.finalize();
    await written;
  } catch (error) {
    archive.destroy();
    await written.catch(() => undefined);
    await rm(output, { force: true });
    throw error;
  }
}

async function addFolder(archive: Pack, folder: string, name: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const from = path.join(folder, entry.name);
    const to = `${name}/${entry.name}`;
    if (entry.isDirectory()) await addFolder(archive, from, to);
    // Without owner: the names of user and group are no part of the bundle.
    else
      await pipeline(createReadStream(from), archive.entry({ name: to, size: (await stat(from)).size, mode: 0o644 }));
  }
}
