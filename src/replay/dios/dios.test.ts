import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReplayProgram } from '../program.ts';
import { DATATYPE_KINDS, DATATYPE_START, FILE_POOL, OPERATIONS, OPEN_WORDS, type AttributeRule } from './dialect.ts';
import { readDios } from './read-dios.ts';
import { writeDios } from './write-dios.ts';
import { rounds } from '../../../test/support/rounds.ts';

/** Texts that make trouble where they are not escaped. */
const anyText = fc.string({ minLength: 1, unit: fc.constantFrom(...Array.from('ab<>&"\'{é\u{1F600} \t\n')) });
const expressionText = fc.constantFrom('RANK * 640', 'SIZE - 1', '(i + 2) % SIZE', '4KiB', '1 + 1');
const whole = fc.nat({ max: 2 ** 31 - 1 });

/** A value that a rule's field may have, as the reader gives it. */
function valueFor({ kind, otherwise }: AttributeRule): fc.Arbitrary<unknown> {
  const values = ((): fc.Arbitrary<unknown> => {
    switch (kind.is) {
      case 'number':
        return fc.oneof(
          expressionText,
          kind.decimals === true ? fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0) : whole,
        );
      case 'numbers':
        return fc.array(fc.oneof(whole, expressionText), { minLength: 2, maxLength: 2 });
      case 'slot':
        return fc.nat({ max: 999_999_999 });
      case 'path':
        return fc.constantFrom('a', 'a/b.{RANK:4}', 'x {{y}} & <z>', 'd{i}/e"f\'', 'tab\there\nline');
      case 'text':
        return anyText;
      case 'yes-no':
        return fc.boolean();
      case 'communicator':
        return fc.constantFrom<unknown>('self', [0, 2]);
      case 'ranks':
        return fc.array(fc.nat({ max: 64 }), { minLength: 1, maxLength: 4 });
      case 'open-mode':
        return fc
          .tuple(fc.constantFrom(0, 1, 2), fc.subarray(OPEN_WORDS.slice(3).map(([, bits]) => bits)))
          .map(([access, bits]) => bits.reduce((mode, bit) => mode | bit, access));
      case 'choice':
        return fc.constantFrom(...Object.values(kind.choices));
    }
  })();
  return otherwise === 'absent' ? fc.option(values, { nil: undefined }) : values;
}

function fieldsFor(rules: readonly AttributeRule[]): fc.Arbitrary<Record<string, unknown>> {
  const fields = fc.record(Object.fromEntries(rules.map((rule) => [rule.field, valueFor(rule)])));
  return fields.map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}

const operation = fc
  .constantFrom(...Object.keys(OPERATIONS))
  .chain((name) => fieldsFor(OPERATIONS[name]!.attributes).map((fields) => ({ operation: name, ...fields })));
const { node } = fc.letrec<{ node: unknown; series: unknown }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, operation, tie('series')),
  series: fc.record({
    operation: fc.constantFrom('series', 'mpi_series'),
    count: fc.oneof(whole, expressionText),
    variable: fc.constantFrom('', 'i', 'step_2'),
    body: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  }),
}));
const datatype = fc
  .constantFrom(...Object.keys(DATATYPE_KINDS))
  .chain((kind) =>
    fieldsFor([...DATATYPE_START.slice(0, 2), ...DATATYPE_KINDS[kind]!]).map((fields) => ({ kind, ...fields })),
  );
const program = fc.record({
  tasks: fc.array(
    fc.record({
      ranks: fc.constantFrom('all', '0', '1..3', 'SIZE/2 .. SIZE-1'),
      body: fc.array(node, { maxLength: 5 }),
    }),
    { maxLength: 3 },
  ),
  pools: fc.uniqueArray(fieldsFor(FILE_POOL), { selector: (pool) => pool['name'], maxLength: 2 }),
  datatypes: fc.array(datatype, { maxLength: 2 }),
  inputs: fc.array(fc.record({ path: fc.constantFrom('in', 'in/{{0}}'), bytes: whole }), { maxLength: 2 }),
}) as unknown as fc.Arbitrary<ReplayProgram>;

test('what is written is read back as it was', () =>
  fc.assert(
    fc.property(program, (original) => {
      expect(readDios(writeDios(original))).toEqual(original);
    }),
    { numRuns: rounds(300) },
  ));

test('a program looks like the paper', () => {
  const text = `<iotest>
    <mpi-datatype name="column" of="MPI_DOUBLE" kind="vector" count="10" blocklength="1" stride="SIZE"/>
    <filepool name="p" path="pool" files="100"/>
    <task>
      <series><open file="3" path="data" mode="write create"/></series>
      <series count="34" variable="i">
        <pwrite file="3" bytes="10000" offset="(RANK * 34 + i) * 10000"/>
        <send-sync peer="0"/>
      </series>
      <mpi-series>
        <mpi-fopen file="0" path="shared" mode="create rdwr"/>
        <mpi-read file="0" pos="explicit" sync="nonblocking" coord="collective" offset="0" count="5" datatype="column"/>
        <mpi-wait file="0"/>
      </mpi-series>
      <series><unlink path="data"/><unlink pool="p"/></series>
    </task>
  </iotest>`;
  const read = readDios(text);
  expect(read.tasks[0]!.body.map((node) => node.operation)).toEqual([
    'open',
    'series',
    'mpi_fopen',
    'mpi_read',
    'mpi_wait',
    'unlink',
    'poolunlink',
  ]);
  expect(read.tasks[0]!.body[3]).toEqual({
    operation: 'mpi_read',
    slot: 0,
    position: 'explicit',
    blocking: false,
    collective: true,
    offset: 0,
    count: 5,
    datatype: 'column',
  });
  expect(readDios(writeDios(read))).toEqual(read);
});

