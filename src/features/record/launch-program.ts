import { resolveVariables, splitCommand, type VariableLookup } from '../editor/variables.ts';

/** A program with everything that is needed to run it. */
export interface LaunchProgram {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What people call it, where that is not the program: a shell that runs a line. */
  readonly name?: string;
}

/** What a launch configuration says about its program, and what of it cannot be had without the debugger. */
interface LaunchReading {
  /** Undefined when the program, its arguments or its folder cannot be known. */
  readonly program: LaunchProgram | undefined;
  /** In words for the user: why there is no program. */
  readonly problems: readonly string[];
  /** In words for the user: what is done otherwise than by the debugger. */
  readonly notes: readonly string[];
}

/** Debuggers of compiled programs whose configurations name the program in a way that is known. */
const TYPES: ReadonlySet<string> = new Set(['cppdbg', 'lldb', 'lldb-dap', 'lldb-vscode', 'gdb']);

export type LaunchConfiguration = Readonly<Record<string, unknown>>;

/** A configuration that starts a compiled program, whether or not it can be recorded in the end. */
export function isRecordable(configuration: LaunchConfiguration): boolean {
  const { type, request } = configuration;
  return typeof type === 'string' && TYPES.has(type) && request === 'launch';
}

/** @param folder stands for a `cwd` that is not given. */
export async function readLaunch(
  configuration: LaunchConfiguration,
  folder: string,
  lookup: VariableLookup,
): Promise<LaunchReading> {
  const problems: string[] = [];
  const resolve = async (property: string, text: string): Promise<string> => {
    const resolved = await resolveVariables(text, lookup);
    for (const variable of resolved.unresolved)
      problems.push(`"${property}" has ${variable}, which only the debugger can resolve: write its value instead`);
    return resolved.text;
  };
  // "target" and "arguments" are the names of the gdb type of Native Debug.
  const written = configuration['program'] ?? configuration['target'];
  if (typeof written !== 'string' || written === '') problems.push('it names no program ("program" is missing)');
  const program = typeof written === 'string' ? await resolve('program', written) : '';
  const args: string[] = [];
  for (const text of argumentsOf(configuration['args'] ?? configuration['arguments']))
    args.push(await resolve('args', text));
  if (args.some((text) => /^[<>|]$|^\d?>>?$/.test(text)))
    problems.push('"args" redirects input or output, which needs a shell: record a script that does it');
  const cwd = typeof configuration['cwd'] === 'string' ? await resolve('cwd', configuration['cwd']) : folder;
  const env: Record<string, string> = {};
  for (const [name, text] of environmentOf(configuration)) env[name] = await resolve(`environment ${name}`, text);
  return {
    program: problems.length > 0 ? undefined : { program, args, cwd, env },
    problems,
    notes: notesOf(configuration),
  };
}

function argumentsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(asText);
  return typeof value === 'string' ? splitCommand(value) : [];
}

/** `environment` of cppdbg is a list of names and values, `env` of the others an object. */
function environmentOf(configuration: LaunchConfiguration): [name: string, value: string][] {
  const found: [string, string][] = [];
  const { environment, env } = configuration;
  if (Array.isArray(environment)) {
    for (const entry of environment as unknown[]) {
      if (typeof entry !== 'object' || entry === null) continue;
      const { name, value } = entry as Record<string, unknown>;
      if (typeof name === 'string') found.push([name, asText(value)]);
    }
  }
  if (typeof env === 'object' && env !== null)
    for (const [name, value] of Object.entries(env)) found.push([name, asText(value)]);
  return found;
}

/** A text or number as it is, '' for anything else: configurations are written by hand. */
export function asText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Properties that change how the program runs and that a recording does not follow. */
const NOT_FOLLOWED: readonly (readonly [property: string, note: string])[] = [
  ['preLaunchTask', 'its preLaunchTask is not run: build first'],
  ['envFile', 'its envFile is not read'],
  ['stdio', 'its stdio redirection is not made'],
  ['initCommands', 'its debugger commands are not run'],
];

function notesOf(configuration: LaunchConfiguration): string[] {
  return NOT_FOLLOWED.flatMap(([property, note]) => (configuration[property] === undefined ? [] : [note]));
}
