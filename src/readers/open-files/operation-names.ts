import type { Operation } from '../../trace/calls.ts';

/** What a function does by its name, the first that fits. */
const OPERATION_OF_NAME: readonly (readonly [pattern: RegExp, operation: Operation])[] = [
  [/^H5[PSTE]|readlink|readdir|get_size|get_position|get_view|aio_(error|return|suspend|cancel)/i, 'metadata'],
  [/seek|rewind|setpos/i, 'seek'],
  [/sync|flush/i, 'sync'],
  [/close/i, 'close'],
  [/(open|creat|create)(64|at|_par|\d)*$/i, 'open'],
  [/^flock|^lockf/, 'lock'],
  [/^sendfile|^copy_file_range|^splice$/, 'copy'],
  [/read|^f?getc|^f?gets|^getw|scanf|get_var/i, 'read'],
  [/write|^f?putc|^f?puts|^putw|printf|put_var/i, 'write'],
];

/** What a function of an I/O layer does as far as its name says it. */
export function operationOfName(name: string): Operation {
  return OPERATION_OF_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? 'metadata';
}
