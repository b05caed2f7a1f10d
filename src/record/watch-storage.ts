import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { StorageSamples } from '../trace/storage-samples.ts';

const EVERY_MS = 1000;
/** Where these are reached every second one is forgotten, and the distance doubled: a note stays small, whatever the run. */
const MOST_SAMPLES = 2048;
const SECTOR = 512;

/** Sums since the machine was started. */
interface Sums {
  /** Seconds since 1970. */
  readonly at: number;
  read: number;
  written: number;
  /** Microseconds; undefined where the kernel does not tell. */
  readonly stalled: number | undefined;
}

/**
 * Looks about once a second from now on at what storage does; that is some 0.1 ms each time.
 * @param root where /proc and /sys are.
 * @returns what ends it, and tells; undefined where nothing is to be seen, or there was no time for it.
 */
export function watchStorage(root = '/', everyMs = EVERY_MS): () => StorageSamples | undefined {
  let looked: Sums[] = [];
  let distance = 1;
  let looks = 0;
  const look = (isLast = false): void => {
    if (looks++ % distance !== 0 && !isLast) return;
    looked.push(sumsOf(root));
    if (looked.length < MOST_SAMPLES) return;
    looked = looked.filter((_, i) => i % 2 === 0);
    distance *= 2;
  };
  look();
  // What never moves and cannot be seen is not asked for again.
  const timer = hasStorage(root) ? setInterval(look, everyMs).unref() : undefined;
  return () => {
    clearInterval(timer);
    // Of a run that is shorter than two looks nothing can be told over time.
    if (timer === undefined || looked.length < 2) return undefined;
    look(true);
    return samplesOf(looked);
  };
}

function samplesOf(looked: readonly Sums[]): StorageSamples {
  const first = looked[0]!;
  // The clock may have been set back.
  let latest = -Infinity;
  const kept = looked.filter(({ at }) => {
    if (at <= latest) return false;
    latest = at;
    return true;
  });
  const { stalled } = first;
  return {
    at: kept.map(({ at }) => at),
    read: kept.map(({ read }) => Math.max(0, read - first.read)),
    written: kept.map(({ written }) => Math.max(0, written - first.written)),
    ...(stalled !== undefined && { stalled: kept.map((of) => ((of.stalled ?? stalled) - stalled) / 1e6) }),
  };
}

function hasStorage(root: string): boolean {
  return disks(root).length > 0 || lustreFiles(root).length > 0 || /^device .* fstype nfs/m.test(text(root, MOUNTS));
}

const MOUNTS = 'proc/self/mountstats';

function sumsOf(root: string): Sums {
  const sums: Sums = { at: Date.now() / 1000, read: 0, written: 0, stalled: stalledOf(text(root, 'proc/pressure/io')) };
  addDisks(sums, text(root, 'proc/diskstats'), new Set(disks(root)));
  for (const file of lustreFiles(root)) addLustre(sums, text('', file));
  addNfs(sums, text(root, MOUNTS));
  return sums;
}

function text(root: string, file: string): string {
  try {
    return readFileSync(path.join(root, file), 'latin1');
  } catch {
    return '';
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Those of the machine itself: what stands on others (device mapper, RAID, loops) would count their bytes twice. */
function disks(root: string): string[] {
  const folder = path.join(root, 'sys/block');
  return entries(folder).filter((name) => existsSync(path.join(folder, name, 'device')));
}

/** Documentation/admin-guide/iostats.rst of Linux: the sectors that were read and written are fields 3 and 7 behind the name. */
function addDisks(sums: Sums, stats: string, wanted: ReadonlySet<string>): void {
  for (const line of stats.split('\n')) {
    const [, , name = '', ...fields] = line.trim().split(/\s+/);
    if (!wanted.has(name)) continue;
    sums.read += Number(fields[2]) * SECTOR;
    sums.written += Number(fields[6]) * SECTOR;
  }
}

/** Clients count what went over the network by target; where they do it depends on their release. */
function lustreFiles(root: string): string[] {
  return ['proc/fs/lustre/osc', 'sys/kernel/debug/lustre/osc'].flatMap((folder) =>
    entries(path.join(root, folder)).map((target) => path.join(root, folder, target, 'stats')),
  );
}

/** `read_bytes 20 samples [bytes] 4096 1048576 20971520`: the last is the sum. */
function addLustre(sums: Sums, stats: string): void {
  for (const [, kind, sum] of stats.matchAll(/^(read|write)_bytes +\d+ samples \[bytes\] \d+ \d+ (\d+)/gm)) {
    if (kind === 'read') sums.read += Number(sum);
    else sums.written += Number(sum);
  }
}

/**
 * nfsiostat(8): of the eight numbers of `bytes:` the fifth and sixth are what came from the server and went to it. What is
 * mounted at several places says the same at each.
 */
function addNfs(sums: Sums, stats: string): void {
  const mounts = stats.split(/^device /m).flatMap((mount) => {
    const bytes = /^\tbytes:\t.*$/m.exec(mount)?.[0];
    return bytes === undefined ? [] : [`${mount.slice(0, mount.indexOf(' '))} ${bytes}`];
  });
  for (const mount of new Set(mounts)) {
    const [, read, written] = /\tbytes:\t(?:\d+ ){4}(\d+) (\d+) /.exec(mount) ?? [];
    if (read === undefined) continue;
    sums.read += Number(read);
    sums.written += Number(written);
  }
}

/** Documentation/accounting/psi.rst of Linux: `some avg10=0.00 … total=122463190`, in microseconds. */
function stalledOf(pressure: string): number | undefined {
  const total = /^some .*total=(\d+)/m.exec(pressure)?.[1];
  return total === undefined ? undefined : Number(total);
}
