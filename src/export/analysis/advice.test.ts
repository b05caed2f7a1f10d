import { expect, test } from 'vitest';
import type { Recommendation } from '../../analysis/triggers/insight.ts';
import { adviceOf, jobPatches } from './advice.ts';
import type { InsightDocument } from './documents.ts';

const code: Recommendation = { audience: 'code', text: 'c', snippet: { language: 'c', title: 'C', code: 'c();' } };
const job: Recommendation = { audience: 'job', text: 'j', snippet: { language: 'shell', title: 'S', code: 'lfs\n' } };

function insight(id: string, ...recommendations: Recommendation[]): InsightDocument {
  return { code: id, recommendations } as unknown as InsightDocument;
}

test('the code comes first, and what nobody is advised has no heading', () => {
  expect(adviceOf(insight('P18', job, code)).map(({ audience }) => audience)).toEqual(['code', 'job']);
  expect(adviceOf(insight('P18', job)).map(({ heading }) => heading)).toEqual(['In the job script']);
  expect(adviceOf(insight('P18'))).toEqual([]);
});

test('the same lines are given once, with all findings that they are for; code is none of them', () => {
  const patches = jobPatches([insight('P18', code, job), insight('P19', job), insight('P05', code)]);
  expect(patches).toEqual([{ codes: ['P18', 'P19'], title: 'S', code: 'lfs\n' }]);
});
