import { bindNumber, type Names, type Variables } from './evaluate.ts';
import { ExpressionError } from './expression-error.ts';

/**
 * Which of SIZE tasks `0`, `1..3`, `0, SIZE/2..SIZE-1` or `all` name. A range whose end lies before its begin is empty,
 * and what lies beyond SIZE − 1 is left out, so that one program fits several values of SIZE.
 * @throws ExpressionError for a wrong text.
 */
export function ranksOf(text: string, size: number, variables: Variables): boolean[] {
  const named = Array.from({ length: size }, () => false);
  if (text.trim() === 'all') return named.fill(true);
  const names: Names = { size, rank: NaN, series: [], variables };
  for (const part of text.split(',')) {
    const bounds = part.split('..');
    if (bounds.length > 2 || bounds.some((bound) => bound.trim() === ''))
      throw new ExpressionError(`the ranks "${text}": "all", a number, or FROM..TO is expected, separated by commas`);
    if (/\bRANK\b/.test(part)) throw new ExpressionError(`the ranks "${text}" cannot depend on RANK`);
    const [from, to = from!] = bounds.map((bound) => bindNumber(bound, names)([]));
    if (from! < 0) throw new ExpressionError(`the ranks "${text}": ${from!} is no rank`);
    for (let rank = from!; rank <= Math.min(to, size - 1); rank++) named[rank] = true;
  }
  return named;
}
