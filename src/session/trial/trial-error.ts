/** A trial cannot be made: a folder that cannot be copied, a program that does not build before the change. */
export class TrialError extends Error {
  override name = 'TrialError';
}

/** A trial is not made since it could do harm. */
export class TrialRefusedError extends Error {
  override name = 'TrialRefusedError';
}
