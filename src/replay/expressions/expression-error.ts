/** What is wrong with an expression, a path template or a set of ranks, and where. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
}
