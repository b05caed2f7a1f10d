import { readFileSync } from 'node:fs';
import path from 'node:path';
import Draft7 from 'ajv';
import { describe, expect, it } from 'vitest';
import { limitWords } from '../../export/comparison/budget-text.ts';
import type { LineFacts, RunFacts } from '../comparison/run-facts.ts';
import { checkBudget } from './check-budget.ts';
import { readBudget } from './read-budget.ts';

const schema = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../../schemas/budget.schema.json'), 'utf8'),
) as object;
const conforms = new Draft7({ allowUnionTypes: true }).compile(schema);

const EMIT: LineFacts = {
  recordedFile: '/w/src/heat.c',
  file: '/home/me/src/heat.c',
  isHere: true,
  line: 22,
  function: 'emit',
  module: '/w/heat',
  isCurrent: true,
  text: '',
  callers: [],
  calls: { write: 4096 },
  kind: 'write',
  events: 4096,
  bytes: 409_600,
  timeNs: 75e6,
};

const RUN: RunFacts = {
  recording: 'heat.strace',
  hasTimes: true,
  traced: false,
  run: { untracedNs: 1e9, lowNs: 1e9, highNs: 1e9 },
  durationNs: 1e9,
  total: { events: 4100, bytes: 409_600, timeNs: 100e6 },
  lines: [EMIT, { ...EMIT, line: 30, events: 4, bytes: 0, timeNs: 25e6, function: 'io::flush' }],
  withoutLine: { events: 0, bytes: 0, timeNs: 0 },
  files: [{ name: '/scratch/out/cells.txt', events: 4096, bytes: 409_600, timeNs: 75e6 }],
  calls: [],
  layers: [],
  findings: [
    { ...EMIT, code: 'P06', trigger: 'posix-small-writes', title: '', message: '', severity: 'high', line: 0 },
    { ...EMIT, code: 'P09', trigger: 'x', title: '', message: '', severity: 'ok', line: 0 },
    { code: 'P01', trigger: 'y', title: '', message: '', severity: 'info', events: 0, bytes: 0, timeNs: 0 },
  ],
  candidates: [],
  graph: { mapping: '', nodes: [], edges: [] },
  notes: [],
};

const check = (limit: object, run = RUN) => {
  const budget = { limits: [limit] };
  const { limits, problems } = readBudget(budget);
  expect(problems).toEqual([]);
  expect(conforms(budget)).toBe(true);
  return checkBudget(run, limits)[0]!;
};
const statusOf = (limit: object, run = RUN): string => check(limit, run).status;

describe('limits', () => {
  it('of a line, by the end of its path', () => {
    expect(check({ line: 'src/heat.c:22', calls: 16, reason: 'gathered' })).toEqual({
      recording: 'heat.strace',
      subject: { kind: 'line', file: 'src/heat.c', line: 22 },
      name: 'src/heat.c:22',
      reason: 'gathered',
      status: 'exceeded',
      checks: [{ quantity: 'calls', most: 16, measured: 4096, exceeded: true }],
      places: [{ file: '/home/me/src/heat.c', line: 22, isHere: true }],
    });
    expect(statusOf({ line: 'heat.c:22', calls: 4096 })).toBe('holds');
    // Whole parts of a path.
    expect(statusOf({ line: 'eat.c:22', calls: 1 })).toBe('matches nothing');
    expect(statusOf({ line: 'heat.c:2', calls: 1 })).toBe('matches nothing');
  });

  it('of functions, with and without their source file, also of C++', () => {
    expect(statusOf({ function: 'emit', bytes: '399 KiB' })).toBe('exceeded');
    expect(statusOf({ function: 'heat.c:emit', bytes: '400 KiB' })).toBe('holds');
    expect(statusOf({ function: 'other.c:emit', bytes: 1 })).toBe('matches nothing');
    expect(statusOf({ function: 'io::flush', calls: 3 })).toBe('exceeded');
  });

  it('of files, of the run, and of shares', () => {
    expect(statusOf({ file: '/scratch/**/*.txt', time: '74.9 ms' })).toBe('exceeded');
    expect(statusOf({ file: '*.txt', time: '0.075 s' })).toBe('holds');
    expect(statusOf({ file: '*.dat', time: '1 s' })).toBe('matches nothing');
    expect(statusOf({ run: true, calls: 4099 })).toBe('exceeded');
    expect(statusOf({ function: 'emit', share: 0.74 })).toBe('exceeded');
    expect(statusOf({ function: 'emit', share: 0.75 })).toBe('holds');
  });

  it('of findings: praise and summaries are none', () => {
    expect(statusOf({ trigger: 'P06', findings: 0 })).toBe('exceeded');
    expect(statusOf({ trigger: 'posix-small-writes', findings: 1, calls: 5000 })).toBe('holds');
    // No finding is what is wanted.
    expect(statusOf({ trigger: 'P07', findings: 0 })).toBe('holds');
    // What no trigger is called can never be found.
    expect(statusOf({ trigger: 'P66', findings: 0 })).toBe('matches nothing');
    expect(statusOf({ trigger: 'posix-smal-writes', findings: 0 })).toBe('matches nothing');
    const { limits } = readBudget({ limits: [{ trigger: 'OWN1', findings: 0 }] });
    const own = [{ code: 'OWN1', name: 'own' }];
    expect(checkBudget(RUN, limits, own)[0]!.status).toBe('holds');
    expect(check({ severity: 'info', findings: 0 }).checks[0]!.measured).toBe(1);
    expect(check({ run: true, findings: 9 }).checks[0]!.measured).toBe(1);
  });

  it('are not passed where times are unknown', () => {
    const untimed = { ...RUN, hasTimes: false };
    expect(check({ run: true, time: '1 s' }, untimed)).toMatchObject({
      status: 'not measured',
      checks: [{ measured: null, exceeded: false }],
    });
    expect(statusOf({ run: true, time: '1 s', calls: 1 }, untimed)).toBe('exceeded');
  });
});

