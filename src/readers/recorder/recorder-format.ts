import type { FolderFormat } from '../registry.ts';
import { readRecorder } from './recorder-reader.ts';

const METADATA = 'recorder.mt';
const VERSION = 'VERSION';
/** Files beside the metadata that hold records. */
const RECORDS = /^(?:\d+\.(?:cst|cfg|ts|mt|itf)|recorder\.(?:cst|ts)|ug\.(?:mt|cfg))$/;

/** Directories of Recorder (Wang et al.), all generations. */
export const RECORDER: FolderFormat = {
  name: 'recorder',
  isEntry: (name) => name === METADATA || name === VERSION,
  filesOf: (entries) => {
    const records = entries.filter((name) => RECORDS.test(name));
    // A directory that lost one of both is still told by the other: what is missing is said when it is read.
    const isRecorder = entries.includes(METADATA) || (entries.includes(VERSION) && records.length > 0);
    if (!isRecorder) return Promise.resolve(undefined);
    const heads = [VERSION, METADATA].filter((name) => entries.includes(name));
    return Promise.resolve([...heads, ...records]);
  },
  read: readRecorder,
};
