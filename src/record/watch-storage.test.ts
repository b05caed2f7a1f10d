import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchStorage } from './watch-storage.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'iolens-storage-'));
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** As kernels 6.1 print them; `dm-0` stands on the disk. */
function disks(sectorsRead: number, sectorsWritten: number): void {
  write('sys/block/sda/device/model', 'x');
  write('sys/block/dm-0/dm/name', 'x');
  const numbers = `100 0 ${sectorsRead} 20 50 0 ${sectorsWritten} 30 0 40 50 0 0 0 0 0 0`;
  write('proc/diskstats', `   8       0 sda ${numbers}\n   8       1 sda1 ${numbers}\n 253       0 dm-0 ${numbers}\n`);
}

const pressure = (total: number): void =>
  write('proc/pressure/io', `some avg10=0.00 avg60=0.00 avg300=0.00 total=${total}\nfull avg10=0.00 total=1\n`);

test('disks count once, whatever stands on them, and waiting in seconds', () => {
  disks(1000, 5000);
  pressure(7_000_000);
  const end = watchStorage(root);
  vi.advanceTimersByTime(2000);
  disks(1002, 5100);
  pressure(7_250_000);
  vi.advanceTimersByTime(400);
  const storage = end()!;
  expect(storage.at).toHaveLength(4);
  expect(storage.read).toEqual([0, 0, 0, 1024]);
  expect(storage.written).toEqual([0, 0, 0, 51_200]);
  expect(storage.stalled).toEqual([0, 0, 0, 0.25]);
});

/** As of Lustre 2.15 and of Linux 6.1; the same export is mounted twice. */
const lustre = (read: number): void =>
  write(
    'proc/fs/lustre/osc/scratch-OST0000-osc-ffff/stats',
    `snapshot_time 1.5 secs.nsecs\nreq_waittime 33 samples [usec] 55 8213 61012 361122\nread_bytes 12 samples [bytes] 4096 1048576 ${read}\nwrite_bytes 1 samples [bytes] 40 40 40\n`,
  );
const nfs = (read: number, written: number): void => {
  const mount = (place: string): string =>
    `device server:/home mounted on ${place} with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4.2\n\tbytes:\t9 9 0 0 ${read} ${written} 3 4 \n`;
  write(
    'proc/self/mountstats',
    `device proc mounted on /proc with fstype proc\n${mount('/home')}${mount('/mnt/home')}`,
  );
};

test('what clients of Lustre and NFS moved counts, too; a kernel that tells no waiting says none', () => {
  lustre(1_000_000);
  nfs(100, 200);
  const end = watchStorage(root);
  vi.advanceTimersByTime(1000);
  lustre(1_500_000);
  nfs(101, 300);
  vi.advanceTimersByTime(400);
  expect(end()).toEqual({
    at: [0, 1, 1.4].map(() => expect.any(Number) as number),
    read: [0, 0, 500_001],
    written: [0, 0, 100],
  });
});

test('nothing is told of a run within one look, nor where nothing can be seen', () => {
  disks(1, 1);
  expect(watchStorage(root)()).toBeUndefined();
  rmSync(root, { recursive: true });
  const end = watchStorage(root);
  vi.advanceTimersByTime(5000);
  expect(end()).toBeUndefined();
});

test('the notes of a day are as many as those of an hour, evenly over it', () => {
  disks(0, 0);
  const end = watchStorage(root);
  for (let hour = 0; hour < 24; hour++) {
    disks(hour * 100, 0);
    vi.advanceTimersByTime(3_600_000);
  }
  const { at, read } = end()!;
  expect(at.length).toBeGreaterThan(1000);
  expect(at.length).toBeLessThanOrEqual(2048);
  expect(read.at(-1)).toBe(23 * 100 * 512);
  const distances = at.slice(1, -1).map((time, i) => time - at[i]!);
  expect(Math.max(...distances)).toBeLessThanOrEqual(Math.min(...distances) + 1);
});
