/** What stopped a replay, in words for the user. */
export class ReplayError extends Error {
  override name = 'ReplayError';
}
