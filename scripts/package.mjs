// npm run package: makes the .vsix from a production build.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { root, run, setUp } from './machine.mjs';

export function vsixFile() {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return path.join(root, `${name}-${version}.vsix`);
}

/**
 * Bytes. Whoever works over a slow line to a cluster installs it there. Stores and workflows are a quarter of a megabyte of
 * it: the client of the SQL engine, and two views (docs/decisions/0110). The editor's own elements are
 * part of each page that uses them (0151), and a comparison has a page, too. The recorder library for two processors is another quarter (0162).
 * The scanner of strace text stands in both bundles that read (0173), and the report has call stacks (0174).
 */
const LARGEST = 4_350_000;

export function makePackage() {
  run('node', ['scripts/build.mjs', '--production']);
  const options = [
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    vsixFile(),
  ];
  run('npx', ['vsce', 'package', ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { size } = statSync(vsixFile());
  if (size > LARGEST) throw new Error(`${vsixFile()} has ${size} bytes; ${LARGEST} are the most`);
}

if (import.meta.filename === process.argv[1]) {
  setUp();
  makePackage();
  console.log(`${vsixFile()}: ${(statSync(vsixFile()).size / 1024).toFixed(0)} KiB`);
}
