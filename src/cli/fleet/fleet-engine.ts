import type { Command } from 'commander';
import { findBinding, userEngineFolder } from '../../session/fleet/engine-binding.ts';
import { installEngine, neededPackage, NPM_REGISTRY, packageAddress } from '../../session/fleet/install-engine.ts';
import { untilInterrupted } from '../interrupt.ts';
import { Progress } from '../progress.ts';

interface EngineOptions {
  install?: true;
  from?: string;
  registry: string;
  folder: string;
}

export function addFleetEngine(fleet: Command): void {
  fleet
    .command('engine')
    .description('where the SQL engine (DuckDB) is, and how to get it')
    .option('--install', 'download it from the npm registry (25 MB, 70 MB unpacked)')
    .option('--from <file>', 'install it from a .tgz that was copied here, without a network')
    .option('--registry <address>', 'registry that has it', NPM_REGISTRY)
    .option('--folder <dir>', 'where to put it', userEngineFolder())
    .action(async (options: EngineOptions) => {
      if (options.install === true || options.from !== undefined)
        await untilInterrupted((signal) => install(options, signal));
      else process.stdout.write(state(options));
    });
}

async function install({ from, registry, folder }: EngineOptions, signal: AbortSignal): Promise<void> {
  const progress = new Progress('auto', 'SQL engine');
  try {
    const source = from === undefined ? { registry } : { file: from };
    const update = (done: number, all: number | undefined): void =>
      progress.update(all === undefined ? undefined : done / all);
    const installed = await installEngine(source, folder, neededPackage(), { signal, progress: update });
    process.stdout.write(`${installed}\n`);
  } finally {
    progress.done();
  }
}

function state({ registry, folder }: EngineOptions): string {
  const found = findBinding([folder]);
  if (found !== undefined) return `${found}\n`;
  const needed = neededPackage();
  return [
    `The SQL engine (DuckDB) is not installed here. Either of:`,
    `  iolens fleet engine --install`,
    `  iolens fleet engine --from FILE.tgz    with ${packageAddress(registry, needed)}, copied here`,
    '',
  ].join('\n');
}
