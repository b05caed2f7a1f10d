import { expect, test } from 'vitest';
import { cellText } from './cell-text.ts';
import { bytesText, dayText, parseBytes, parseCount, parseDay } from './amount-fields.ts';

test('amounts as people type them', () => {
  expect(['4096', '4k', '1.5 GiB', '200 MB/s', '1 KiB', '0'].map(parseBytes)).toEqual([
    4096,
    4000,
    1.5 * 2 ** 30,
    2e8,
    1024,
    0,
  ]);
  for (const none of ['', 'x', '-1', '1 XB', '1 iB', '1e9', '99999999999 PiB', '1 GiB 2'])
    expect(parseBytes(none), none).toBeUndefined();
  expect(parseCount('4,096')).toBe(4096);
  expect(parseCount('1.5')).toBeUndefined();
});

test('what is written back into a field is the amount to the byte', () => {
  expect([1e9, 10e6, 2 ** 20, 1234567].map(bytesText)).toEqual(['1 GB', '10 MB', '1 MiB', '1,234,567']);
  for (const bytes of [0, 1023, 1e9 - 1, 1.5 * 2 ** 30, 987_654_321])
    expect(parseBytes(bytesText(bytes)), bytesText(bytes)).toBe(bytes);
});

test('days are of UTC', () => {
  expect(parseDay('2018-01-31')).toBe(1_517_356_800);
  expect(dayText(1_517_356_800)).toBe('2018-01-31');
  for (const none of ['2018-02-31x', '31.1.2018', '2018-13-01']) expect(parseDay(none), none).toBeUndefined();
});

test('the name of a column says its unit', () => {
  const text = (name: string, type: string, value: number | string | null): string => cellText(value, { name, type });
  expect(text('bytes_read', 'BIGINT', 3 * 2 ** 20)).toBe('3 MiB');
  // Of integers beyond 2^53 the engine gives the digits.
  expect(text('bytes_written', 'HUGEINT', '36028797018963968')).toBe('32 PiB');
  expect(text('io_seconds', 'DOUBLE', 1.25)).toBe('1.25 s');
  expect(text('write_bandwidth', 'DOUBLE', 2e9)).toBe('2 GB/s');
  expect(text('small_percent', 'DOUBLE', 12.5)).toBe('13 %');
  expect(text('read_share', 'DOUBLE', 0.042)).toBe('4.2 %');
  expect(text('line', 'BIGINT', 1234)).toBe('1234');
  expect(text('job_id', 'VARCHAR', '123456')).toBe('123456');
  expect(text('files', 'BIGINT', 123456)).toBe('123,456');
  expect(text('change_seconds', 'DOUBLE', -2)).toBe('−2 s');
  expect(text('files', 'BIGINT', null)).toBe('–');
});
