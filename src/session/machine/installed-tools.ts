import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { LookupFactory } from '../../symbols/address-lookup.ts';
import { InstalledLookupFactory, type RunTool } from '../../symbols/installed-lookup.ts';

const INSTALLED = ['llvm-symbolizer', 'llvm-symbolizer-14', 'llvm-symbolizer-16', 'llvm-symbolizer-18', 'addr2line'];

/** Runs a program with its options as a list; nothing of a recording ever reaches a shell. */
const runTool: RunTool = (program, options, input) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...options], { stdio: ['pipe', 'pipe', 'ignore'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new Error(`${program} ended with ${code ?? 'a signal'}`));
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });

/** The first symboliser that is installed here. */
export async function installedLookup(): Promise<LookupFactory | undefined> {
  const tool = await findInstalled(INSTALLED);
  return tool === undefined ? undefined : new InstalledLookupFactory(tool, runTool);
}

/** The first of the programs that is in a folder of PATH, with its folder. */
export async function findInstalled(names: readonly string[]): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => path.isAbsolute(folder));
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      const found = await access(file).then(
        () => true,
        () => false,
      );
      if (found) return file;
    }
  }
  return undefined;
}
