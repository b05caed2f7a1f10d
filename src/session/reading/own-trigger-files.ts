import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { problemOfTrigger, type LoadedTrigger, type OwnTrigger } from '../../analysis/triggers/own/own-trigger.ts';

/** The triggers that could be read, and what is wrong with the others, in words for the user. */
export interface OwnTriggerFiles {
  readonly triggers: readonly LoadedTrigger[];
  readonly problems: readonly string[];
}

const NO_OWN_TRIGGERS: OwnTriggerFiles = { triggers: [], problems: [] };

/**
 * Runs the modules with the user's own triggers. They are code: what is to be run has to be named by the user, or lie in a
 * workspace that the user trusts.
 *
 * @param places modules, and folders whose `*.mjs` files are modules; a folder that is not there holds none.
 */
export async function loadOwnTriggers(places: readonly string[], mayRun: boolean): Promise<OwnTriggerFiles> {
  if (places.length === 0) return NO_OWN_TRIGGERS;
  const triggers: LoadedTrigger[] = [];
  const problems: string[] = [];
  const codes = new Map<string, string>();
  for (const place of places) {
    for (const file of await modulesAt(place)) {
      if (!mayRun) {
        problems.push(`${file}: own triggers are code, and not run in an untrusted workspace`);
        continue;
      }
      for (const found of await triggersOf(file)) {
        const problem = typeof found === 'string' ? found : taken(codes, found.code, file);
        if (problem !== undefined) problems.push(`${file}: ${problem}`);
        else triggers.push({ file, trigger: found as OwnTrigger });
      }
    }
  }
  return { triggers, problems };
}

async function modulesAt(place: string): Promise<string[]> {
  const names = await readdir(place).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    return [];
  });
  if (names === undefined) return [path.resolve(place)];
  return names
    .filter((name) => name.endsWith('.mjs'))
    .sort()
    .map((name) => path.resolve(place, name));
}

/** The triggers of a module's default export, one or a list; a text is what is wrong with one. */
async function triggersOf(file: string): Promise<(OwnTrigger | string)[]> {
  try {
    // Node keeps modules: a file that was changed is another one.
    const { mtimeMs } = await stat(file);
    const loading = import(/* @vite-ignore */ `${pathToFileURL(file).href}?changed=${mtimeMs}`);
    const module = (await inTime(loading)) as { default?: unknown };
    if (module.default === undefined) return ['there is no default export'];
    const exported: readonly unknown[] = Array.isArray(module.default) ? module.default : [module.default];
    return exported.map((value) => problemOfTrigger(value) ?? (value as OwnTrigger));
  } catch (error) {
    return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
  }
}

/** Milliseconds in which a module has to be loaded: one that waits for something at its top may never be. */
const LOADING_TIME = 10_000;

async function inTime(loading: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it was not loaded within ${LOADING_TIME / 1000} s`)), LOADING_TIME);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function taken(codes: Map<string, string>, code: string, file: string): string | undefined {
  const owner = codes.get(code);
  if (owner !== undefined) return `the code ${code} is taken by ${owner}`;
  codes.set(code, file);
  return undefined;
}
