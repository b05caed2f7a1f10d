/**
 * Waits some milliseconds, or less when `signal` says so; in hosts with and without Node.
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, milliseconds);
    signal?.addEventListener('abort', over, { once: true });
    if (signal?.aborted === true) over();
  });
}
