import path from 'node:path';
import { loadFormatOf } from '../../../fleet/server-load/load-source.ts';
import { formatNamed } from '../../../readers/format-traits.ts';
import { HEAD_BYTES, recogniseFormat } from '../../../readers/registry.ts';
import { messageOf } from '../../../base/error-message.ts';
import type { KeptFile } from '../../machine/kept-file.ts';
import { LocalRecordingFile } from '../../reading/recording-files.ts';
import type { FoundSource } from '../source.ts';

/** Text that no reader of recordings knows may be a table of the batch system; these are at most some hundred megabytes. */
const MOST_TABLE_BYTES = 1 << 29;

/** Name of the format that a source seems to have, '' where it has none that is known; with why it cannot be read, if so. */
type Look = { readonly format: string } | { readonly format: string; readonly problem: string };

/**
 * Looks at the first bytes of a source, so that data and programs that lie beside logs are not read as a whole. Sources of
 * several files were found by their names.
 *
 * @param kept its only file, where that was read already.
 */
export async function looksLike({ path: place, files, bytes }: FoundSource, kept?: KeptFile): Promise<Look> {
  const name = path.basename(files[0]!);
  // A log may be too damaged to be told by its content. Behind its ending may stand that of a packed file, or a pid.
  const named = formatNamed(name) ?? formatNamed(name.replace(/\.\w+$/, '')) ?? '';
  if (files.length > 1) return { format: named };
  try {
    const stream = await (kept ?? new LocalRecordingFile(files[0]!)).open();
    try {
      const scratch = new Uint8Array(HEAD_BYTES);
      let length = 0;
      for (let got = -1; got !== 0 && length < scratch.length; length += got)
        got = await stream.read(scratch.subarray(length));
      const head = scratch.subarray(0, length);
      const format = recogniseFormat(head)?.name ?? named;
      if (bytes === 0) return { format, problem: `${place}: the file is empty` };
      const isTable = bytes <= MOST_TABLE_BYTES && isText(head);
      if (format !== '' || isTable || loadFormatOf(head) !== undefined) return { format };
      return { format, problem: `${place}: this is no recording of a known format and no table of a batch system` };
    } finally {
      await stream.close();
    }
  } catch (error) {
    return { format: named, problem: `${place}: ${messageOf(error)}` };
  }
}

function isText(head: Uint8Array): boolean {
  return head.length > 0 && !head.includes(0);
}
