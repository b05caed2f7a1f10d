import type { Trace } from '../trace/trace.ts';
import type { Lack } from './lacks.ts';

const SMALL_CASE = 'record a small case of the program with "iolens record" (strace -k)';

/** How a recording of layers gets call stacks; Recorder, DFTracer and the VOL connector have no option for them. */
const REMEDY_OF_STACKS: Readonly<Partial<Record<string, string>>> = {
  otf2: `record with calling contexts (Score-P: SCOREP_ENABLE_UNWINDING=true, in a build with libunwind), or ${SMALL_CASE}`,
  recorder: SMALL_CASE,
  dftracer: SMALL_CASE,
  'hdf5-vol': SMALL_CASE,
  iolens:
    'record without --no-stacks and with a --stack-depth above 0 (setting iolens.record.stackDepth), as "iolens record" does when nothing is said',
};

/** What a recording of layers (OTF2, Recorder, DFTracer, HDF5's VOL, the recorder library) does not tell, and how to get it. */
export function layerLacks({ format, events, capabilities }: Trace): Lack[] {
  const remedy = REMEDY_OF_STACKS[format];
  if (remedy === undefined || events.length === 0) return [];
  const lacks: Lack[] = [];
  if (!capabilities.stacks) {
    lacks.push({
      name: 'stacks',
      what: format === 'iolens' ? 'no call stacks, for it was recorded without them' : 'no call stacks',
      consequence: 'findings have no source lines, only files',
      remedy,
    });
  }
  if (!capabilities.paths) {
    lacks.push({
      name: 'paths',
      what: 'neither files nor sizes',
      consequence: 'what its calls did to files is not judged',
      remedy: 'record the layers below too (Darshan with DXT, Recorder, OTF2), and open both together',
    });
  }
  return lacks;
}
