/** What works on a machine: `iolens doctor`. */

type CheckStatus = 'ok' | 'warning' | 'missing';

const CHECK_GROUPS = ['Recording', 'Source lines', 'Programs', 'Darshan', 'Here', 'Binaries'] as const;

export interface MachineCheck {
  /** Stays the same over versions: `ptrace`, `strace`, `strace-stacks`, … */
  readonly id: string;
  readonly group: (typeof CHECK_GROUPS)[number];
  readonly name: string;
  /** `warning`: works, but less well; `missing`: what needs it does not work. */
  readonly status: CheckStatus;
  /** What was found, in a few words. */
  readonly found: string;
  /** What to do about it; '' when all is well. */
  readonly advice: string;
}

/** `iolens doctor --json` */
export interface MachineDocument {
  readonly schema: 'iolens/doctor@1';
  /** Of I/O Lens. */
  readonly version: string;
  readonly system: { readonly platform: string; readonly kernel: string; readonly processor: string };
  readonly checks: readonly MachineCheck[];
}

const MARKS: Readonly<Record<CheckStatus, string>> = { ok: 'ok     ', warning: 'warning', missing: 'MISSING' };

/** The checks as a person reads them. */
export function machineText({ version, system, checks }: MachineDocument): string {
  const parts = [`I/O Lens ${version} on ${system.platform}, kernel ${system.kernel}, ${system.processor}`];
  for (const group of CHECK_GROUPS) {
    const of = checks.filter((check) => check.group === group);
    if (of.length > 0) parts.push(`${group}\n${of.flatMap(checkLines).join('\n')}`);
  }
  // Names of files and the output of tools: no control character of theirs reaches the terminal.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return `${parts.join('\n\n').replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd')}\n`;
}

const NAME_WIDTH = 20;

function checkLines({ status, name, found, advice }: MachineCheck): string[] {
  const indent = ' '.repeat(MARKS.ok.length + 4);
  const head = `  ${MARKS[status]}  ${name.padEnd(NAME_WIDTH)}`;
  // The path of a binary takes a line of its own.
  const lines = name.length > NAME_WIDTH ? [head, `${indent}${found}`] : [`${head}  ${found}`];
  return advice === '' ? lines : [...lines, `${indent}→ ${advice}`];
}
