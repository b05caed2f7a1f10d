import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import type * as Published from '../../../../schemas/iolens-triggers.d.ts';
import type { Metric } from '../../metrics/metric-table.ts';
import type { CounterFinding, CounterTrigger } from '../counters/counter-trigger.ts';
import type { CounterView } from '../counters/counter-view.ts';
import type { Recommendation } from '../insight.ts';
import type { Message } from '../message.ts';
import type { Thresholds } from '../thresholds.ts';
import type { FileSituation, GroupView, RunView, SiteTrigger } from '../trigger.ts';

test('what is published for authors of triggers is what they are given, and what is taken from them', () => {
  // Checked by tsc: they get no less than they are promised,
  expectTypeOf<CounterView>().toExtend<Published.LogView>();
  expectTypeOf<GroupView>().toExtend<Published.SiteView>();
  expectTypeOf<RunView>().toExtend<Published.RunView>();
  expectTypeOf<FileSituation>().toExtend<Published.FileSituation>();
  expectTypeOf<Published.Metric>().toExtend<Metric>();
  // and what they write is understood.
  expectTypeOf<Published.CounterTrigger>().toExtend<CounterTrigger<Message>>();
  expectTypeOf<Published.CounterFinding>().toExtend<CounterFinding<Message>>();
  expectTypeOf<Published.SiteTrigger>().toExtend<SiteTrigger<Message>>();
  expectTypeOf<Published.Recommendation>().toEqualTypeOf<Omit<Recommendation, 'slots'>>();
  expectTypeOf<Published.Thresholds>().toExtend<Thresholds>();
  expectTypeOf<Thresholds>().toExtend<Published.Thresholds>();
});

test('the file stands by itself: it is copied into workspaces', () => {
  const text = readFileSync('schemas/iolens-triggers.d.ts', 'utf8');
  expect(text).not.toMatch(/^import /m);
});