describe('a file is refused with its line', () => {
  const wrap = (inner: string): string =>
    `<iotest>\n<task>\n<series count="1">\n${inner}\n</series>\n</task>\n</iotest>`;
  test.each([
    ['<iotest><task></iotest>', 'line 1: this is no well-formed XML'],
    ['', 'line 1: the file is empty'],
    ['not XML', 'line 1: this is no well-formed XML'],
    ['<other/>', 'line 1: <other>: <iotest> is expected'],
    ['<iotest dialect="2"/>', 'the dialect "2" is not known'],
    ['<iotest>\n<job/></iotest>', 'line 2: <job>: one of task, mpi_datatype'],
    ['<iotest>\n<task rank="1"/></iotest>', 'line 2: <task> has no attribute rank: ranks are known'],
    ['<iotest>\n<task>\n<read file="0" bytes="1"/></task></iotest>', 'line 3: <read> cannot stand in <task>'],
    [wrap('words'), 'only elements are expected'],
    [wrap('<![CDATA[x]]>'), 'line 4: CDATA is not expected'],
    [wrap('<frobnicate/>'), 'line 4: <frobnicate> is no operation: one of fopen, open'],
    [wrap('<mpi_wait file="0"/>'), 'line 4: <mpi_wait> cannot stand in <series>'],
    [wrap('<constructor/>'), 'line 4: <constructor> is no operation'],
    [wrap('<read file="0"/>'), 'line 4: <read> has no attribute bytes'],
    [wrap('<read\n  file="0"\n  bytes="-1"/>'), 'line 4: <read>, bytes: -1 is out of range'],
    [wrap('<read file="-1" bytes="1"/>'), 'the number of a file is expected'],
    [wrap('<read file="0" bytes="1" bytes="2"/>'), 'line 4: <read> has the attribute bytes twice'],
    [wrap('<read file="0" bytes="1000000000000000000"/>'), 'bytes: 1000000000000000000 is beyond 2^53'],
    [wrap('<read file="0" bytes="1 +"/>'), 'bytes: "1 +": a number'],
    [wrap('<series count="-5"><read file="0" bytes="1"/></series>'), 'line 4: -5 is out of range'],
    [wrap('<series count="2"></series>'), 'line 4: <series> is empty'],
    [wrap('<series variable="a b"></series>'), 'the variable "a b" is no name'],
    [
      wrap('<open file="0" path="../../etc/passwd" mode="read"/>'),
      'line 4: <open>, path: the path "../../etc/passwd" leaves',
    ],
    [wrap('<open file="0" path="/etc/passwd" mode="read"/>'), 'is absolute'],
    [wrap('<open file="0" path="a" mode="create"/>'), 'one of read, write, readwrite is expected'],
    [wrap('<open file="0" path="a" mode="read fast"/>'), '"fast" is no word of a mode'],
    [wrap('<open file="0" path="&evil;" mode="read"/>'), 'line 4: this is no well-formed XML'],
    [wrap('<read file="0" bytes="1"><read file="0" bytes="1"/></read>'), 'line 4: <read> cannot stand in <read>'],
    [wrap('<series count="1">'.repeat(200)), 'nested more than 100 deep'],
    ['<iotest><mpi_datatype name="t" of="MPI_INT" kind="heap"/></iotest>', 'the kind "heap" is none of contiguous'],
    ['<iotest><filepool name="p" path="a" files="1"/><filepool name="p" path="b" files="1"/></iotest>', 'there twice'],
  ])('%#', (text, words) => expect(() => readDios(text)).toThrow(words));

  test('with a document type: entities that double (billion laughs), and files from elsewhere', () => {
    const laughs = `<!DOCTYPE iotest [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n<iotest><task ranks="&b;"/></iotest>`;
    expect(() => readDios(laughs)).toThrow('line 1: a document type is not allowed');
    const outside = `<?xml version="1.0"?>\n<!DOCTYPE iotest [<!ENTITY x SYSTEM "file:///etc/passwd">]><iotest/>`;
    expect(() => readDios(outside)).toThrow('line 2: a document type is not allowed');
  });

  test('whatever was damaged, and no other error comes', () => {
    const whole = wrap('<open file="0" path="a" mode="read"/><read file="0" bytes="RANK * 5"/><close file="0"/>');
    fc.assert(
      fc.property(
        fc.nat({ max: whole.length - 1 }),
        fc.constantFrom(...Array.from('<>/"&= x1')),
        fc.boolean(),
        (at, put, cut) => {
          const damaged = cut ? whole.slice(0, at) : whole.slice(0, at) + put + whole.slice(at + 1);
          let error: unknown;
          try {
            readDios(damaged);
          } catch (thrown) {
            error = thrown;
          }
          if (error !== undefined || cut) expect((error as Error).name).toBe('DiosError');
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

test('what XML cannot hold is not written', () => {
  const body = [{ operation: 'unlink', path: 'a\u0001b' } as const];
  expect(() => writeDios({ tasks: [{ ranks: 'all', body }], pools: [], datatypes: [], inputs: [] })).toThrow(
    'characters that XML cannot hold',
  );
});
