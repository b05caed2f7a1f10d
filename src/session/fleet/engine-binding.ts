import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { othersMayWrite } from '../../record/others-files.ts';
import { ENGINE_PACKAGES } from './engine-build.ts';

/** The file that Node loads; the library itself lies beside it. */
export const BINDING = 'duckdb.node';

/** Name of the npm package with the native part for this machine. */
export function enginePackage(): string {
  return `@duckdb/node-bindings-${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
}

/** Folder below an engine folder that holds the native part for this machine: homes are shared between machines. */
export function engineSubfolder(): string {
  return `${ENGINE_PACKAGES.version}-${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`;
}

/** Where the command line installs the engine, and everything looks for it. */
export function userEngineFolder(): string {
  const data = process.env['XDG_DATA_HOME'];
  if (process.platform === 'win32') return path.join(process.env['LOCALAPPDATA'] ?? os.homedir(), 'iolens', 'engine');
  return path.join(
    data !== undefined && path.isAbsolute(data) ? data : path.join(os.homedir(), '.local/share'),
    'iolens/engine',
  );
}

/** The engine's native part, as the file that Node loads; undefined when it is nowhere. */
export function findBinding(folders: readonly string[]): string | undefined {
  const installed = [...folders, userEngineFolder()].flatMap((folder) => [
    path.join(folder, engineSubfolder(), BINDING),
    // A package that was unpacked by hand.
    path.join(folder, BINDING),
    path.join(folder, 'package', BINDING),
  ]);
  return installed.find((file) => existsSync(file)) ?? ofModules();
}

/** @throws Error in words for the user. */
export function loadBinding(folders: readonly string[]): unknown {
  const file = findBinding(folders);
  if (file === undefined) throw new Error(`${enginePackage()} ${ENGINE_PACKAGES.version} was not found`);
  // What npm put among the modules of the program is as good as the program.
  const others = file === ofModules() ? '' : othersIn(path.dirname(file));
  if (others !== '') throw new Error(`it is not loaded, as ${others}`);
  return createRequire(import.meta.url)(file);
}

/** The library lies beside what Node loads. */
function othersIn(folder: string): string {
  return othersMayWrite(folder, ...readdirSync(folder).map((name) => path.join(folder, name)));
}

/** npm puts it among the modules. */
function ofModules(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${enginePackage()}/${BINDING}`);
  } catch {
    return undefined;
  }
}

function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}
