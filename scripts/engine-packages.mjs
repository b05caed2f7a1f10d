// Which packages hold DuckDB's native part, and their SHA-512, as package-lock.json has them: what "Install SQL Engine"
// downloads is checked against them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './machine.mjs';

export function enginePackages() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const prefix = 'node_modules/@duckdb/node-bindings-';
  const found = Object.entries(packages).filter(([name]) => name.startsWith(prefix));
  const integrity = Object.fromEntries(
    found.map(([name, { integrity }]) => [name.slice('node_modules/'.length), integrity]),
  );
  return { version: packages['node_modules/@duckdb/node-bindings'].version, integrity };
}
