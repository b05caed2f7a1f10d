import type { Recommendation } from '../../triggers/insight.ts';
import { advising, naming, say } from '../../triggers/message.ts';
import { libraryOf, outermostGroups, placeOf, timesCall, type LayerPattern, type PatternPlace } from './pattern.ts';
import type { LayerCalls } from './layer-calls.ts';
import type { UpperGroup } from './upper-calls.ts';

const FLUSHES = /^(H5[FD]flush|nc_sync|ncmpi_sync)/;

function advice(group: UpperGroup, name: string): Recommendation {
  const library = libraryOf(group) === 'HDF5' ? 'HDF5' : 'NetCDF';
  return {
    audience: 'code',
    ...advising(
      say`Leave ${naming('function', name)} to the end or to a checkpoint, every hundredth step, say: each time ${library} writes all that it holds of the data, and what describes the file, much of which is the same as before.`,
    ),
  };
}

function place(calls: LayerCalls, group: UpperGroup): PatternPlace {
  const name = calls.trace.calls.names[group.call]!;
  return {
    ...placeOf(group),
    weight: group.calls,
    subject: say`${timesCall(group.calls, name)} write what the library holds and would have gathered; they`,
    evidence: {
      flushes: group.calls,
      lowerCalls: group.lower.reads + group.lower.writes,
      lowerTimeNs: group.lower.timeNs,
    },
    recommendations: [advice(group, name)],
    picture: () => undefined,
  };
}

/** Flushes of HDF5 and NetCDF in a loop: chunks that are not full are written again each time, and the metadata with them. */
export const LIBRARY_FLUSHES: LayerPattern = {
  code: 'L43',
  name: 'library-flushes',
  title: 'A library flushed again and again',
  find: (calls) =>
    outermostGroups(calls)
      .filter(({ call }) => FLUSHES.test(calls.trace.calls.names[call]!))
      .map((group) => place(calls, group)),
  explains: ['L04', 'L14', 'P06', 'P08', 'P10', 'P13', 'P16', 'M03', 'L28'],
};
