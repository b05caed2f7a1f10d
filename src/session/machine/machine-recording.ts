import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MachineCheck } from '../../export/analysis/machine-document.ts';
import { straceAbilities } from '../../record/strace-command.ts';
import { RecordError } from '../../record/strace-recorder.ts';
import { libraryFrom } from './recorder-source.ts';
import { runProgram, type ProgramOutput } from './run-program.ts';
import type { SessionResources } from '../session-resources.ts';

/** Checks of what recording needs: the recorder library; the permission to trace, and a strace that can. */

const CAP_SYS_PTRACE = 1n << 19n;

type Text = (file: string) => Promise<string>;

const textOf: Text = (file) => readFile(file, 'utf8').catch(() => '');

export async function recordingChecks(): Promise<MachineCheck[]> {
  const versionText = await runProgram('strace', ['-V']);
  if (versionText === undefined) return [await permission(undefined), NO_STRACE];
  const folder = await mkdtemp(path.join(tmpdir(), 'iolens-doctor-'));
  try {
    const trial = await trace(folder, 'plain', []);
    const checks = [await permission(trial), straceCheck(versionText.output)];
    if (trial.status !== 0) return checks;
    return [...checks, await stacks(folder, versionText.output), await seccomp(folder)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The library is put there or compiled, as the first recording would do it. */
export async function libraryCheck(resources: SessionResources): Promise<MachineCheck> {
  const check = { id: 'recorder-library', group: 'Recording', name: 'recorder library' } as const;
  try {
    const { file, origin } = await libraryFrom(resources);
    return { ...check, status: 'ok', found: `${file}, ${origin}`, advice: '' };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const advice = 'without it programs are recorded by strace, at a hundred times the cost of a call';
    return { ...check, status: 'warning', found: error.message, advice };
  }
}

const NO_STRACE: MachineCheck = {
  id: 'strace',
  group: 'Recording',
  name: 'strace',
  status: 'missing',
  found: 'not installed',
  advice: 'install it (apt install strace, dnf install strace, or a module of the cluster)',
};

interface Trial extends ProgramOutput {
  /** What strace recorded. */
  readonly text: string;
}

/** Records a program that does nothing. */
async function trace(folder: string, name: string, options: readonly string[]): Promise<Trial> {
  const output = path.join(folder, name);
  const program = ['/bin/true', '/usr/bin/true'].find((file) => existsSync(file)) ?? process.execPath;
  const ran = await runProgram('strace', [
    ...options,
    '-e',
    'trace=execve,mmap,exit_group',
    '-o',
    output,
    '--',
    program,
    '--version',
  ]);
  return { status: NaN, output: '', errors: '', ...ran, text: await textOf(output) };
}

/** Whether processes may be traced: tried where strace is there, else by what the kernel says. */
async function permission(trial: Trial | undefined): Promise<MachineCheck> {
  const scope = (await textOf('/proc/sys/kernel/yama/ptrace_scope')).trim();
  const place = await containerName();
  const where = `${place === '' ? '' : `in ${place}, `}yama ptrace_scope ${scope === '' ? 'absent' : scope}`;
  const check = { id: 'ptrace', group: 'Recording', name: 'permission to trace' } as const;
  if (trial?.status === 0 && trial.text !== '') {
    return { ...check, status: 'ok', found: `tracing /bin/true works (${where})`, advice: '' };
  }
  const isAllowed = scope === '' || Number(scope) <= 1 || (Number(scope) === 2 && (await hasTraceCapability()));
  const advice = adviceFor(scope, place);
  if (trial !== undefined) {
    const reason = trial.errors.split('\n', 1)[0]!.trim();
    return {
      ...check,
      status: 'missing',
      found: `tracing /bin/true failed: ${reason || 'no output'} (${where})`,
      advice,
    };
  }
  return isAllowed
    ? { ...check, status: 'ok', found: `nothing known against it (${where}); not tried without strace`, advice: '' }
    : { ...check, status: 'missing', found: where, advice };
}

function adviceFor(scope: string, place: string): string {
  if (Number(scope) === 3)
    return 'tracing is turned off until the next boot: ask the administrator, or record elsewhere';
  if (Number(scope) === 2) return 'only root may trace: sysctl kernel.yama.ptrace_scope=1, by the administrator';
  if (place !== '') return 'start the container with --cap-add=SYS_PTRACE (Docker, Podman), or record outside of it';
  return 'a security module or seccomp filter forbids ptrace: ask the administrator';
}

async function hasTraceCapability(): Promise<boolean> {
  const effective = /^CapEff:\s*([0-9a-f]+)/m.exec(await textOf('/proc/self/status'))?.[1];
  return effective !== undefined && (BigInt(`0x${effective}`) & CAP_SYS_PTRACE) !== 0n;
}

async function containerName(): Promise<string> {
  if (existsSync('/run/.containerenv')) return 'a Podman container';
  if (existsSync('/.dockerenv')) return 'a Docker container';
  if (existsSync('/.singularity.d')) return 'an Apptainer container';
  return /\b(docker|kubepods|containerd|lxc)\b/.test(await textOf('/proc/1/cgroup')) ? 'a container' : '';
}

function straceCheck(versionText: string): MachineCheck {
  const { version } = straceAbilities(versionText);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < 5 || (major === 5 && minor < 2);
  return {
    id: 'strace',
    group: 'Recording',
    name: 'strace',
    status: isOld ? 'warning' : 'ok',
    found: version === '' ? 'of an unknown version' : version,
    advice: isOld ? 'recordings of strace before 5.2 hold less; a newer one can be built in a home folder' : '',
  };
}

async function stacks(folder: string, versionText: string): Promise<MachineCheck> {
  const check = { id: 'strace-stacks', group: 'Recording', name: 'strace -k' } as const;
  const library = /stack-(?:trace|unwind)=(\w+)/.exec(versionText)?.[1] ?? '';
  const trial = await trace(folder, 'stack', ['-k']);
  if (/^ > .+\(.*\) \[0x/m.test(trial.text)) {
    return { ...check, status: 'ok', found: `call stacks${library === '' ? '' : ` by ${library}`}`, advice: '' };
  }
  const isBuilt = library !== '' && trial.status === 0;
  return {
    ...check,
    status: 'missing',
    found: isBuilt ? `built with ${library}, but it printed no stack` : 'this strace was built without call stacks',
    advice:
      'no source lines without it: install a strace with libunwind or libdw (Debian, Fedora), or build one with --enable-stacktrace',
  };
}

async function seccomp(folder: string): Promise<MachineCheck> {
  const trial = await trace(folder, 'seccomp', ['-f', '--seccomp-bpf']);
  const works = trial.status === 0 && trial.text !== '' && !trial.errors.includes('seccomp');
  return {
    id: 'strace-seccomp',
    group: 'Recording',
    name: 'strace --seccomp-bpf',
    status: works ? 'ok' : 'warning',
    found: works ? 'only the traced calls stop the program' : trial.errors.split('\n', 1)[0]!.trim() || 'does not work',
    advice: works
      ? ''
      : 'recording stops the program at every call: it works, but slower (strace 5.3 or newer is needed)',
  };
}
