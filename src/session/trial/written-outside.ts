import fs from 'node:fs';
import path from 'node:path';
import type { PathRule } from '../../symbols/symbol-files.ts';

/**
 * Which of the recorded files lie outside of a folder, wherever links lead. What was recorded without a folder in front lies
 * in the program's own.
 * @param rules recorded prefixes and what they are here.
 */
export function outsideOf(written: readonly string[], folder: string, rules: readonly PathRule[]): string[] {
  const root = realPath(folder);
  return written.filter((recorded) => {
    const file = path.resolve(root, localPath(recorded, rules));
    const real = realPath(file);
    return real !== root && !real.startsWith(root === '/' ? root : `${root}/`);
  });
}

function localPath(recorded: string, rules: readonly PathRule[]): string {
  const fitting = rules.filter(({ from }) => recorded === from || recorded.startsWith(from.replace(/\/*$/, '/')));
  const longest = fitting.sort((a, b) => b.from.length - a.from.length)[0];
  return longest === undefined ? recorded : longest.to + recorded.slice(longest.from.replace(/\/+$/, '').length);
}

/** Of what is not here, by the nearest folder above it which is. */
function realPath(file: string): string {
  try {
    return fs.realpathSync.native(file);
  } catch {
    const above = path.dirname(file);
    return above === file ? file : path.join(realPath(above), path.basename(file));
  }
}