describe('limits on a recording under a tracer', () => {
  // Of 75 recorded milliseconds 2 are left without the tracer, at least 1.5.
  const cost = { untracedNs: 2e6, lowNs: 1.5e6, highNs: 2.5e6, traced: true };
  const traced: RunFacts = {
    ...RUN,
    traced: true,
    total: { ...RUN.total, cost: { untracedNs: 4e6, lowNs: 3e6, highNs: 5e6, traced: true } },
    lines: [{ ...EMIT, cost }],
    findings: [{ ...RUN.findings[0]!, surely: 'info' }],
  };

  it('are exceeded when the lower end of what calls cost is over them', () => {
    expect(check({ function: 'emit', time: '1.6 ms' }, traced)).toMatchObject({
      status: 'holds',
      checks: [{ measured: 2e6, least: 1.5e6, exceeded: false }],
    });
    expect(limitWords(check({ function: 'emit', time: '1.6 ms' }, traced))).toBe(
      'function emit: 2 ms (at least 1.5 ms) of at most 1.6 ms',
    );
    expect(statusOf({ function: 'emit', time: '1.4 ms' }, traced)).toBe('exceeded');
    expect(check({ function: 'emit', share: 0.4 }, traced).checks[0]).toMatchObject({ measured: 0.5, least: 0.375 });
    expect(statusOf({ function: 'emit', share: 0.3 }, traced)).toBe('exceeded');
    expect(statusOf({ run: true, time: '2.9 ms' }, traced)).toBe('exceeded');
  });

  it('of a severity count the findings that surely have it', () => {
    expect(statusOf({ severity: 'warn', findings: 0 }, traced)).toBe('holds');
    expect(statusOf({ severity: 'info', findings: 0 }, traced)).toBe('exceeded');
  });
});

describe('a budget that cannot be understood', () =>
  it.each([
    [[], 'an object with a list "limits" is expected'],
    [{ limits: {} }, 'an object with a list "limits" is expected'],
    [{ limits: [], bounds: [] }, '"bounds" means nothing here: only "limits" is known'],
    [{ limits: [7] }, 'limit 1: an object is expected'],
    [
      { limits: [{ calls: 1 }] },
      'limit 1: exactly one of line, function, file, trigger, severity, run says what is limited',
    ],
    [
      { limits: [{ run: true, line: 'a.c:1', calls: 1 }] },
      'limit 1: exactly one of line, function, file, trigger, severity, run says what is limited',
    ],
    [{ limits: [{ run: true }] }, 'limit 1: nothing is limited: calls, bytes, time, share, findings'],
    [{ limits: [{ run: false, calls: 1 }] }, 'limit 1: "run" is always true'],
    [{ limits: [{ line: 'heat.c', calls: 1 }] }, 'limit 1: "line" must be a file and a line, such as heat.c:22'],
    [{ limits: [{ function: '', calls: 1 }] }, 'limit 1: "function" must be a text'],
    [{ limits: [{ severity: 'bad', findings: 0 }] }, 'limit 1: "severity" is one of high, warn, info'],
    [
      { limits: [{ severity: 'high', calls: 0 }] },
      'limit 1: of a severity only "findings" can be limited: one call can be in several findings',
    ],
    [{ limits: [{ run: true, calls: -1 }] }, 'limit 1: "calls" must be a whole number, 0 or more'],
    [{ limits: [{ run: true, time: 5 }] }, 'limit 1: "time" must be a time such as "20 ms"'],
    [{ limits: [{ run: true, time: '5 years' }] }, 'limit 1: "time" must be a time such as "20 ms"'],
    [{ limits: [{ run: true, bytes: '5 constructor' }] }, 'limit 1: "bytes" must be a size such as "400 KiB"'],
    [{ limits: [{ function: 'f', share: 2 }] }, 'limit 1: "share" must be a number from 0 to 1'],
    [
      { limits: [{ function: 'f', findings: 2 }] },
      'limit 1: "findings" can be limited of a trigger, a severity and the run',
    ],
    [{ limits: [{ run: true, share: 0.5 }] }, 'limit 1: "share" is of the run: the run has always all of it'],
    [{ limits: [{ run: true, calls: 1, reason: 3 }] }, 'limit 1: "reason" must be a text'],
    [
      { limits: [{ run: true, call: 1 }] },
      'limit 1: "call" is not known: line, function, file, trigger, severity, run, calls, bytes, time, share, findings, reason',
    ],
  ])('%j', (value, problem) => expect(readBudget(value)).toEqual({ limits: [], problems: [problem] })));
