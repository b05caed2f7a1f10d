import { CancelledError } from '../session/worker/worker-protocol.ts';
import { say } from './say.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** What a shell gives for SIGINT: 128 and the signal's number. */
const INTERRUPTED = 130;

/** Does work that ends when the user interrupts, with the exit status for that. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    await work(interrupted.signal);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    say('interrupted');
    process.exitCode = INTERRUPTED;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}
