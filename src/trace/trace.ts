import type { CallStackTable } from './call-stacks.ts';
import type { CallTable } from './calls.ts';
import type { ChunkStore } from './chunk-store.ts';
import type { CounterLog } from './counters.ts';
import type { Damage } from './damage.ts';
import type { Definitions } from './definitions.ts';
import type { EventTable } from './events.ts';
import type { FileTable, HandleTable } from './files.ts';
import type { FormatName, FormatTraits } from './format-traits.ts';
import type { FunctionCallTable } from './function-calls.ts';
import type { MessageTable } from './messages.ts';
import type { NameTable } from './names.ts';
import type { TalliedProcess } from './tallies.ts';

/** One process or thread of the recorded program ("stream" in OTF2). */
export interface Stream {
  /** '' when the recording does not say. */
  readonly host: string;
  /** The kernel's identifier of the process or thread. */
  readonly pid: number;
  /** The thread group: the pid of the process that the thread belongs to, as far as it is known. */
  processId: number;
  /** Index into `Trace.parts`. */
  readonly part: number;
  /** Number of the process in its job (MPI), where the recording says so. */
  readonly rank?: number;
}

/** One file of a recording. With the naming of the DFG paper (section III) it says which command, host and process. */
export interface RecordingPart {
  readonly name: string;
  readonly path: string;
  /** Identifier of the command, '' when the name does not follow the convention. */
  readonly commandId: string;
  readonly host: string;
  /** Identifier of the launching process (or the rank), '' when the name does not follow the convention. */
  readonly launchId: string;
  /** Name that all files of one run of the recorder have in common (`strace -ff`): pids are unique within it. */
  readonly run: string;
  /** The first program that the file shows to be executed, with its arguments; absent when it shows none. */
  program?: string;
  /** When the process began and ended, nanoseconds from the trace's origin, where the file says so. */
  lived?: { readonly startNs: number; readonly endNs: number };
  /** What the batch system told the process; absent where none ran it, or the format has no place for it. */
  readonly batch?: BatchProcess;
  /** How long the process ran and processors worked for it, where the file, or the note beside it, says so. */
  life?: ProcessLife;
}

/** A process of a batch system's job, as its environment said; '' where it did not. */
export interface BatchProcess {
  /** Number of the job. */
  readonly job: string;
  /** Number of the step within it. */
  readonly step: string;
  /** The batch system's name of the node. */
  readonly node: string;
  readonly user: string;
  readonly account: string;
}

/** Nanoseconds. */
export interface ProcessLife {
  /** From its start to its end. */
  readonly lastedNs: number;
  /** Processors worked for its own code, and for it in the kernel: more than it lasted where threads ran side by side. */
  readonly userNs: number;
  readonly systemNs: number;
  /** How long its first thread ran or was ready to run; absent where that was not recorded. */
  readonly firstThreadNs?: number;
  /** What the recorder took of its first thread's time, besides that of the calls; absent where it did not say. */
  readonly recorderNs?: number;
  /** Wherever one of its threads waits by itself, and for no other, a call of the recording says so. */
  readonly waitsAreCalls?: true;
  /**
   * What the kernel fetched for it from disks, and how often it waited for a page of a mapped file; file systems of the
   * network do not count. Absent where nobody asked.
   */
  readonly fetched?: { readonly bytes: number; readonly pageWaits: number };
}

/** How busy other programs kept the machine while a program was recorded. */
export interface MachineLoad {
  readonly processors: number;
  /** Nanoseconds for which was measured. */
  readonly lastedNs: number;
  /** Nanoseconds that processors worked for others, all together; more than `lastedNs` where several did. */
  readonly othersNs: number;
  /** What processors worked for the program meanwhile, as far as it waited for its children: the others are without it. */
  readonly ownNs?: number;
}

/** What a recording can tell and what it cannot, so that nobody takes a missing thing for a zero. */
export interface TraceCapabilities {
  /** Calls have a start time. */
  time: boolean;
  /** Calls have a duration. */
  duration: boolean;
  /** Calls have a stack. */
  stacks: boolean;
  /** Descriptors are shown with their paths. */
  paths: boolean;
  /** All events are system calls, as the reader knows without looking: there are no layers to be linked. */
  systemCallsOnly?: boolean;
}

/** A recording of one run (or of several files of it), read as far as it was sound. */
export interface Trace {
  readonly format: FormatName;
  /** What recordings of this format are like; those of the first where several were joined. */
  readonly form: FormatTraits;
  /** Version of the format, '' when the recording does not say. */
  readonly version: string;
  /** The program that was run, with its arguments where known; '' when unknown. */
  readonly program: string;
  /**
   * Seconds since 1970 of the origin that events count from: the first call (strace) or the beginning of the job (Darshan);
   * null when the recording does not know the date.
   */
  readonly startTime: number | null;
  /** Nanoseconds from the first start to the last return. */
  readonly durationNs: number;
  readonly parts: readonly RecordingPart[];
  readonly streams: readonly Stream[];
  readonly files: FileTable;
  readonly handles: HandleTable;
  readonly calls: CallTable;
  /** Names of errors (`ENOENT`); index 0 is success. */
  readonly errors: NameTable;
  readonly events: EventTable;
  readonly stacks: CallStackTable;
  readonly capabilities: Readonly<TraceCapabilities>;
  readonly damage: readonly Damage[];
  /** What the recording cannot show, or what was left out of it, in words for the user: nothing is broken. */
  readonly notes: readonly string[];
  /** What ended, or stopped being recorded, before its end, in words: `process 4711 was killed by SIGKILL`; absent when nothing did. */
  readonly earlyEnds?: readonly string[];
  /** What the recorder counted instead of recording each call; only in Darshan logs. */
  readonly counters?: CounterLog;
  /** What the recording says of files, I/O paradigms and groups of processes beside the calls. */
  readonly definitions?: Definitions;
  /** Calls of functions that are no I/O themselves: computation, communication, what contains the I/O. */
  readonly functions?: FunctionCallTable;
  /** Messages between streams and what they do together. */
  readonly messages?: MessageTable;
  /** Processes of which calls were only counted from a moment on; absent when there are none. */
  readonly tallied?: readonly TalliedProcess[];
  /** The recordings that were joined to this one; absent when it is of one piece. */
  readonly sources?: readonly RecordingSource[];
}

/** One of several recordings of the same run that were joined. */
export interface RecordingSource {
  readonly format: FormatName;
  readonly version: string;
  /** As the user named it. */
  readonly path: string;
  /** Nanoseconds that were added to its times to bring them onto the clock of the first source. */
  readonly offsetNs: number;
  /** Where the offset comes from. */
  readonly offsetFrom:
    | 'first source'
    | 'user'
    | 'dates of both recordings'
    | 'calls that both recorded'
    | 'calls within calls of the other layer'
    | 'beginnings';
  /** Nanoseconds by which its times may be wrong on that clock; NaN when nobody knows. */
  readonly uncertaintyNs: number;
  /** How many of the whole's parts are its own; parts stand source by source. */
  readonly parts: number;
}

/** Options that every reader takes. */
export interface ReadOptions {
  /** Folders that are one file system on all hosts; see FileTable. */
  sharedPaths?: readonly string[];
  /** Called now and then with the share of the stored bytes that are read (0 to 1), or undefined if unknowable. */
  progress?: (share: number | undefined) => void;
  signal?: AbortSignal;
  /** Where events go that memory has no room for; without it all stay in memory. */
  chunkStore?: ChunkStore;
}

/** A recording that cannot be read at all; the message is for the user. */
export class UnreadableRecordingError extends Error {
  override name = 'UnreadableRecordingError';
}
