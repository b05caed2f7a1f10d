import { expect, test } from 'vitest';
import { NONE } from './events.ts';
import { FileTable, HandleTable } from './files.ts';

// It is the compiler that fails here, when an index of one table passes for one of another.
test('an index of one table is none of another', () => {
  const files = new FileTable();
  const handles = new HandleTable();
  const file = files.intern('', '/a');
  const handle = handles.add(file, 0, NONE);
  // @ts-expect-error: a handle where a file is wanted
  handles.add(handle, 0, NONE);
  // @ts-expect-error: a file where a stream is wanted
  handles.add(file, file, NONE);
  // @ts-expect-error: a stream where a file is wanted
  expect(files.at(handles.stream.at(handle)).path).toBe('/a');
});
