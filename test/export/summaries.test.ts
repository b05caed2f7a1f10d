import { describe, expect, test } from 'vitest';
import { runText } from '../../src/export/analysis/run-text.ts';
import { recordedSummary } from '../webview/report/recorded.ts';

/** What the report page is told of recordings that describe no job, one of each format. */
describe('a summary', () => {
  test.each([
    ['strace', 'demo/heat/heat.strace.gz'],
    ['the recorder library', 'test/data/capture/processes'],
    ['OTF2', 'test/data/otf2/collective_write_agg'],
    ['DFTracer', 'test/data/others/dftracer'],
    ['HDF5’s VOL connector', 'test/data/others/drishti_vol/seconds'],
    ['Recorder', 'test/data/recorder/collective_write'],
    ['several layers', 'test/data/layers/btio-simple'],
  ])('of a recording by %s says what there is of it, and nothing that is not', async (_by, recording) => {
    const { analysis, summary } = await recordedSummary(recording);
    expect(JSON.stringify(summary)).not.toMatch(/NaN|undefined|Infinity/);
    expect(summary.findings).toHaveLength(analysis.insights.length);
    const { run } = summary;
    expect(run.headlines.map(([label]) => label)).toContain('Run time');
    expect(run.facts.map(([name]) => name)).toContain('Recorded by');
    // The VOL connector names no files.
    const { files } = analysis.recordings[0]!;
    expect(run.lines.length + run.files.length > 0).toBe(files > 0);
    const first = analysis.run === null ? undefined : runText(analysis.run);
    if (first !== undefined) expect(summary.head[0]).toBe(first);
  });

  test('lines and files are in the order of their cost, and each leads to its line by a number', async () => {
    const { content, summary } = await recordedSummary('demo/heat/heat.strace.gz');
    const { lines, files, isTraced } = summary.run;
    expect(isTraced).toBe(true);
    const share = ({ share: text }: { readonly share: string }): number => Number.parseFloat(text.replace('<', '0'));
    for (const list of [lines, files]) {
      const shares = list.map(share);
      expect(shares).toEqual([...shares].sort((a, b) => b - a));
    }
    for (const { place } of lines)
      if (place.place !== undefined) expect(place.label).toMatch(new RegExp(`:${content.places[place.place]!.line}$`));
    expect(lines[0]).toMatchObject({
      function: expect.any(String) as string,
      what: expect.stringMatching(/\d/) as string,
    });
  });
});
