import { spawnSync } from 'node:child_process';
import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chooseLookup } from '../../src/session/machine/lookup-tools.ts';
import { plainRequest, type OpenRequest } from '../../src/session/reading/open-request.ts';
import { OpenedRecording } from '../../src/session/reading/opened-recording.ts';

/** Programs that tests compile and record themselves. */

const wasm = path.resolve(import.meta.dirname, '../../native/wasm/addr2line/addr2line.wasm');

export function has(...tools: string[]): boolean {
  return tools.every((tool) => spawnSync(tool, ['--version']).error === undefined);
}

/** Runs a tool in a folder; the test fails with its words when it fails. */
export function run(folder: string, command: string, ...options: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, options, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${options.join(' ')}: ${stderr}`);
  return stdout;
}

export function freshFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `iolens-${name}-`));
}

/** Sets when a file was last written; tests must not wait for the clock. */
export function writtenAt(file: string, time: Date): void {
  utimesSync(file, time, time);
}

export function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000);
}

/** A program that writes 300 records of 10 bytes on line 6 of emit.c, called from line 15. */
export const EMIT = `#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) static int emit(int fd, const char *text)
{
    return write(fd, text, 10) == 10;
}

int main(void)
{
    int fd = open("out.dat", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0)
        return 1;
    for (int i = 0; i < 300; i++)
        if (!emit(fd, "0123456789"))
            return 1;
    return close(fd);
}
`;

export const EMIT_LINE = 'emit.c:6';

/** Writes emit.c, compiles and records it in a folder; all three are dated some minutes back. */
export function recordEmit(folder: string, source = EMIT, ...options: string[]): string {
  writeFileSync(path.join(folder, 'emit.c'), source);
  run(folder, 'gcc', '-g', ...options, '-o', 'emit', 'emit.c');
  writtenAt(path.join(folder, 'emit.c'), minutesAgo(30));
  writtenAt(path.join(folder, 'emit'), minutesAgo(20));
  run(folder, 'strace', '-f', '-ttt', '-T', '-y', '-k', '-o', 'emit.strace', './emit');
  return path.join(folder, 'emit.strace');
}

export async function open(
  recording: string,
  folder: string,
  more: Partial<OpenRequest> = {},
): Promise<OpenedRecording> {
  const request = { ...plainRequest(recording), workspaceFolders: [folder], ...more };
  return OpenedRecording.open(request, await chooseLookup(wasm, false));
}

/** `file:line` of the first place of a trigger's finding, '' where it has no line. */
export function placeOf(recording: OpenedRecording, trigger = 'posix-small-writes'): string {
  const insight = recording.insights.find((found) => found.trigger === trigger);
  const site = recording.callSites().sites[insight?.sites[0]?.site ?? -1];
  return site === undefined || site.line === 0 ? '' : `${path.basename(site.file)}:${site.line}`;
}
