import { expect, test } from 'vitest';
import { CaptureFile } from '../../../test/support/recorder/capture-writer.ts';
import { memoryFile } from '../../../test/support/memory-file.ts';
import { expectSound } from '../../../test/support/sound-trace.ts';
import { EVENT_FLAGS, NONE } from '../../trace/events.ts';
import type { Trace } from '../../trace/trace.ts';
import { readCapture } from './capture-reader.ts';

/** What the layers HDF5, NetCDF and PnetCDF say in ways of their own. */

async function read(file: CaptureFile): Promise<Trace> {
  const trace = await readCapture([memoryFile('node.iorec', file.bytes())]);
  expectSound(trace);
  return trace;
}

/** `call path:object` of each row. */
function objects({ events, calls, files, definitions }: Trace): string[] {
  return Array.from({ length: events.length }, (_, row) => {
    const file = events.value('file', row);
    const name = definitions!.handleNames.get(events.value('handle', row)) ?? '';
    return `${calls.names[events.value('call', row)]!} ${file === NONE ? '' : files.at(file).path}:${name}`;
  });
}

const created = (): CaptureFile => new CaptureFile().call('HDF5', 'H5Fcreate', 'plhx', ['/a.h5', 578, 1, 0], [0, 1]);

test('an object of HDF5 is closed with its last reference', async () => {
  const trace = await read(
    created()
      .call('HDF5', 'H5Dopen2', 'HNhx', [1, 'set', 5, 0], [2, 3])
      .call('HDF5', 'H5Oclose', 'hx', [5, 1], [4, 5])
      .call('HDF5', 'H5Dread', 'hbgx', [5, 80, 0, 0], [6, 7])
      .call('HDF5', 'H5Idec_ref', 'hx', [5, 0], [8, 9])
      .call('HDF5', 'H5Dread', 'hbgx', [5, 0, 0, -1], [10, 11]),
  );
  expect(objects(trace).slice(2)).toEqual([
    ...['H5Oclose /a.h5:set', 'H5Dread /a.h5:set', 'H5Idec_ref /a.h5:set', 'H5Dread /a.h5:'],
  ]);
});

test('an object that nobody was seen to open is described', async () => {
  const trace = await read(
    created()
      .call('recorder', 'object', 'hNp', [514, '/group', '/a.h5'], [2, 2])
      .call('HDF5', 'H5Oopen', 'HNhx', [514, 'set', 5, 0], [3, 4])
      .call('HDF5', 'H5Dwrite', 'hbgx', [5, 80, 1, 0], [5, 6]),
  );
  expect(objects(trace)).toEqual(['H5Fcreate /a.h5:', 'H5Oopen /a.h5:set', 'H5Dwrite /a.h5:set']);
  const { parent } = trace.handles;
  const set = trace.events.value('handle', 2);
  expect(trace.definitions!.handleNames.get(parent.at(set))).toBe('/group');
  expect(parent.at(parent.at(set))).toBe(trace.events.value('handle', 0));
  expect(trace.events.value('flags', 2) & EVENT_FLAGS.collective).toBe(EVENT_FLAGS.collective);
});

test('variables of NetCDF, which are not opened, have handles in their file', async () => {
  const trace = await read(
    new CaptureFile()
      .call('NetCDF', 'nc_create', 'plhx', ['/b.nc', 578, 8, 0], [0, 1])
      .call('NetCDF', 'nc_put_vara_int', 'hNbx', [8, 'salt', 40, 0], [2, 3])
      .call('NetCDF', 'nc_put_att_text', 'hNbx', [8, 'salt:units', 3, 0], [4, 5])
      .call('NetCDF', 'nc_get_vara_int', 'hNbx', [8, 'salt', 8, 0], [6, 7])
      .call('NetCDF', 'nc_close', 'hx', [8, 0], [8, 9]),
  );
  expect(objects(trace)).toEqual([
    ...['nc_create /b.nc:', 'nc_put_vara_int /b.nc:salt', 'nc_put_att_text /b.nc:salt:units'],
    ...['nc_get_vara_int /b.nc:salt', 'nc_close /b.nc:'],
  ]);
  const handle = (row: number): number => trace.events.value('handle', row);
  expect(handle(3)).toBe(handle(1));
  expect(trace.handles.parent.at(handle(1))).toBe(handle(0));
});
