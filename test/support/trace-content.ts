import type { Trace } from '../../src/trace/trace.ts';

/** Everything that a trace holds, as plain data: for comparing two readings, and one reading with itself later. */
export function contentOf(trace: Trace): object {
  const { events, files, handles, calls, errors, stacks, parts, streams, ...rest } = trace;
  const chunks: unknown[] = [];
  events.chunks.forEach((chunk, number) => {
    const rows = events.rowsIn(number);
    chunks.push(Object.entries(chunk).map(([name, column]) => [name, Array.from(column.subarray(0, rows), String)]));
  });
  const indices = (length: number): number[] => Array.from({ length }, (_, index) => index);
  return {
    ...rest,
    parts: parts.map((part) => ({ ...part })),
    streams: streams.map((stream) => ({ ...stream })),
    capabilities: { ...rest.capabilities },
    events: chunks,
    files: [...files.files],
    handles: indices(handles.length).map((handle) =>
      [handles.file, handles.stream, handles.parent, handles.incarnation].map((column) => column.at(handle)),
    ),
    calls: calls.names.map((name, call) => [name, calls.operation[call]]),
    errors: [...errors.names],
    frames: indices(stacks.frames).map((frame) => stacks.frame(frame)),
    nodes: indices(stacks.nodes).map((node) => stacks.framesOf(node)),
  };
}
