import type { FileTable } from '../../trace/files.ts';
import { formatDuration } from '../../base/quantities.ts';
import { NONE } from '../../trace/events.ts';
import type { FileIndex } from '../../trace/indices.ts';
import type { SiteIndex } from '../sites/call-sites.ts';
import type { Insight } from '../triggers/insight.ts';
import type { Gain } from './gain.ts';
import type { LanguageWork } from './work/language-work.ts';
import type { CallGroup } from './observed-calls.ts';
import type { OwnWork } from './work/own-work.ts';

/** All I/O of a run, of which that on some files is a part. */
interface WholeIo {
  readonly groups: readonly CallGroup[];
  readonly ownWork: readonly OwnWork[];
  /** Nanoseconds of the run. */
  readonly ioNs: number;
  /** The folder of a file, where calls on it were recorded. */
  readonly folderOf: (file: FileIndex) => FileIndex | undefined;
}

/** The folder of each file of a recording, where calls on it were recorded. */
export function foldersOf(files: FileTable): WholeIo['folderOf'] {
  return (file) => {
    const { host, path } = files.at(file);
    return files.find(host, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
  };
}

/**
 * Where with the calls of a finding others go, on whatever line: no more than all I/O on its files is saved, and on their
 * folders, which are synchronised with them for the names to be safe.
 */
export function withAllOfFiles(gain: Gain, { files }: Insight, io: WholeIo): Gain {
  if (gain.highNs === null) return gain;
  const { groups, ownWork, ioNs, folderOf } = io;
  const meant = new Set(files.map(({ file }) => file));
  const folders = new Set([...meant].map(folderOf));
  let [part, whole, ofFolders] = [0, 0, 0];
  for (const { file, timeNs } of groups) {
    whole += timeNs;
    if (meant.has(file)) part += timeNs;
    else if (folders.has(file)) ofFolders += timeNs;
  }
  part += ofFolders;
  for (const work of ownWork) {
    whole += work.timeNs;
    if ([...work.files].some((file) => meant.has(file))) part += work.timeNs;
  }
  const all = whole > 0 ? (ioNs * part) / whole : 0;
  if (all <= gain.highNs) return gain;
  return {
    ...gain,
    highNs: all,
    method: `${gain.method}; the bound is all I/O on these files${ofFolders > 0 ? ' and their folders' : ''}`,
  };
}

/**
 * With the calls that go goes what a language does for them, too.
 * @param sites the places of the calls.
 * @param laneShare of what is done there that is time of the run; `runNs`, nanoseconds of all of it.
 */
export function withLanguageWork(
  gain: Gain,
  sites: readonly SiteIndex[],
  work: LanguageWork,
  laneShare: number,
  runNs: number,
): Gain {
  const places = [...new Set(sites)].filter((site) => site !== NONE);
  let [likelyNs, mostNs] = [0, 0];
  for (const site of places) {
    const done = work.ofAll(site);
    likelyNs += done.likelyNs * laneShare;
    mostNs += done.mostNs * laneShare;
  }
  const language = places.map((site) => work.languageOf(site)).find((known) => known !== undefined);
  if (gain.highNs === null || mostNs <= 0 || language === undefined) return gain;
  const highNs = Math.max(gain.highNs, Math.min(gain.highNs + mostNs, runNs));
  const method = `${gain.method}; up to ${formatDuration(highNs - gain.highNs)} of it is ${language}'s own work beside them`;
  return { ...gain, highNs, method, languageNs: likelyNs };
}
