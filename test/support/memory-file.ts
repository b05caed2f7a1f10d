import { streamAt } from '../../src/session/reading/recording-files.ts';
import type { RecordingFile } from '../../src/trace/byte-source.ts';

/** A recording file in memory. */
export function memoryFile(name: string, content: string | Uint8Array): RecordingFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return streamedFile(name, bytes.length, [bytes]);
}

/** A recording file whose pieces are made while it is read: for files larger than memory. */
export function streamedFile(name: string, size: number, pieces: Iterable<Uint8Array>): RecordingFile {
  const file: RecordingFile = {
    name,
    path: name,
    size,
    openAt: async () => streamAt(await file.open()),
    open: () => {
      const iterator = pieces[Symbol.iterator]();
      let rest: Uint8Array = new Uint8Array();
      let position = 0;
      return Promise.resolve({
        get position() {
          return position;
        },
        read: (target: Uint8Array) => {
          while (rest.length === 0) {
            const next = iterator.next();
            if (next.done === true) return Promise.resolve(0);
            rest = next.value;
          }
          const length = Math.min(target.length, rest.length);
          target.set(rest.subarray(0, length));
          rest = rest.subarray(length);
          position += length;
          return Promise.resolve(length);
        },
        close: () => Promise.resolve(),
      });
    },
  };
  return file;
}
