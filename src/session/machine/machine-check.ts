import { readFile } from 'node:fs/promises';
import { arch, release, type } from 'node:os';
import path from 'node:path';
import type { MachineDocument } from '../../export/analysis/machine-document.ts';
import { chooseLookup } from './lookup-tools.ts';
import { binaryCheck } from './machine-binary.ts';
import { libraryCheck, recordingChecks } from './machine-recording.ts';
import {
  cacheCheck,
  darshanLibraryCheck,
  debuginfodCheck,
  lookupCheck,
  nodeCheck,
  programChecks,
  scannerCheck,
  temporaryCheck,
} from './machine-tools.ts';
import type { SessionResources } from '../session-resources.ts';

interface MachineRequest {
  /** Version of this program. */
  readonly version: string;
  readonly resources: SessionResources;
  readonly binaries: readonly string[];
  readonly debugFolders: readonly string[];
}

/**
 * Finds out what works on this machine. It starts programs (strace, compilers), so nothing of it runs in an untrusted
 * workspace.
 */
export async function checkMachine(request: MachineRequest): Promise<MachineDocument> {
  const { resources, binaries, debugFolders, version } = request;
  const wasm = path.join(resources.folder, 'addr2line.wasm');
  const checks = await Promise.all([
    libraryCheck(resources),
    recordingChecks(),
    chooseLookup(wasm, true, resources.read ?? readFile).then(lookupCheck),
    programChecks(),
    darshanLibraryCheck(process.env),
    cacheCheck(process.env),
    temporaryCheck(),
    Promise.all(binaries.map((binary) => binaryCheck(binary, debugFolders))),
  ]);
  return {
    schema: 'iolens/doctor@1',
    version,
    system: { platform: type(), kernel: release(), processor: arch() },
    checks: [debuginfodCheck(process.env), nodeCheck(), scannerCheck(), ...checks.flat()],
  };
}
