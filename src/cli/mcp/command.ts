import { statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UsageError, withOpenOptions, type OpenOptions } from '../arguments.ts';

export interface McpOptions extends OpenOptions {
  cwd?: string;
  allowRun?: true;
  allowWrite?: true;
}

export function addMcp(program: Command): void {
  withOpenOptions(
    program
      .command('mcp')
      .description('a Model Context Protocol server on standard input and output, for coding agents')
      .option(
        '--cwd <folder>',
        'the folder of the sources; paths from the agent are relative to it (default: this one)',
      )
      .option('--allow-run', 'let the agent run programs: record them, and try fixes in copies of the folder')
      .option('--allow-write', 'let the agent apply fixes to the sources of the folder'),
  ).action(async (options: McpOptions) => {
    if (options.add.length > 0) throw new UsageError('mcp: --add is for one recording, and the agent names them');
    const settled = withWholePaths(options);
    if (options.cwd !== undefined) enter(options.cwd);
    // The protocol's library is for this command only.
    const { serveAgents } = await import('./server.ts');
    await serveAgents(settled);
  });
}

/** Paths of options are those of the folder that the server was started in. */
function withWholePaths(options: McpOptions): McpOptions {
  const whole = (file: string): string => path.resolve(file);
  return {
    ...options,
    binary: options.binary.map(whole),
    debugDir: options.debugDir.map(whole),
    config: options.config === undefined ? undefined : whole(options.config),
  };
}

function enter(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--cwd ${folder}: there is no such folder`);
  process.chdir(folder);
}
