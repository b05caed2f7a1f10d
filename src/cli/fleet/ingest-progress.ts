import type { Progress } from '../progress.ts';

/** Milliseconds between two changes of what is shown. */
const PACE_MS = 200;
/** Milliseconds after which a rate means something. */
const WARM_UP_MS = 1000;

/** Shows how far an ingestion is, how fast, and what time is left. */
export class IngestProgress {
  private readonly started = performance.now();
  private shownAt = -Infinity;
  private files: number | undefined;

  constructor(private readonly bar: Progress) {}

  /** @param files how many there are; sources of several files make it a little more than what will be done. */
  expect(files: number): void {
    this.files = files;
  }

  /** @param done sources that are done with. */
  update(done: number): void {
    const now = performance.now();
    if (now - this.shownAt < PACE_MS) return;
    this.shownAt = now;
    const share = this.files === undefined ? undefined : Math.min(1, done / Math.max(1, this.files));
    this.bar.update(share, paceText(done, this.files, now - this.started));
  }

  done(): void {
    this.bar.done();
  }
}

/** `12,345, 830 a second, 4 min left` */
function paceText(done: number, expected: number | undefined, elapsedMs: number): string {
  const count = done.toLocaleString('en');
  if (elapsedMs < WARM_UP_MS || done === 0) return count;
  const rate = done / (elapsedMs / 1000);
  const pace = `${count}, ${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')} a second`;
  return expected === undefined || done > expected ? pace : `${pace}, ${timeText((expected - done) / rate)} left`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
