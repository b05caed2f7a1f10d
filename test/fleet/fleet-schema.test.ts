import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withRecordedTables, withTables } from '../support/schema-document.ts';

test.each([
  ['fleet-schema.md', withTables],
  ['query.md', withRecordedTables],
])('docs/%s says what the schema says (else: node scripts/fleet-schema.mjs)', (name, renewed) => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../docs', name), 'utf8');
  expect(document).toBe(renewed(document));
});
