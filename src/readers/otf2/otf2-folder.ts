import { UnreadableRecordingError } from '../../trace/trace.ts';

const ANCHOR = /\.otf2$/;
const LOCAL = /^\d+\.(def|evt)$/;

/** Whether a file is the anchor of an archive, by its name. */
export function isAnchor(name: string): boolean {
  return name.endsWith('.otf2');
}

/**
 * The files of an archive in a folder: anchor, global definitions, then those of the locations in their folder.
 * @throws UnreadableRecordingError when the folder holds several archives and none is named.
 */
export async function archiveFiles(
  entries: readonly string[],
  list: (folder: string) => Promise<readonly string[]>,
  entry: string,
): Promise<readonly string[] | undefined> {
  const anchors = entry === '' ? entries.filter(isAnchor) : [entry];
  const [anchor] = anchors;
  if (anchor === undefined) return undefined;
  if (anchors.length > 1) {
    const names = anchors.slice(0, 4).join(', ') + (anchors.length > 4 ? ', …' : '');
    throw new UnreadableRecordingError(
      `${anchors.length} OTF2 archives in one folder (${names}): each is a recording of its own; name the anchor file of one`,
    );
  }
  const name = anchor.replace(ANCHOR, '');
  const locations = (await list(name)).filter((file) => LOCAL.test(file)).map((file) => `${name}/${file}`);
  return [anchor, ...entries.filter((file) => file === `${name}.def`), ...locations];
}
