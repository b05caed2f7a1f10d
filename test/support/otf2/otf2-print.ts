import { OPERATIONS } from '../../../src/trace/calls.ts';
import { EVENT_FLAGS, LOCK_KIND, NONE } from '../../../src/trace/events.ts';
import type { Trace } from '../../../src/trace/trace.ts';

/** What a location did, in words that both the text of `otf2-print` and a trace can be brought into. */
export interface LocationStory {
  /** `name start end`, in the order in which they were entered. */
  readonly functions: string[];
  /** `mode handle start end requested moved offset flags`, in the order in which they were begun. */
  readonly operations: string[];
  /** `operation handle`, in the order of the records. */
  readonly handles: string[];
  /** `kind peer bytes tag`. */
  readonly messages: string[];
}

const emptyStory = (): LocationStory => ({ functions: [], operations: [], handles: [], messages: [] });

interface PendingText {
  readonly at: number;
  readonly key: string;
  readonly text: string;
  readonly start: number;
}

const HANDLE_RECORDS: Readonly<Record<string, string>> = {
  IO_CREATE_HANDLE: 'open',
  IO_DESTROY_HANDLE: 'close',
  IO_DUPLICATE_HANDLE: 'duplicate',
  IO_SEEK: 'seek',
  IO_ACQUIRE_LOCK: 'lock',
  IO_RELEASE_LOCK: 'unlock',
  IO_TRY_LOCK: 'try',
};

/** Reads the events that `otf2-print` printed, by location; times in ticks as printed. */
export function printedStories(text: string): Map<string, LocationStory> {
  const stories = new Map<string, LocationStory>();
  const stacks = new Map<string, { name: string; at: number; index: number }[]>();
  const pending = new Map<string, PendingText[]>();
  let last: LocationStory | undefined;
  for (const line of text.slice(text.lastIndexOf('=== Events ===')).split('\n')) {
    const offset = /ADDITIONAL ATTRIBUTES: \("Offset" <\d+>; UINT64; (\d+)\)/.exec(line)?.[1];
    if (offset !== undefined && last !== undefined) {
      last.operations[last.operations.length - 1] = last.operations.at(-1)!.replace('offset -', `offset ${offset}`);
      continue;
    }
    const found = /^([A-Z_]+) +(\d+) +(\d+) *(.*)$/.exec(line);
    if (found === null) continue;
    const [, record, location, ticks, fields] = found;
    const at = Number(ticks);
    const story = stories.get(location!) ?? emptyStory();
    stories.set(location!, story);
    last = story;
    const stack = stacks.get(location!) ?? [];
    stacks.set(location!, stack);
    const field = (name: string): string => new RegExp(`${name}: (?:"[^"]*" <)?([^,>]*)`).exec(fields!)?.[1] ?? '';
    if (record === 'ENTER') {
      const name = /"(.*)" <\d+>$/.exec(fields!)![1]!;
      stack.push({ name, at, index: story.functions.push('') - 1 });
    } else if (record === 'LEAVE') {
      const { name, at: start, index } = stack.pop()!;
      story.functions[index] = `${name} ${start} ${at}`;
    } else if (record === 'IO_OPERATION_BEGIN') {
      const flags = /Operation Flags: (NONE|\{[^}]*\})/.exec(fields!)![1]!.replace(/[{}]/g, '');
      const key = `${location} ${field('Handle')} ${field('Matching Id')}`;
      const head = `${field('Mode')} handle ${field('Handle')}`;
      const begun = `${head} start ${at} end - requested ${field('Bytes Request')} moved - offset - flags ${flags}`;
      const index = story.operations.push(begun) - 1;
      pending.set(key, [...(pending.get(key) ?? []), { at: index, key, text: begun, start: at }]);
    } else if (record === 'IO_OPERATION_COMPLETE') {
      const begun = pending.get(`${location} ${field('Handle')} ${field('Matching Id')}`)!.pop()!;
      const done = story.operations[begun.at]!.replace('end -', `end ${at}`);
      story.operations[begun.at] = done.replace('moved -', `moved ${field('Bytes Result')}`);
    } else if (HANDLE_RECORDS[record!] !== undefined) {
      const name = record === 'IO_DUPLICATE_HANDLE' ? 'New Handle' : 'Handle';
      story.handles.push(`${HANDLE_RECORDS[record!]!} ${field(name)}`);
    } else if (record === 'MPI_SEND' || record === 'MPI_RECV') {
      const isSend = record === 'MPI_SEND';
      const peer = field(isSend ? 'Receiver' : 'Sender').split(' ')[0]!;
      story.messages.push(`${isSend ? 'send' : 'receive'} ${peer} ${field('Length')} ${field('Tag')}`);
    } else if (record === 'MPI_COLLECTIVE_END') {
      story.messages.push(`${field('Operation').toLowerCase()} ${field('Sent')} ${field('Received')}`);
    }
  }
  return stories;
}

