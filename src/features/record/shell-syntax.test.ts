import { expect, test } from 'vitest';
import { programWord, shellSyntax } from './shell-syntax.ts';

test.each([
  ['./app > out.txt', 'redirection'],
  ['./app >> out.txt', 'redirection'],
  ['./app 2>err.txt', 'redirection'],
  ['./app &> all.txt', 'redirection'],
  ['./app < input.nml', 'redirection'],
  ['./app | tee log', 'pipe'],
  ['cd run && ./app', 'chain'],
  ['./app || true', 'chain'],
  ['./one; ./two', 'chain'],
  ['./app &', 'background'],
  ['./app $(date)', 'substitution'],
  ['./app `date`', 'substitution'],
  ['./app "$(date)"', 'substitution'],
  ['./app $HOME/x', 'variable'],
  ['./app "${HOME}/x"', 'variable'],
  ['OMP_NUM_THREADS=4 ./app', 'variable'],
  ['./app *.dat', 'pattern'],
  ['./app data?.nc', 'pattern'],
  ['~/bin/app', 'pattern'],
])('%s takes a shell: %s', (text, syntax) => expect(shellSyntax(text)).toBe(syntax));

test.each([
  './app --steps 100 input.dat',
  `./app '>' "a | b" \\> x`,
  `./app 'a && b; $HOME *'`,
  './app "a & b < c"',
  './app --set x=1 a=b',
  './app cost=5$',
  './app a~b dir/~x',
  '',
])('%s takes none', (text) => expect(shellSyntax(text)).toBeUndefined());

test('the program of a line is its first word that sets no variable', () => {
  expect(programWord('A=1 B=2 ./app > x')).toBe('./app');
  expect(programWord('./app')).toBe('./app');
  expect(programWord('')).toBe('');
});
