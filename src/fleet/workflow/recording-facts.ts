import type { FormatName } from '../../trace/format-traits.ts';
import type { AccessMode, RuntimeShare } from './workflow-document.ts';

/** A file as one recording shows it to be used. Times are seconds since 1970; null where nothing is known. */
export interface FileAccess {
  /** As recorded. */
  readonly path: string;
  readonly mode: AccessMode;
  readonly paradigms: readonly string[];
  readonly bytesRead: number | null;
  readonly bytesWritten: number | null;
  readonly from: number | null;
  readonly to: number | null;
  /** When its last byte was written; null when none was, or the recording has no dates. */
  readonly writtenUntil: number | null;
  /** When its first byte was read. */
  readonly readFrom: number | null;
  /** It reads what somebody else must have written before. */
  readonly needsContent: boolean;
  /** What it wrote is there when the program ends: it was not removed, or renamed. */
  readonly leavesContent: boolean;
  /** It wrote, and what others had written before stays: it appended, or changed parts. */
  readonly keepsContent: boolean;
  /** Path of the file whose handle this one's belongs to, such as that of an HDF5 file behind the file of POSIX. */
  readonly parent: string | null;
}

/** What a recording says of the job step that it is of. */
export interface RecordingFacts {
  readonly format: FormatName | 'otf2-profile';
  /** Absolute paths that open it; none of a profile. */
  readonly paths: readonly string[];
  /** Where it lies, relative to the folder of the workflow: names may tell which step it is of. */
  readonly place: string;
  /** Other places that it names itself. */
  readonly otherPlaces: readonly string[];
  /** As recorded; null where the format has no place for it. */
  readonly jobId: string | null;
  /** The step of the job, as recorded. */
  readonly step: string | null;
  readonly user: string | null;
  /** The program with its arguments; '' when unknown. */
  readonly program: string;
  readonly hosts: readonly string[];
  readonly start: number | null;
  readonly end: number | null;
  readonly share: RuntimeShare | null;
  readonly files: readonly FileAccess[];
  /** What the user should know of it, in words. */
  readonly notes: readonly string[];
}
