import { counted, formatBytes, formatCount } from '../../base/quantities.ts';
import { bufferSize } from '../triggers/snippets.ts';
import type { FixRequest } from './fix.ts';

/** An example to insert where the call itself is not recognised. */
export interface Example {
  readonly title: string;
  readonly code: string;
}

type MakeExample = (request: FixRequest) => Example;

const FORTRAN: Readonly<Record<string, MakeExample>> = {
  'posix-small-writes': (request) => ({
    title: 'Write whole arrays',
    code: `${amount(request, 'write')}: the array at once, not element by element, and no flush in the loop.
open(newunit=unit, file=path, access='stream', form='unformatted', action='write')
write(unit) values(1:n)
close(unit)`,
  }),
  'posix-small-reads': (request) => ({
    title: 'Read whole arrays',
    code: `${amount(request, 'read')}: the array at once, not element by element.
open(newunit=unit, file=path, access='stream', form='unformatted', action='read')
read(unit) values(1:n)
close(unit)`,
  }),
  'open-close-in-loop': ({ count }) => ({
    title: 'Open before the loop, close behind it',
    code: `Once instead of ${formatCount(count)} times.
open(newunit=unit, file=path, position='append', action='write')
do step = 1, steps
  write(unit, '(i8)') step
end do
close(unit)`,
  }),
  'posix-redundant-reads': (request) => ({
    title: 'Read it once and keep it',
    code: `${amount(request, 'read')} of what was read before: keep it in an array.
if (.not. allocated(kept)) then
  allocate(kept(n))
  read(unit) kept
end if`,
  }),
  'posix-random-reads': (request) => ({
    title: 'Read in the order of the file',
    code: `${amount(request, 'read')} all over the file: sort the positions, or read the part that holds them.
read(unit, pos=first) block
value = block(position - first + 1)`,
  }),
  'seek-before-every-access': ({ count }) => ({
    title: 'Access neighbours together',
    code: `${counted(count, 'seek')}: one access for all that lie behind each other.
write(unit, pos=offset) values(first:last)`,
  }),
};

const PYTHON: Readonly<Record<string, MakeExample>> = {
  'posix-small-writes': (request) => ({
    title: `Collect writes in a buffer of ${formatBytes(bufferSize(request.medianBytes))}`,
    code: `${amount(request, 'write')}. With h5py: dataset[start:stop] = values, one part instead of single elements.
with open(path, "wb", buffering=${bufferSize(request.medianBytes)}) as file:
    for record in records:
        file.write(record)  # no flush() in the loop`,
  }),
  'posix-small-reads': (request) => ({
    title: 'Read larger parts',
    code: `${amount(request, 'read')}. With h5py: values = dataset[start:stop], then use the array.
with open(path, "rb", buffering=${bufferSize(request.medianBytes)}) as file:
    data = file.read()`,
  }),
  'posix-random-writes': hdf5Writes,
  'posix-redundant-writes': hdf5Writes,
  'sync-after-every-write': ({ count }) => ({
    title: 'Synchronise once, at the end',
    code: `Once instead of ${formatCount(count)} times.
for record in records:
    file.write(record)
file.flush()
os.fsync(file.fileno())`,
  }),
  'open-close-in-loop': ({ count }) => ({
    title: 'Open the file once, around the loop',
    code: `Once instead of ${formatCount(count)} times.
with open(path, "a") as file:
    for step in range(steps):
        file.write(f"{step}\\n")`,
  }),
  'posix-redundant-reads': (request) => ({
    title: 'Read it once and keep it',
    code: `${amount(request, 'read')} of what was read before.
@functools.lru_cache
def table(path):
    with open(path, "rb") as file:
        return file.read()`,
  }),
  'posix-random-reads': (request) => ({
    title: 'Read in the order of the file',
    code: `${amount(request, 'read')} all over the file.
for offset in sorted(offsets):
    records[offset] = os.pread(descriptor, size, offset)`,
  }),
  'seek-before-every-access': ({ count }) => ({
    title: 'Give the offset with the call',
    code: `${counted(count, 'seek')} that are not needed.
os.pwrite(descriptor, data, offset)`,
  }),
};

function hdf5Writes(request: FixRequest): Example {
  return {
    title: 'Let HDF5 gather its writes',
    code: `${amount(request, 'write')}: each flush writes HDF5's own tables again. One dataset that grows, one flush at the end.
dataset = file.create_dataset("steps", (steps, n), chunks=(64, n))
for step in range(steps):
    dataset[step] = values
file.flush()`,
  };
}

function amount({ count, medianBytes }: FixRequest, operation: string): string {
  return `${counted(count, operation)}${medianBytes > 0 ? ` of ${formatBytes(medianBytes)}` : ''}`;
}

/**
 * Examples in the request's language: those that came with it, which know what its line calls and whether it only reads; else
 * made for its numbers.
 */
export function examplesFor(request: FixRequest): readonly Example[] {
  switch (request.language) {
    case 'c':
    case 'cpp':
      return request.examples;
    case 'fortran':
    case 'python': {
      const make = (request.language === 'fortran' ? FORTRAN : PYTHON)[request.trigger];
      return make === undefined || request.examples.length > 0 ? request.examples : [make(request)];
    }
  }
}
