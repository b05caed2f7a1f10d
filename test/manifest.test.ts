import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_IGNORED } from '../src/analysis/metrics/ignored-files.ts';
import { CATALOGUE } from '../src/analysis/triggers/catalogue.ts';
import { DEFAULT_THRESHOLDS } from '../src/analysis/triggers/thresholds.ts';

const root = path.resolve(import.meta.dirname, '..');
const text = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(text('package.json')) as {
  contributes: {
    configuration: {
      properties: Record<string, { default: unknown; properties?: Record<string, { default: number }> }>;
    };
  };
};
const settings = manifest.contributes.configuration.properties;

describe('the manifest says what the code does', () => {
  test('ignored files', () => {
    expect(settings['iolens.ignoredFiles']!.default).toEqual(DEFAULT_IGNORED);
  });

  test('thresholds and their defaults', () => {
    const described = Object.entries(settings['iolens.thresholds']!.properties!).map(([name, { default: value }]) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(described)).toEqual(DEFAULT_THRESHOLDS);
  });

  test('every text has a translation key that exists', () => {
    const known = Object.keys(JSON.parse(text('package.nls.json')) as Record<string, string>);
    const used = [...text('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!);
    expect(used.filter((key) => !known.includes(key))).toEqual([]);
    expect(known.filter((key) => !used.includes(key))).toEqual([]);
  });
});

test('every trigger stands in the documentation', () => {
  const document = text('docs/triggers.md');
  for (const { code, name } of CATALOGUE) expect(document).toMatch(new RegExp(`\\b${code}\\b.*\`${name}\``));
});
