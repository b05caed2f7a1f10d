import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planShards, tasksFor, type PlannedSource } from './plan-shards.ts';
import { parseStripes } from './storage-targets.ts';
import { taskNumbers } from './task-numbers.ts';

const LOG = 128 * 1024;
const costOf = (sources: readonly PlannedSource[], shard: readonly number[]) =>
  shard.reduce((sum, index) => sum + sources[index]!.bytes + LOG, 0);

describe('a plan of shards', () => {
  const sizes = fc.array(fc.nat(2 ** 31), { minLength: 1, maxLength: 200 });

  test('has each source once, and no shard that has much more to do than the others', () =>
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 40 }), (bytes, tasks) => {
        const sources = bytes.map((size) => ({ bytes: size, target: null }));
        const shards = planShards(sources, tasks);
        expect(shards.flat().sort((a, b) => a - b)).toEqual(sources.map((_, index) => index));
        expect(shards.length).toBe(Math.min(tasks, sources.length));
        const costs = shards.map((shard) => costOf(sources, shard));
        const total = costs.reduce((sum, cost) => sum + cost, 0);
        const largest = sources.reduce((most, { bytes: size }) => Math.max(most, size + LOG), 0);
        // Graham's bound for any list order; the order by size makes it better still.
        const most = costs.reduce((a, b) => Math.max(a, b));
        expect(most).toBeLessThanOrEqual(total / tasks + largest);
      }),
    ));

  test('reads from few storage targets in a task, and from different ones in tasks that follow each other', () => {
    const sources = Array.from({ length: 64 }, (_, index) => ({ bytes: 1000 + index, target: index % 4 }));
    const shards = planShards(sources, 8);
    const targets = shards.map((shard) => new Set(shard.map((index) => sources[index]!.target)));
    expect(targets.map((set) => set.size)).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect(targets.map((set) => [...set][0])).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    const few = planShards(sources, 3);
    expect(few.flat().length).toBe(64);
    // Four targets for three tasks: only one reads from two.
    expect(few.map((shard) => new Set(shard.map((index) => sources[index]!.target)).size).sort()).toEqual([1, 1, 2]);
  });

  test('gives a task work for much longer than it takes to start', () => {
    const small = Array.from({ length: 10_000 }, () => ({ bytes: 10_000, target: null }));
    expect(tasksFor(small)).toBe(5);
    expect(tasksFor([{ bytes: 3 * 2 ** 30, target: null }])).toBe(6);
    expect(tasksFor([])).toBe(1);
  });
});

test('numbers of tasks are told as ranges', () => {
  expect(taskNumbers([0, 1, 2, 3, 7, 9, 10])).toBe('0-3,7,9-10');
  expect(taskNumbers([5])).toBe('5');
});

test('storage targets are read of lfs getstripe, plain and composite layouts', () => {
  const output = `/scratch/a b.darshan
lmm_stripe_count:  1
lmm_stripe_size:   1048576
lmm_pattern:       raid0
lmm_layout_gen:    0
lmm_stripe_offset: 3
	obdidx		 objid		 objid		 group
	     3	        131123	      0x20033	             0

/scratch/c.darshan
  lcm_layout_gen:    2
  lcm_entry_count:   2
    lcme_id:             1
      lmm_stripe_count:  1
      lmm_stripe_offset: 0
      lmm_objects:
      - 0: { l_ost_idx: 0, l_fid: [0x100000000:0x2:0x0] }
    lcme_id:             2
      lmm_stripe_count:  4
      lmm_stripe_offset: -1
/other
lmm_stripe_offset: 9
`;
  const files = new Set(['/scratch/a b.darshan', '/scratch/c.darshan', '/not/there']);
  expect([...parseStripes(output, files)]).toEqual([
    ['/scratch/a b.darshan', 3],
    ['/scratch/c.darshan', 0],
  ]);
});
