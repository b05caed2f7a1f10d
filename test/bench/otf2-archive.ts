import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ArchiveWriter } from '../support/otf2/otf2-writer.ts';

/**
 * Writes an archive like that of a job in which each process writes and reads through MPI-IO: functions of its own,
 * messages and barriers between the operations, each of which makes a call of the system.
 *
 * Usage: otf2-archive.mjs FOLDER RANKS STEPS; a step of a rank is 16 events.
 */
const [, , folder, ranks, steps] = process.argv;
const writer = new ArchiveWriter().processes(Number(ranks)).paradigms();
['main', 'step', 'exchange'].forEach((name, id) => {
  writer.region(id, name, 1, 1, 'solver.c', 10 * (id + 1));
});
writer.region(3, 'MPI_File_write_at', 27, 4).region(4, 'pwrite', 27, 0).region(5, 'MPI_File_open', 38, 4);
writer.region(6, 'open', 38, 0).region(7, 'MPI_Barrier', 15, 4);
writer.file(0, '/scratch/field.dat').handle(0, 0, 1, undefined, 0);
for (let rank = 0; rank < Number(ranks); rank++) writer.handle(rank + 1, 0, 0, 0);
for (let rank = 0; rank < Number(ranks); rank++) {
  const id = BigInt(rank) << 32n;
  const events = writer.location(id, rank);
  // The tool complains where a location has no definitions; these say nothing.
  writer.local(id);
  let ticks = 1000 + rank;
  const next = (by: number): typeof events => events.time((ticks += by));
  next(10).enter(0);
  next(10).enter(5);
  next(10).enter(6);
  next(900)
    .create(rank + 1, 2, 1, 0)
    .leave(6);
  next(10).create(0, 2, 1, 0).leave(5);
  for (let step = 0; step < Number(steps); step++) {
    const offset = (step * Number(ranks) + rank) * 640;
    next(500).enter(1);
    next(20).enter(2);
    next(300).leave(2);
    next(20).enter(3);
    next(10).begin(0, 'write', 0, 640, 0, offset);
    next(10).enter(4);
    next(10).begin(rank + 1, 'write', 0, 640, 0, offset);
    next(2000).complete(rank + 1, 640, 0);
    next(10).leave(4);
    next(10).complete(0, 640, 0);
    next(10).leave(3);
    next(10).enter(7);
    next(10).event(22, () => undefined);
    next(100 + (step % 7) * 40).event(23, (fields) => fields.u8(0).c32(0).c32(0xffff_ffff).c64(0).c64(0));
    next(10).leave(7);
    next(10).leave(1);
  }
  next(10).enter(5);
  next(10).destroy(rank + 1);
  next(10).destroy(0).leave(5);
  next(10).leave(0);
}
for (const [name, bytes] of writer.finish()) {
  const file = path.join(folder!, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
