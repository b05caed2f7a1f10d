import type { Trace } from '../../trace/trace.ts';
import type { Lack } from './lacks.ts';

/** What a recording of layers (OTF2, Recorder, DFTracer, HDF5's VOL, the recorder library) does not tell, and how to get it. */
export function layerLacks({ form, events, capabilities }: Trace): Lack[] {
  if (events.length === 0) return [];
  const { stacks, paths } = form.remedies;
  const lacks: Lack[] = [];
  if (!capabilities.stacks && stacks !== undefined) {
    lacks.push({
      name: 'stacks',
      what: form.stacksByDefault ? 'no call stacks, as it was recorded without them' : 'no call stacks',
      consequence: 'findings have no source lines, only files',
      remedy: stacks,
    });
  }
  if (!capabilities.paths && paths !== undefined) {
    lacks.push({
      name: 'paths',
      what: 'neither files nor sizes',
      consequence: 'what its calls did to files is not judged',
      remedy: paths,
    });
  }
  return lacks;
}