const MODES: Readonly<Record<string, string>> = { read: 'READ', write: 'WRITE', sync: 'FLUSH' };
const LOCKS: Readonly<Record<number, string>> = {
  [LOCK_KIND.exclusive]: 'lock',
  [LOCK_KIND.shared]: 'lock',
  [LOCK_KIND.release]: 'unlock',
  [LOCK_KIND.tryExclusive]: 'try',
  [LOCK_KIND.tryShared]: 'try',
};

/** The same of a trace, by stream. @param ticksOf ticks of a time in nanoseconds. */
export function recordedStories(trace: Trace, ticksOf: (nanoseconds: number) => number): LocationStory[] {
  const stories = trace.streams.map(emptyStory);
  const { events, functions, messages } = trace;
  for (let row = 0; row < (functions?.length ?? 0); row++) {
    const { name } = functions!.functions[functions!.function.at(row)]!;
    const start = functions!.start.at(row);
    const end = start + functions!.duration.at(row);
    stories[functions!.stream.at(row)]!.functions.push(`${name} ${ticksOf(start)} ${ticksOf(end)}`);
  }
  for (let row = 0; row < events.length; row++) {
    const value = (column: Parameters<typeof events.value>[0]): number => events.value(column, row);
    const operation = OPERATIONS[trace.calls.operation[value('call')]!]!;
    const story = stories[value('stream')]!;
    const handle = value('handle');
    const isOperation = operation === 'sync' || !Number.isNaN(value('requested'));
    if (operation in MODES && handle !== NONE && isOperation)
      story.operations.push(operationText(trace, row, MODES[operation]!));
    else if (operation === 'lock') story.handles.push(`${LOCKS[value('argument')]!} ${handle}`);
    else if (operation === 'metadata' && trace.calls.names[value('call')]!.includes('dup'))
      story.handles.push(`duplicate ${handle}`);
    else if (['close', 'seek'].includes(operation) && handle !== NONE) story.handles.push(`${operation} ${handle}`);
    else if (operation === 'open' && !Number.isNaN(value('argument'))) story.handles.push(`open ${handle}`);
  }
  for (let row = 0; row < (messages?.length ?? 0); row++) {
    const { kind, stream, peer, sentBytes, receivedBytes, tag, operation } = messages!.at(row);
    const words =
      kind === 'collective'
        ? [operation === 'broadcast' ? 'bcast' : operation, sentBytes, receivedBytes]
        : [kind, peer, sentBytes + receivedBytes, tag];
    stories[stream]!.messages.push(words.join(' '));
  }
  return stories;

  function operationText(of: Trace, row: number, mode: string): string {
    const value = (column: Parameters<typeof events.value>[0]): number => of.events.value(column, row);
    const start = value('start');
    const offset = value('offset');
    const bits = value('flags');
    const flags = [
      ...(bits & EVENT_FLAGS.nonBlocking ? ['NON_BLOCKING'] : []),
      ...(bits & EVENT_FLAGS.collective ? ['COLLECTIVE'] : []),
    ];
    const requested = mode === 'FLUSH' ? 0 : value('requested');
    const end = ticksOf(start + value('duration'));
    const text = `${mode} handle ${value('handle')} start ${ticksOf(start)} end ${end} requested ${requested}`;
    const isKnown = !Number.isNaN(offset);
    return `${text} moved ${value('bytes')} offset ${isKnown ? offset : '-'} flags ${flags.join(', ') || 'NONE'}`;
  }
}

/** Offsets that the archive does not give are worked out: where the text has none they are not compared. */
export function withoutOwnOffsets(recorded: readonly string[], printed: readonly string[]): string[] {
  return recorded.map((text, i) =>
    printed[i]?.includes('offset -') === true ? text.replace(/offset \S+/, 'offset -') : text,
  );
}
