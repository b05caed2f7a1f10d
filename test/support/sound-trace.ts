import { expect } from 'vitest';
import { LAYERS } from '../../src/trace/calls.ts';
import { EVENT_FLAGS, LINKS, NONE } from '../../src/trace/events.ts';
import type { Trace } from '../../src/trace/trace.ts';

/** What holds of every trace, whatever it was read from: indices lie inside their tables, rows stand in order. */
export function expectSound(trace: Trace): void {
  const { events, files, handles, calls, streams, errors, messages, functions, parts } = trace;
  const lastStart = new Map<number, number>();
  const problems: string[] = [];
  const check = (isRight: boolean, row: number, what: string): void => {
    if (!isRight && problems.length < 5) problems.push(`row ${row}: ${what}`);
  };
  const isIndex = (value: number, length: number): boolean => value >= NONE && value < length;
  for (let row = 0; row < events.length; row++) {
    const value = (column: Parameters<typeof events.value>[0]): number => events.value(column, row);
    check(isIndex(value('file'), files.length), row, 'file');
    check(isIndex(value('handle'), handles.length), row, 'handle');
    check(isIndex(value('parent'), row), row, 'parent');
    check(value('stream') < streams.length, row, 'stream');
    check(value('call') < calls.names.length, row, 'call');
    check(value('error') < errors.length, row, 'error');
    check(value('layer') < LAYERS.length, row, 'layer');
    check(value('link') < LINKS.length, row, 'link');
    check(!(value('bytes') < 0) && Number.isFinite(value('bytes')), row, 'bytes');
    check(!(value('requested') < 0), row, 'requested');
    check(!(value('offset') < 0), row, 'offset');
    check(!(value('duration') < 0), row, 'duration');
    check(Number.isFinite(value('start')), row, 'start');
    check(value('start') >= (lastStart.get(value('stream')) ?? -Infinity), row, 'order');
    lastStart.set(value('stream'), value('start'));
    const parent = value('parent');
    if (parent === NONE || (value('flags') & EVENT_FLAGS.part) !== 0) continue;
    check(events.value('start', parent) <= value('start'), row, 'begins before its parent');
    check(value('link') !== 0, row, 'a parent without a link');
  }
  for (let handle = 0; handle < handles.length; handle++) {
    check(isIndex(handles.file.at(handle), files.length), handle, 'file of a handle');
    check(isIndex(handles.parent.at(handle), handles.length), handle, 'parent of a handle');
  }
  for (const { part } of streams) check(part >= 0 && part < parts.length, part, 'part');
  for (let row = 0; row < (messages?.length ?? 0); row++) {
    check(isIndex(messages!.at(row).peer, streams.length), row, 'peer');
    check(isIndex(messages!.at(row).communicator, trace.definitions!.communicators.length), row, 'communicator');
  }
  for (let row = 0; row < (functions?.length ?? 0); row++) {
    check(isIndex(functions!.caller.at(row), row), row, 'caller');
    check(functions!.function.at(row) < functions!.functions.length, row, 'function');
  }
  expect(problems).toEqual([]);
}
