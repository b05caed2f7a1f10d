import type { RecordingFile } from '../../../trace/byte-source.ts';
import { CHUNK_HEADER_BYTES, CHUNK_KIND, chunksOf } from '../chunks.ts';
import { FileDefinitions } from '../definitions.ts';
import { LiveSlots } from '../live-slots.ts';

/** What of a file of a process says something. */
export interface NeededParts {
  /** Areas that hold nothing which does not stand in a chunk; in order, none where the file is damaged. */
  readonly left: readonly { readonly position: number; readonly bytes: number }[];
  /** The process said that it ends. */
  readonly hasEnded: boolean;
}

/** Looks through a file: what it gathered in, and has written, is most of the file of a process that made few calls. */
export async function neededParts(file: Pick<RecordingFile, 'open'>): Promise<NeededParts> {
  const stream = await file.open();
  const live = new LiveSlots();
  const definitions = new FileDefinitions(() => undefined);
  const areas: { position: number; bytes: number }[] = [];
  const gaps: number[] = [];
  try {
    for await (const chunk of chunksOf(stream, (position) => void gaps.push(position))) {
      live.look(chunk);
      if (chunk.kind === CHUNK_KIND.definitions) definitions.read(chunk.payload);
      else if (chunk.kind === CHUNK_KIND.live)
        areas.push({ position: chunk.position, bytes: CHUNK_HEADER_BYTES + chunk.payload.length });
    }
  } finally {
    await stream.close();
  }
  const isWritten = gaps.length === 0 && live.unwritten().length === 0;
  return { left: isWritten ? areas : [], hasEnded: definitions.life !== undefined };
}
