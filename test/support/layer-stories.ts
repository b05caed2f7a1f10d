import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenedRecording } from '../../src/session/reading/opened-recording.ts';

/** What I/O Lens has to find in a recording of test/data/layers, and that it finds nothing else. */
export interface LayerStory {
  readonly name: string;
  /** Code → marked lines (`file marker`) that a finding names; none: the variant is clean. */
  readonly finds: Readonly<Record<string, readonly string[]>>;
  /** Codes of what is good. */
  readonly praises?: readonly string[];
  /** System calls with stacks, one text for each rank. */
  readonly isText?: true;
}

export const LAYER_STORIES: readonly LayerStory[] = [
  // Tschüter, section 5.3, figures 5.6 and 5.7: opened and closed for every snapshot, and some processes have to wait.
  { name: 'heat-each', finds: { L02: ['heat.c open-each', 'heat.c close-each'], L24: ['heat.c open-each'] } },
  { name: 'heat-once', finds: {}, praises: ['L23'] },
  {
    name: 'heat-each-strace',
    finds: {
      M03: ['heat.c row-writes'],
      L02: ['heat.c open-each', 'heat.c close-each'],
    },
    isText: true,
  },
  { name: 'heat-once-strace', finds: {}, isText: true },
  // Figures 5.8 and 5.9.
  {
    name: 'btio-simple',
    finds: { M03: ['btio.c independent'] },
  },
  { name: 'btio-full', finds: {}, praises: ['L23'] },
  { name: 'btio-epio', finds: { L31: ['btio_records.f90 own-file'] } },
  {
    name: 'btio-fortran',
    finds: {
      L03: ['btio_records.f90 records'],
      P16: ['btio_records.f90 records'],
      P08: ['btio_records.f90 records'],
    },
  },
  // Drishti's cross-layer paper, section V.A.
  {
    name: 'openpmd-independent',
    finds: { L30: ['openpmd.c metadata-writes', 'openpmd.c group-reads', 'openpmd.c set-reads'] },
  },
  // The metadata are silent now; that ROMIO joins nothing of what lies side by side costs next to nothing.
  { name: 'openpmd-collective', finds: {}, praises: ['L23'] },
  { name: 'sieve-holes', finds: { L22: ['sieve.c holes'] } },
  { name: 'sieve-contiguous', finds: {} },
  { name: 'overlap-wait', finds: { L25: ['overlap.c begun'] } },
  { name: 'overlap-overlap', finds: {} },
  { name: 'locks-contended', finds: { L26: ['locks.c waits'] } },
  { name: 'locks-free', finds: {} },
  { name: 'latecomer-late', finds: { L24: ['latecomer.c waits'] }, praises: ['L23'] },
  { name: 'latecomer-punctual', finds: {}, praises: ['L23'] },
  { name: 'storm-every', finds: { L27: ['storm.c opens', 'storm.c closes'] } },
  { name: 'storm-one', finds: {} },
];

export const LAYER_STORY_NAMES: readonly string[] = LAYER_STORIES.map(({ name }) => name);

/** `heat.c open-each` → `heat.c:45`. */
export function lineOf(folder: string, mark: string): string {
  const [file, marker] = mark.split(' ') as [string, string];
  const lines = readFileSync(path.join(folder, file), 'utf8').split('\n');
  const line = lines.findIndex((text) => new RegExp(`FINDING ${marker}\\b(?!-)`).test(text));
  if (line < 0) throw new Error(`no line of ${file} is marked ${marker}`);
  return `${file}:${line + 1}`;
}

/** Code → the lines that findings mark: those whose cause another finding names have no mark of their own. */
export function codesOnLines(recording: OpenedRecording): Record<string, string[]> {
  const { sites } = recording.callSites();
  const lines: Record<string, string[]> = {};
  for (const { code, severity, sites: marks } of recording.insights) {
    const own = marks.filter(({ explainedBy }) => explainedBy === undefined);
    if (severity === 'ok' || (own.length === 0 && marks.length > 0)) continue;
    lines[code] = own.map(({ site }) => `${path.basename(sites[site]!.file)}:${sites[site]!.line}`).sort();
  }
  return lines;
}
