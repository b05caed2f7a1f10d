import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withTables } from '../support/schema-document.ts';

test('docs/fleet-schema.md says what the schema says (else: node scripts/fleet-schema.mjs)', () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/fleet-schema.md'), 'utf8');
  expect(document).toBe(withTables(document));
});
