import picomatch from 'picomatch';
import { sumOfCosts } from '../comparison/costed-amounts.ts';
import type { CostedAmounts, LineFacts, RunFacts } from '../comparison/run-facts.ts';
import { CATALOGUE } from '../triggers/catalogue.ts';
import { COUNTER_CATALOGUE, OWN_COUNTER_TRIGGERS } from '../triggers/counters/counter-catalogue.ts';
import type { Severity } from '../triggers/insight.ts';
import {
  QUANTITIES,
  type Limit,
  type LimitPlace,
  type LimitResult,
  type LimitSubject,
  type Quantity,
} from './budget.ts';

/** What a recording has of a limit's subject. */
interface Measured extends CostedAmounts {
  /** Places with findings. */
  readonly findings: number;
  readonly isThere: boolean;
  readonly lines: readonly LineFacts[];
}

const WEIGHT: Readonly<Record<Severity, number>> = { high: 3, warn: 2, info: 1, ok: 0 };

/** What a limit on findings can name. */
interface NamedTrigger {
  readonly code: string;
  readonly name: string;
}

const CATALOGUES: readonly NamedTrigger[] = [...CATALOGUE, ...COUNTER_CATALOGUE, ...OWN_COUNTER_TRIGGERS];

/** Measures a recording by the limits of a budget. @param own triggers that the user wrote. */
export function checkBudget(run: RunFacts, limits: readonly Limit[], own: readonly NamedTrigger[] = []): LimitResult[] {
  return limits.map(({ subject, most, reason }) => {
    const measured = measure(run, subject, own);
    const checks = QUANTITIES.filter((quantity) => most[quantity] !== undefined).map((quantity) => {
      const { value, least } = valueOf(measured, quantity, run);
      // An estimate is over a limit when it surely is: a pipeline must not flicker with the machine's load.
      const exceeded = value !== null && (least ?? value) > most[quantity]!;
      return { quantity, most: most[quantity]!, measured: value, ...(least !== undefined && { least }), exceeded };
    });
    const isExceeded = checks.some(({ exceeded }) => exceeded);
    const status = !measured.isThere
      ? 'matches nothing'
      : isExceeded
        ? 'exceeded'
        : checks.some((check) => check.measured === null)
          ? 'not measured'
          : 'holds';
    return {
      recording: run.recording,
      subject,
      name: nameOf(subject),
      reason,
      status,
      checks,
      places: placesOf(measured.lines),
    };
  });
}

function placesOf(lines: readonly LineFacts[]): LimitPlace[] {
  return lines
    .filter(({ line }) => line > 0)
    .sort((a, b) => timeOf(b).value - timeOf(a).value || b.events - a.events)
    .map(({ file, line, isHere }) => ({ file, line, isHere }));
}

interface Value {
  /** Null where the recording cannot tell. */
  readonly value: number | null;
  readonly least?: number;
}

function valueOf(measured: Measured, quantity: Quantity, run: RunFacts): Value {
  switch (quantity) {
    case 'calls':
      return { value: measured.events };
    case 'bytes':
      return { value: measured.bytes };
    case 'timeNs':
      return run.hasTimes ? timeOf(measured) : { value: null };
    case 'share': {
      const { value: whole } = timeOf(run.total);
      if (!run.hasTimes || whole <= 0) return { value: null };
      const { value, least } = timeOf(measured);
      return { value: value / whole, ...(least !== undefined && { least: least / whole }) };
    }
    case 'findings':
      return { value: measured.findings };
  }
}

/** What calls cost, where a tracer's part was taken off; else what was recorded. */
function timeOf({ timeNs, cost }: CostedAmounts): Value & { readonly value: number } {
  return cost?.traced === true ? { value: cost.untracedNs, least: cost.lowNs } : { value: timeNs };
}

function measure(run: RunFacts, subject: LimitSubject, own: readonly NamedTrigger[]): Measured {
  switch (subject.kind) {
    case 'line':
      return ofLines(run.lines.filter((line) => line.line === subject.line && isFile(line, subject.file)));
    case 'function':
      return ofLines(
        run.lines.filter(
          (line) => line.function === subject.name && (subject.file === '' || isFile(line, subject.file)),
        ),
      );
    case 'file': {
      const matches = picomatch(subject.glob, { dot: true });
      // A name without a folder means the file in whatever folder.
      const isPlain = !subject.glob.includes('/');
      const files = run.files.filter(({ name }) => matches(isPlain ? name.slice(name.lastIndexOf('/') + 1) : name));
      return { ...sumOf(files), findings: 0, isThere: files.length > 0, lines: [] };
    }
    case 'trigger': {
      const wanted = subject.trigger;
      const found = ofFindings(run, ({ code, trigger }) => code === wanted || trigger === wanted);
      // What no trigger is called would never be found: it was mistyped.
      const isKnown = [...CATALOGUES, ...own].some(({ code, name }) => code === wanted || name === wanted);
      return { ...found, isThere: isKnown || found.findings > 0 };
    }
    case 'severity':
      return ofFindings(run, ({ severity, surely = severity }) => WEIGHT[surely] >= WEIGHT[subject.severity]);
    case 'run':
      return { ...run.total, findings: ofFindings(run, () => true).findings, isThere: true, lines: [] };
  }
}

function ofLines(lines: readonly LineFacts[]): Measured {
  return { ...sumOf(lines), findings: 0, isThere: lines.length > 0, lines };
}

/** What no finding says is no failing of the limit: none is what most budgets want. */
function ofFindings(run: RunFacts, wanted: (finding: RunFacts['findings'][number]) => boolean): Measured {
  const found = run.findings.filter((finding) => isFinding(finding) && wanted(finding));
  const lines = [...new Set(found.flatMap(({ line }) => (line === undefined ? [] : [run.lines[line]!])))];
  return { ...sumOf(found), findings: found.length, isThere: true, lines };
}

/** A summary of the run names neither lines nor files, and is no finding; neither is a praise. */
function isFinding({ severity, line, file, events }: RunFacts['findings'][number]): boolean {
  return severity !== 'ok' && (line !== undefined || file !== undefined || events > 0);
}

function sumOf(all: readonly CostedAmounts[]): CostedAmounts {
  const sum = { events: 0, bytes: 0, timeNs: 0 };
  for (const { events, bytes, timeNs } of all) {
    sum.events += events;
    sum.bytes += bytes;
    sum.timeNs += timeNs;
  }
  const cost = sumOfCosts(all);
  return { ...sum, ...(cost && { cost }) };
}

/** Whether a line's file ends with the named path, in whole parts. */
function isFile({ file, recordedFile }: LineFacts, name: string): boolean {
  return [file, recordedFile].some((path) => path === name || path.endsWith(`/${name}`));
}

function nameOf(subject: LimitSubject): string {
  switch (subject.kind) {
    case 'line':
      return `${subject.file}:${subject.line}`;
    case 'function':
      return subject.file === '' ? `function ${subject.name}` : `function ${subject.name} of ${subject.file}`;
    case 'file':
      return `files ${subject.glob}`;
    case 'trigger':
      return `findings of ${subject.trigger}`;
    case 'severity':
      return subject.severity === 'high'
        ? 'findings of severity high'
        : `findings of severity ${subject.severity} or graver`;
    case 'run':
      return 'the run';
  }
}
