import { expect, it } from 'vitest';
import { RenewedRows } from './renewed-rows.ts';

it('only a row that is renewed gets a name, each time another one', () => {
  const rows = new RenewedRows();
  expect(rows.idOf('1/0')).toBeUndefined();
  rows.renew('1/0');
  const first = rows.idOf('1/0');
  rows.renew('1/0');
  expect(first).toBeDefined();
  expect(rows.idOf('1/0')).not.toBe(first);
  expect(rows.idOf('1/1')).toBeUndefined();
});
