import { formatCount, formatDuration } from '../../../base/quantities.ts';
import { bufferSize } from '../../triggers/snippets.ts';
import type { Insight } from '../../triggers/insight.ts';
import { NINETY_PERCENT } from '../cost.ts';
import { estimate, scaled, sumOf, type Estimate } from '../estimate.ts';
import type { LanguageWork } from '../work/language-work.ts';
import { CONTRADICTED, NOT_KNOWN, type GainModel, type Saving } from './model.ts';
import { bufferedWrites } from './requests.ts';

/** Nanoseconds a byte that is copied into a block of memory of the program's own, which it has not touched before. */
const COPIED = estimate(0.25, 0.15);
/**
 * A large call takes more of a library's own time than a small one, and what is done in front of a small one (a selection)
 * goes with it: how much either is is not known.
 */
const OF_ONE_CALL = 0.25;

/** Many small calls become calls for whole blocks, each of which takes the library what a small one did. */
export const smallLibraryCalls: GainModel = ({ insight, costs }) => {
  const { count = 0, bytes = 0, timeNs = 0, upperCalls = 0, libraryTimeNs = 0, medianBytes = NaN } = insight.evidence;
  if (!costs.isUntraced || upperCalls === 0) return NOT_KNOWN;
  const fewer = count - Math.ceil(bytes / bufferSize(medianBytes));
  const each = libraryTimeNs / upperCalls;
  const copies = scaled(COPIED, -bytes);
  const own = sumOf([estimate(each * fewer, each * fewer * OF_ONE_CALL), copies]);
  if (own.value <= 0) return CONTRADICTED;
  const work = languageWork(insight, costs.work);
  const language = scaled(work, fewer);
  const how = `${formatCount(fewer)} of ${formatCount(count)} calls fewer, at about ${formatDuration(each)} each in the library`;
  const recordedNs = timeNs + language.value + NINETY_PERCENT * language.deviation;
  const saving: Saving = { ns: sumOf([own, language]), recordedNs, how, basis: 'recording' };
  const name = insight.sites.map(({ site }) => costs.work.languageOf(site)).find((known) => known !== undefined);
  return name === undefined ? saving : { ...saving, language: { name, ns: language.value } };
};

/** What goes with each call of a library, of all places on average. */
function languageWork({ sites }: Insight, work: LanguageWork): Estimate {
  const events = sites.reduce((sum, site) => sum + site.events, 0);
  return sumOf(sites.map((site) => scaled(work.ofLibraries(site.site), site.events / events)));
}

/** Chunks that the cache holds are worked on once. */
export const chunksInCache: GainModel = ({ insight, costs }) => {
  // Pieces are those of the dearest place, the time in the library that of all.
  const { libraryTimeNs = 0, pieces = 0, piecesAgain = 0, timeNs = 0 } = insight.evidence;
  if (!costs.isUntraced || pieces === 0) return NOT_KNOWN;
  const ns = (timeNs * piecesAgain) / pieces;
  const where = insight.sites.length > 1 ? 'at the costliest place ' : '';
  const how = `${where}${formatCount(piecesAgain)} of ${formatCount(pieces)} pieces are no longer worked on again, at about ${formatDuration(libraryTimeNs / pieces)} each in the library`;
  return { ns: estimate(ns, ns * OF_ONE_CALL), recordedNs: timeNs, how, basis: 'recording' };
};

/** Fewer, larger objects of HDF5: its requests become those of a buffer. */
export const hdf5Writes: GainModel = (view) => {
  const saving = bufferedWrites('hdf5TinyWrites', 'hdf5TinyWrittenBytes')(view);
  if (typeof saving === 'string' || 'why' in saving) return saving;
  return { ...saving, how: `${saving.how}, besides what HDF5 itself does for each object` };
};
