/** The formats of recordings, by the names that documents and stores show. */
export type FormatName =
  | 'iolens'
  | 'darshan'
  | 'darshan-parser text'
  | 'dftracer'
  | 'hdf5-vol'
  | 'strace'
  | 'otf2'
  | 'recorder';

/** What a recording may lack because of the way in which it was recorded, by names that scripts rely on. */
export type UnrecordedThing =
  | 'stacks'
  | 'durations'
  | 'paths'
  | 'times'
  | 'dates'
  | 'children'
  | 'callers'
  | 'opens'
  | 'calls'
  | 'successes';

/**
 * What recordings of a format are like, whatever one of them holds (that is for `TraceCapabilities`). Plain data: a format
 * declares it beside its reader, and every trace carries that of its format.
 */
export interface FormatTraits {
  /** How names of such files end, without the ending of a packed file; they tell what a file was that cannot be read. */
  readonly endings: readonly string[];
  /** How the files of a run belong together. */
  readonly filesOfRun: 'one recording each' | 'a file for each process' | 'named alike';
  /** The recorder stops the program at each call: what it does meanwhile is a part of the durations. */
  readonly tracerStopsProgram: boolean;
  /** How the recorder is told to measure durations; '' when nobody has to tell it. */
  readonly durationsOption: string;
  /** Where it shows what a recording lacks: in calls that are missing or bare, in what it is capable of, or in counters. */
  readonly lacksShowIn: 'calls' | 'capabilities' | 'counters';
  /** How to record what is lacking; nothing is said of a lack that no recorder of this format can help. */
  readonly remedies: Readonly<Partial<Record<UnrecordedThing, string>>>;
  /** Call stacks are recorded unless the user does not want them. */
  readonly stacksByDefault: boolean;
  /** The recorder stands in front of the functions of shared libraries: it does not see those that a program has linked in. */
  readonly seesSharedLibrariesOnly: boolean;
  /** The functions of a trace are all that the program did, not some between its calls. */
  readonly functionsAreWholeProgram: boolean;
  /** Every process of a recording is a rank of the job. */
  readonly processesAreRanks: boolean;
  /** The recorder describes the job as a whole: a report of the job can be made. */
  readonly describesJob: boolean;
  /** The files can be written again with other names in them. */
  readonly canBeRedacted: boolean;
  /** Where several tools recorded a run: the higher, the more of its time a recording of this format knows. */
  readonly knowledgeOfTime: number;
}
