/** `npm run test:full` tries everything; `npm test` a tenth of what is tried at random, always the same. */
const isFull = process.env['IOLENS_TESTS'] === 'full';

/** How many rounds of a random or long test are made. @param all those of `npm run test:full`. */
export function rounds(all: number): number {
  return isFull ? all : Math.ceil(all / 10);
}
