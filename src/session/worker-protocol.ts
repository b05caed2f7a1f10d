/** Messages between a user of the session and the worker that it runs in. */
export type Request =
  /** `method` of a topic: `topic.method`. */
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly values: unknown[] }
  | { readonly kind: 'cancel'; readonly id: number };

export type Reply =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'progress'; readonly id: number; readonly share: number | undefined }
  | { readonly kind: 'error'; readonly id: number; readonly name: string; readonly message: string };

/** The error of a call that was cancelled. */
export class CancelledError extends Error {
  override name = 'CancelledError';
}
