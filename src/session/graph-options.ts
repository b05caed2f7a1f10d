import { machine } from '#machine';
import picomatch from 'picomatch';
import type { GraphOptions } from '../analysis/dfg/directly-follows-graph.ts';
import { parseMapping, type CustomMapping, type Mapping } from '../analysis/dfg/mapping.ts';
import { messageOf } from '../trace/error-message.ts';
import type { OpenedRecording } from './opened-recording.ts';
import type { GraphRequest } from './session.ts';

export { DEFAULT_LAYER_CHOICE, LAYER_CHOICES } from '../analysis/layers/layer-choice.ts';

/** What a request for a graph means for a recording. */
export async function graphOptions(request: GraphRequest, recording: OpenedRecording): Promise<GraphOptions> {
  const { siteVariables, pathFilter, withoutCalls, grouping, green, red, layer } = request;
  const matcher = (globs: readonly string[]): ((name: string) => boolean) =>
    globs.length === 0 ? () => false : picomatch([...globs]);
  return {
    mapping: await mappingOf(request.mapping, recording.request.maySpawn),
    siteVariables,
    pathFilter,
    withoutCalls,
    grouping,
    ...(layer !== undefined && { layer }),
    ...(request.ownFilesOnly && { ignored: recording.ignored }),
    ...((green.length > 0 || red.length > 0) && { partition: { green: matcher(green), red: matcher(red) } }),
  };
}

/**
 * @throws Error in words for the user: no such form, a module without a function, or code from an untrusted folder.
 */
async function mappingOf(spec: string, mayRun: boolean): Promise<Mapping> {
  if (!/^[^{]*\.[cm]?js$/.test(spec)) return parseMapping(spec);
  if (!mayRun) throw new Error('a mapping module is code: it is not run in an untrusted workspace');
  const module = await machine.importModule(spec).catch((error: unknown) => {
    throw new RangeError(`${spec}: ${messageOf(error)}`);
  });
  if (typeof module.default !== 'function') throw new RangeError(`${spec}: its default export must be a function`);
  return { kind: 'custom', map: module.default as CustomMapping };
}
