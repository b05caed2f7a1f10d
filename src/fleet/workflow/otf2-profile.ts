import type { FileAccess, RecordingFacts } from './recording-facts.ts';
import { ShareSum } from './shares/share-sum.ts';
import type { AccessMode, RuntimeShare } from './workflow-document.ts';

/**
 * The JSON that OTF2-Profile writes of an archive (`--json`; Tschüter, section 4.4.2). It names no dates and no job
 * (`JobId` is always 0), and its times are those of the slowest process for each call path, not sums.
 */

const UNDERCOUNT =
  'a profile of OTF2-Profile: calls of I/O that call a lower layer are missing in it, its times are those of the slowest ' +
  'process, and files count as read and written by how they were opened; the archive itself says more';

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const numberOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/**
 * @param place of the file, relative to the folder of the workflow.
 * @returns undefined when the text is no such profile.
 */
export function readOtf2Profile(text: string, place: string): RecordingFacts | undefined {
  if (!/"(TimerResolution|IOOperations)"/.test(text)) return undefined;
  const profile = parse(text);
  if (!isObject(profile) || !isObject(profile['Functions']) || !isObject(profile['IOOperations'])) return undefined;
  const resolution = numberOf(profile['TimerResolution']);
  const trace = isObject(profile['Trace']) ? profile['Trace']['FileName'] : undefined;
  const notes = [UNDERCOUNT];
  if (resolution === 0) notes.push('the profile does not say how long its ticks are');
  return {
    format: 'otf2-profile',
    paths: [],
    place,
    otherPlaces: typeof trace === 'string' ? [trace] : [],
    jobId: null,
    step: null,
    user: null,
    program: '',
    hosts: [],
    start: null,
    end: null,
    share: resolution === 0 ? null : shareOf(profile['Functions'], profile['IOOperations'], resolution),
    files: Array.isArray(profile['Files']) ? profile['Files'].flatMap(fileOf) : [],
    notes,
  };
}

/** With hardware counters the profiler writes names and values into a list, which no parser takes. */
function parse(text: string): unknown {
  for (const form of [text, text.replace(/("HardwareCounters"\s*:\s*)\[[^\]]*\]/, '$1[]')]) {
    try {
      return JSON.parse(form) as unknown;
    } catch {
      // The second form is tried, and then it is none of these files.
    }
  }
  return undefined;
}

/** Time of I/O is part of the time of the functions that make it: MPI's own, or functions of no paradigm. */
function shareOf(functions: Fields, operations: Fields, ticksPerSecond: number): RuntimeShare | null {
  const sum = new ShareSum();
  let [ofMpi, ofOthers] = [0, 0];
  for (const [name, fields] of Object.entries(operations)) {
    if (!isObject(fields)) continue;
    const seconds =
      (numberOf(fields['TransferOperationTime']) + numberOf(fields['MetaOperationTime'])) / ticksPerSecond;
    const paradigm = paradigmOf(name);
    if (paradigm === 'MPI-IO') ofMpi += seconds;
    else ofOthers += seconds;
    sum.add('io', paradigm, seconds, numberOf(fields['Count']), numberOf(fields['Bytes']));
  }
  const times = Object.entries(functions).filter((entry): entry is [string, Fields] => isObject(entry[1]));
  // Functions of no paradigm are the wrappers around I/O, before anything of the program's own.
  for (const [name, fields] of times.sort(([a], [b]) => Number(isProgram(a)) - Number(isProgram(b)))) {
    const seconds = numberOf(fields['Time']) / ticksPerSecond;
    const isMpi = name === 'MPI';
    const ioWithin = isMpi ? ofMpi : isComputation(name) ? ofOthers : 0;
    const own = Math.max(0, seconds - ioWithin);
    if (isMpi) ofMpi -= seconds - own;
    else if (isComputation(name)) ofOthers -= seconds - own;
    const group = isComputation(name) ? 'computation' : 'communication';
    sum.add(group, isComputation(name) ? 'program' : name, own, numberOf(fields['Count']), null);
  }
  return sum.share();
}

const isProgram = (name: string): boolean => name === 'USER' || name === 'COMPUTE';
const isComputation = (name: string): boolean => /^(USER|UNKNOWN|COMPUTE|COMPILER|SAMPLING|MEASUREMENT.*)$/i.test(name);

/** Our layers' names for OTF2's (`POSIX I/O`, `MPI I/O`, `ISO C I/O`). */
function paradigmOf(name: string): string {
  if (/^ISO/i.test(name)) return 'STDIO';
  const plain = name.replace(/ I\/O$/, '');
  return plain === 'MPI' ? 'MPI-IO' : plain;
}

const MODES: Readonly<Record<string, AccessMode>> = { R: 'read', W: 'write', RW: 'read-write' };
const STANDARD_STREAM = /^(std(in|out|err)|<STD(IN|OUT|ERR)>)$/;

function fileOf(value: unknown): FileAccess[] {
  if (!isObject(value) || typeof value['FileName'] !== 'string' || STANDARD_STREAM.test(value['FileName'])) return [];
  const mode = MODES[String(value['AccessModes'])];
  if (mode === undefined) return [];
  const paradigms = Array.isArray(value['IoParadigm']) ? value['IoParadigm'] : [];
  const parent = isObject(value['ParentFile']) ? value['ParentFile']['FileName'] : null;
  return [
    {
      path: value['FileName'],
      mode,
      paradigms: paradigms.filter((name): name is string => typeof name === 'string').map(paradigmOf),
      bytesRead: null,
      bytesWritten: null,
      from: null,
      to: null,
      writtenUntil: null,
      readFrom: null,
      needsContent: mode !== 'write',
      leavesContent: mode !== 'read',
      keepsContent: mode === 'read-write',
      parent: typeof parent === 'string' ? parent : null,
    },
  ];
}
