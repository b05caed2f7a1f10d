import { MEMORY_ONLY } from '../../../trace/chunk-store.ts';
import { editorFiles, isLocation } from '../editor-files.ts';
import type { EventSpill, Machine, MachineFiles } from '../machine.ts';
import { pakoInflation } from './pako-inflation.ts';

/** A browser: its files are those of the editor, and it starts nothing. */
export const machine: Machine = {
  files: onlyLocations(editorFiles),
  inflation: pakoInflation,
  readResource: async (file) => {
    const resource = await editorFiles.open(file);
    const bytes = new Uint8Array(resource.size);
    await resource.read(0, bytes);
    return bytes;
  },
  standardInput: () => {
    throw new Error('a browser has no standard input');
  },
  spill: () => inMemory,
  traceCache: () => undefined,
  installedLookup: () => Promise.resolve(undefined),
  debugDownloads: () => undefined,
  writeTable: (_, table) => Promise.reject(new Error(`a browser writes no table of ${table}`)),
  writeEvents: () =>
    Promise.reject(new Error('a browser writes no events: export them with VS Code on a machine, or by iolens export')),
  writeText: (file) => Promise.reject(new Error(`a browser cannot write ${file}`)),
  repository: () => Promise.resolve(undefined),
  ownTriggers: async (places) => ({ triggers: [], problems: (await Promise.all(places.map(notRun))).flat() }),
  importModule: () => Promise.reject(new Error('a module cannot be loaded in a browser')),
  compile: (script, parameters) =>
    // The script is part of the extension; the host of web extensions loads their code in the same way.
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function(...parameters, script) as (...values: unknown[]) => void,
};

/** There is no file for it. */
const inMemory: EventSpill = { ...MEMORY_ONLY, problem: '', close: () => undefined };

/** Paths of a recording that name files of the machine that it was made on lead nowhere. */
function onlyLocations(files: MachineFiles): MachineFiles {
  const elsewhere = (): Promise<never> => Promise.reject(new Error('a browser reaches no files outside the workspace'));
  return {
    open: (file) => (isLocation(file) ? files.open(file) : elsewhere()),
    status: (file) => (isLocation(file) ? files.status(file) : elsewhere()),
    list: (folder) => (isLocation(folder) ? files.list(folder) : elsewhere()),
    isReadable: (file) => (isLocation(file) ? files.isReadable(file) : Promise.resolve(false)),
    text: (file) => (isLocation(file) ? files.text(file) : elsewhere()),
    absolute: (file) => file,
    real: (file) => (isLocation(file) ? files.real(file) : elsewhere()),
  };
}

/** What the user is told of modules with own triggers. */
async function notRun(place: string): Promise<string[]> {
  const entries = isLocation(place) ? await editorFiles.list(place).catch(() => []) : [];
  return entries
    .filter(({ name }) => name.endsWith('.mjs'))
    .map(({ name }) => `${place}/${name}: own triggers are modules, and cannot be loaded in a browser`);
}
