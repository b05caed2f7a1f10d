import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnalysisDocument } from '../../src/export/analysis/documents.ts';
import { line, StraceText } from '../support/strace-text.ts';

/** Findings that follow from others at every place, in the reports of the built command. */
const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
/** Writes with gaps between them, which are small writes, too. */
const text = new StraceText();
text.times(200, (i) => text.call(1, `pwrite64(3</w/a>, ""..., 8, ${i * 128}) = 8`, 10, [line(8)]));
const recording = text.toString();

function analyze(...args: string[]): string {
  return spawnSync(process.execPath, [cli, 'analyze', ...args, '-'], { encoding: 'utf8', input: recording }).stdout;
}

interface SarifRun {
  readonly results: readonly { readonly ruleId: string }[];
  readonly invocations: readonly { readonly toolExecutionNotifications: readonly { message: { text: string } }[] }[];
}

function sarif(...args: string[]): { rules: string[]; notes: string[] } {
  const [run] = (JSON.parse(analyze('--format', 'sarif', ...args)) as { runs: SarifRun[] }).runs;
  const notes = run!.invocations.flatMap((each) => each.toolExecutionNotifications);
  return { rules: run!.results.map(({ ruleId }) => ruleId), notes: notes.map(({ message }) => message.text) };
}

const insights = (json: string): unknown => (JSON.parse(json) as AnalysisDocument).insights;

describe('what follows from other findings', () => {
  const left = 'and 1 that follows from these: P06';

  test('is counted and named in every report', () => {
    expect(analyze()).toContain(`\n… ${left} (--all shows them)\n`);
    for (const format of ['markdown', 'html']) expect(analyze('--format', format)).toContain(`… ${left}.`);
    expect(sarif()).toMatchObject({ rules: ['L06'] });
    expect(sarif().notes).toContain(`… ${left}.`);
  });

  test('is shown by --all, behind the others and with its cause', () => {
    const report = analyze('--all');
    expect(report).toMatch(
      /L06 Small writes with gaps[^]*P06 Many small writes\n.* This follows from L06\.\n {5}\/w\/app\.c:8 /,
    );
    expect(report).not.toContain('that follow');
    expect(analyze('--all', '--format', 'markdown')).toMatch(
      /### .*L06 Small writes[^]*### .*P06 Many small writes[^]*This follows from L06\./,
    );
    expect(analyze('--all', '--format', 'html')).toContain('This follows from L06.');
    expect(sarif('--all').rules).toEqual(['L06', 'P06']);
    expect(sarif('--all').notes.join()).not.toContain('that follow');
  });

  test('is in the JSON anyhow', () =>
    expect(insights(analyze('--all', '--format', 'json'))).toEqual(insights(analyze('--format', 'json'))));
});
