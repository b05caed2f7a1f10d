import type { SourceLanguage } from '../../sites/source-language.ts';
import { countOf, say, slot } from '../message.ts';
import { oneFileForMany } from '../snippets.ts';
import { oneArrayInPython } from '../storage-snippets.ts';
import type { GroupView, SiteTrigger } from '../trigger.ts';
import { amount, calls, minus, NOTHING, plus } from './amounts.ts';

/** The files that are read in turns, and how often each on average. */
function turnsOf({ files }: GroupView): { readonly files: number; readonly turns: number } {
  // Several places open and read the same files.
  const each = [...new Set(files)];
  const turns = each.reduce((sum, file) => sum + file.turns, 0);
  return { files: each.length, turns: turns / Math.max(1, each.length) };
}

/** @param language undefined where it is not known. */
export function keptText(language: SourceLanguage | undefined): string {
  const python = language === undefined || language === 'python' ? ' (persistent_workers=True in PyTorch)' : '';
  return `Where all of it fits into memory, keep it after the first turn; worker processes keep what they have as long as they live${python}.`;
}

/** What trains on samples, or computes on chunks, opens each file anew in every epoch. */
const filesInTurns: SiteTrigger = {
  kind: 'site',
  code: 'L37',
  name: 'files-read-in-turns',
  title: 'Many small files opened and read again in turns',
  operations: ['open', 'read', 'close'],
  acrossFiles: true,
  offending: (cell, file) =>
    file.turns > 1
      ? plus(
          amount(cell, 'reads', 'readBytes', 'readTime'),
          minus(
            plus(amount(cell, 'opens', null, 'openTime'), amount(cell, 'closes', null, 'closeTime')),
            plus(
              amount(cell, 'writeOpens', null, 'writeOpenTime'),
              amount(cell, 'writeCloses', null, 'writeCloseTime'),
            ),
          ),
        )
      : NOTHING,
  local: (group, { site_events }) => {
    const { files, turns } = turnsOf(group);
    return files >= site_events && turns >= 2;
  },
  subject: (group) => {
    const { files, turns } = turnsOf(group);
    const often = say`${slot('turns', turns)} times ${Number.isInteger(turns) ? 'each' : 'on average'}`;
    return say`${calls(group, 'open, read or close', 'opens, reads and closes')} of ${countOf('files', files, 'small file')} that are read as a whole in turns, ${often},`;
  },
  evidence: (group) => turnsOf(group),
  recommend: () => [
    {
      audience: 'code',
      text: 'Put what is read together into one file, or a few (an array that is mapped, an HDF5 data set, Parquet row groups, sharded Zarr chunks, tar shards): each small file costs an open, a close and a path lookup in every turn; on a parallel file system each of these is a request to the metadata server.',
      snippet: oneArrayInPython(),
      alternatives: [oneFileForMany()],
    },
    {
      audience: 'code',
      text: keptText(undefined),
    },
    {
      audience: 'job',
      text: 'Copy the files to storage of the node (as one archive, unpacked there) before the run.',
    },
  ],
};

export const TURNS: readonly SiteTrigger[] = [filesInTurns];
