import { describe, expect, test } from 'vitest';
import { isLibraryModule, isLibrarySource } from './library-modules.ts';

const own = { folders: ['/home/me/solver', '/'], launched: 'solver' };

describe('isLibraryModule', () => {
  test.each([
    '/usr/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
    '/usr/bin/cp',
    '[vdso]',
    '/opt/openmpi/4.1/lib/libmpi.so.40',
    '/home/me/miniconda3/lib/libhdf5.so.200',
    '/home/me/spack/opt/hdf5-1.14/lib/libhdf5.so.310',
    '/sw/hdf5/1.12/lib/libhdf5_hl.so',
    '/home/me/solver/.venv/bin/python3.11',
    '/opt/python/3.11/bin/python3.11',
    '/usr/local/bin/node',
    '/home/me/software/openmpi/lib/libopen-pal.so.40',
    '/usr/bin/mpirun',
  ])('%s is a library', (path) => expect(isLibraryModule(path, own)).toBe(true));

  test.each([
    '/home/me/app/libutil.so',
    '/home/me/app/libevent_log.so',
    '/home/me/solver/lib/libutil.so',
    '/home/me/solver/build/libzones.so',
    '/home/me/app/node',
    '/home/me/bin/sh',
    '/usr/local/bin/simulate',
    '/home/me/solver/build/solver',
  ])('%s is the user’s', (path) => expect(isLibraryModule(path, own)).toBe(false));

  test('a program of the system folders that was launched is looked at, an interpreter is not', () => {
    expect(isLibraryModule('/usr/bin/solver', own)).toBe(false);
    expect(isLibraryModule('/usr/bin/python3.11', { folders: [], launched: 'python3.11' })).toBe(true);
  });
});

test.each([
  ['/usr/lib/python3.11/shutil.py', true],
  ['/root/.pyenv/versions/3.12.1/lib/python3.12/threading.py', true],
  ['/home/a/env/lib/python3.13/site-packages/h5py/_hl/files.py', true],
  ['<frozen importlib._bootstrap>', true],
  ['/home/a/lib/python/simulation.py', false],
  ['/home/a/simulation.py', false],
  ['<artificial>', false],
])('the source %s is a library: %s', (path, isLibrary) => expect(isLibrarySource(path)).toBe(isLibrary));
