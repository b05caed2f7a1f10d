// What the peers are measured with: a recording, what `iolens` does with it, and who else reads it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/machine.mjs';
import { at, make } from '../programs.mjs';
import { makeRecording, makeStackRecording } from '../recordings.mjs';

const script = (name) => path.join(import.meta.dirname, name);
const data = (name) => path.join(root, 'test/data', name);
/** Where large recordings lie that are not made here. */
const shared = (name) => path.resolve(root, '../shared/data', name);

const DRISHTI = { name: 'Drishti 0.8', command: (log) => ['drishti', log] };
const PYDARSHAN = {
  name: 'PyDarshan 3.5.0, to data frames',
  command: (log) => ['python', script('pydarshan_frames.py'), log],
};
const EXPLORER = {
  name: 'DXT Explorer 0.4',
  command: (log) => ['dxt-explorer', '-o', at('peers-explorer'), log],
};
const OF_SEGMENTS = [DRISHTI, PYDARSHAN, EXPLORER];
const MAWK = { name: 'mawk, splitting fields only', command: (text) => ['mawk', '{n+=NF} END{print n}', text] };
const PANDAS = {
  name: 'pandas, as in the DFG paper',
  command: (text) => ['python', script('paper_pipeline.py'), text],
};
const PARSER = { name: 'strace-parser 0.2.0', command: (text) => ['strace-parser', text] };

const segments = (ranks, each) => (file) => make('guard/darshan-segments', file, ranks, each);

export const ROWS = [
  {
    title: 'Darshan log of 4 processes, `analyze`',
    recording: ['small.darshan', segments(4, 40)],
    verb: 'analyze',
    peers: OF_SEGMENTS,
  },
  {
    title: 'Darshan log with call stacks, `analyze`',
    location: data('darshan-stack/badmpi_4ranks_small.darshan'),
    verb: 'analyze',
    peers: [DRISHTI, PYDARSHAN],
  },
  {
    title: 'DXT, 128,000 segments of 128 ranks, `analyze`',
    recording: ['segments.darshan', segments(128, 1000)],
    verb: 'analyze',
    peers: OF_SEGMENTS,
  },
  {
    title: 'DXT Explorer’s sample, 276,882 segments of 1,024 ranks, `analyze`',
    location: shared('darshan/dxtexplorer_8_benchmark_parallel.darshan'),
    verb: 'analyze',
    peers: OF_SEGMENTS,
  },
  {
    title: 'DXT, 2.3 million segments of 256 ranks, `analyze`',
    recording: ['large.darshan', segments(256, 9000)],
    verb: 'analyze',
    peers: OF_SEGMENTS,
  },
  {
    title: 'strace, 300,000 calls cut in two, `dfg`',
    recording: ['calls.strace', (file) => makeRecording(file, 300_000, true)],
    verb: 'dfg',
    peers: [MAWK, PANDAS, PARSER],
  },
  {
    title: 'strace `-k`, 60,000 calls, `dfg`',
    recording: ['stacks.strace', (file) => makeStackRecording(file, 60_000)],
    verb: 'dfg',
    peers: [MAWK, PANDAS, PARSER],
  },
  {
    title: 'OTF2, 1 million events, `info`',
    recording: ['otf2', (folder) => make('otf2-archive', folder, 8, 8000)],
    verb: 'info',
    peers: [{ name: 'otf2-print', command: (folder) => ['otf2-print', path.join(folder, 'traces.otf2')] }],
  },
  {
    title: 'Recorder, 4 small processes, `analyze`',
    location: data('recorder/collective_write'),
    verb: 'analyze',
    peers: [
      DRISHTI,
      { name: 'recorder-utils 0.5.0', command: (folder) => ['recorder2csv', folder, at('peers-recorder')] },
    ],
  },
  {
    title: 'dftracer, a small trace, `info`',
    location: data('others/dftracer/own-4000.pfw.gz'),
    verb: 'info',
    peers: [
      {
        name: 'dftracer-utils 0.0.14',
        command: (file) => ['dftracer_stats', '--index-dir', at('peers-dftracer'), '--files', file],
      },
    ],
  },
];

/** Makes the recordings that are not there yet. @returns where the one of a row lies; undefined where it is not at hand. */
export async function recordingOf({ recording, location }) {
  if (recording === undefined) return existsSync(location) ? location : undefined;
  const [name, maker] = recording;
  const made = at(`peers-${name}`);
  if (!existsSync(made)) await maker(made);
  return made;
}
