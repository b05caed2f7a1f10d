import { shellQuoted } from '../../analysis/triggers/shell-quoting.ts';

/** How a trial was asked for. */
interface AskedTrial {
  readonly recordings: readonly string[];
  readonly fixes: readonly { readonly id: string }[];
  readonly sourceMap: readonly { readonly from: string; readonly to: string }[];
  readonly build: string;
  readonly run: string;
  readonly cwd: string | undefined;
  readonly env: readonly string[];
  readonly outputs: readonly string[];
  readonly repeat: number | undefined;
  readonly faults: boolean;
  readonly allowOutside: boolean;
}

/** A command line that tries fixes again, in the same folder. */
export function trialCommand(asked: AskedTrial): string {
  const option = (name: string, ...values: readonly (string | number | undefined)[]): string[] =>
    values.flatMap((value) => (value === undefined ? [] : [`--${name} ${shellQuoted(String(value))}`]));
  return [
    'iolens fix',
    ...asked.recordings.map(shellQuoted),
    ...asked.fixes.map(({ id }) => id),
    ...option('source-map', ...asked.sourceMap.map(({ from, to }) => `${from}=${to}`)),
    '--try',
    ...option('build', asked.build),
    ...option('run', asked.run),
    ...option('cwd', asked.cwd),
    ...option('env', ...asked.env),
    ...option('outputs', ...asked.outputs),
    ...option('repeat', asked.repeat),
    ...(asked.faults ? ['--faults'] : []),
    ...(asked.allowOutside ? ['--allow-outside'] : []),
  ].join(' ');
}
