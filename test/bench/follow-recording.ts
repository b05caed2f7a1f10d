import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainRequest } from '../../src/session/reading/open-request.ts';
import { localSession } from '../../src/features/answers/all-answers.ts';

/**
 * Appends a recording to a file in 100 steps and follows it, then opens it at once. Prints the milliseconds of reading and
 * of the analysis behind each step: in all, and behind the last one, when everything is there.
 */
const STEPS = 100;

const [, , dist, source] = process.argv;
const bytes = readFileSync(source!);
const copy = path.join(tmpdir(), `iolens-follow-${process.pid}.strace`);
const output = openSync(copy, 'w');
const session = localSession({ folder: dist! });
const request = { ...plainRequest(copy), cacheBytes: 0 };

async function timed<Value>(act: () => Promise<Value>): Promise<[Value, number]> {
  const started = performance.now();
  const value = await act();
  return [value, performance.now() - started];
}

async function analyse(id: number): Promise<void> {
  await session.findings.analysis([id]);
  await session.lines.sites(id, 'line');
}

const sums = { reading: 0, analysing: 0, lastStep: 0, longestStep: 0 };
let id = 0;
try {
  for (let step = 0; step < STEPS; step++) {
    const from = Math.floor((step * bytes.length) / STEPS);
    writeSync(output, bytes, from, Math.floor(((step + 1) * bytes.length) / STEPS) - from);
    const [, reading] = await timed(async () => {
      if (step === 0) ({ id } = await session.live.follow(request, undefined));
      else await session.live.step(id);
    });
    const [, analysing] = await timed(() => analyse(id));
    sums.reading += reading;
    sums.analysing += analysing;
    sums.lastStep = reading + analysing;
    sums.longestStep = Math.max(sums.longestStep, sums.lastStep);
  }
  const [stopped, stopping] = await timed(() => session.live.stop(id));
  await session.recordings.close(id);
  const [opened, opening] = await timed(() => session.recordings.open(request));
  const [, analysingOnce] = await timed(() => analyse(opened.id));
  const events = [stopped.info.events, opened.info.events];
  process.stdout.write(JSON.stringify({ ...sums, stopping, opening, analysingOnce, events }));
} finally {
  closeSync(output);
  rmSync(copy);
}
