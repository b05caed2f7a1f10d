import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pictureOf, type PictureBar, type PictureKind } from '../../analysis/layers/patterns/picture.ts';
import { printed, type Branch } from '../markup/tree.ts';
import { drawPicture, pictureSvg } from './pattern-picture.ts';

const HEAD = { title: 'Title', description: 'What is seen.', axis: 'time' } as const;
const bar = fc.record({
  from: fc.integer({ min: 0, max: 1_000_000 }),
  length: fc.integer({ min: 0, max: 50_000 }),
  kind: fc.constantFrom<PictureKind>('call', 'read', 'write', 'other', 'hole', 'waiting', 'held'),
});
const lane = fc.record({ label: fc.string(), amount: fc.string(), bars: fc.array(bar, { maxLength: 400 }) });

function lanesOf(
  made: readonly {
    label: string;
    amount: string;
    bars: readonly { from: number; length: number; kind: PictureKind }[];
  }[],
) {
  return made.map(({ label, amount, bars }) => ({
    label,
    amount,
    bars: bars.map(({ from, length, kind }): PictureBar => ({ from, to: from + length, kind })),
  }));
}

test('however much there is to show, a picture is bounded, and its bars lie on its axis', () =>
  fc.assert(
    fc.property(fc.array(lane, { minLength: 1, maxLength: 30 }), (made) => {
      const picture = pictureOf(HEAD, lanesOf(made));
      if (picture === undefined) return;
      expect(picture.lanes.length + picture.lanesLeftOut).toBe(made.length);
      expect(picture.lanes.reduce((sum, { bars }) => sum + bars.length, 0)).toBeLessThanOrEqual(160);
      for (const { from, to } of picture.lanes.flatMap(({ bars }) => bars)) {
        expect(from).toBeGreaterThanOrEqual(picture.from);
        expect(to).toBeLessThanOrEqual(picture.to);
        expect(to).toBeGreaterThanOrEqual(from);
      }
      expect(drawPicture(picture).children.length).toBeLessThan(260);
    }),
    { numRuns: 50 },
  ));

test('bars that nobody could tell apart are one, and those of another kind stay', () => {
  const near = Array.from({ length: 300 }, (_, number): PictureBar => ({
    from: number,
    to: number + 0.5,
    kind: 'read',
  }));
  const picture = pictureOf(HEAD, [
    { label: 'far', amount: '', bars: [{ from: 0, to: 1e6, kind: 'call' }] },
    { label: 'near', amount: '', bars: [...near, { from: 9e5, to: 9.5e5, kind: 'hole' }] },
  ])!;
  expect(picture.lanes[1]!.bars).toEqual([
    { from: 0, to: 299.5, kind: 'read' },
    { from: 9e5, to: 9.5e5, kind: 'hole' },
  ]);
});

test('nothing to see makes no picture', () => {
  expect(pictureOf(HEAD, [])).toBeUndefined();
  expect(pictureOf(HEAD, [{ label: 'empty', amount: '', bars: [] }])).toBeUndefined();
  expect(pictureOf(HEAD, [{ label: 'point', amount: '', bars: [{ from: 5, to: 5, kind: 'call' }] }])).toBeUndefined();
});

test('names of a recording are text in the drawing, never markup', () => {
  const picture = pictureOf({ ...HEAD, description: '"><script>alert(1)</script>' }, [
    { label: '</text><script>alert(2)</script>', amount: '<b>', bars: [{ from: 0, to: 1, kind: 'call' }] },
  ])!;
  const svg = pictureSvg(picture);
  expect(svg).not.toContain('<script');
  expect(svg).not.toContain('<b>');
  expect(svg).toContain('aria-label="Title. &quot;&gt;&lt;script&gt;');
  // A content security policy without inline styles shows it as it is.
  expect(svg).not.toMatch(/\sstyle=|<style/);
});

test('kinds differ by more than colour where they mean something bad, and the legend names those that occur', () => {
  const picture = pictureOf(HEAD, [
    {
      label: 'a',
      amount: '',
      bars: [
        { from: 0, to: 1, kind: 'call' },
        { from: 1, to: 2, kind: 'waiting' },
      ],
    },
  ])!;
  const shapes = drawPicture(picture).children.filter((child) => typeof child !== 'string') as Branch[];
  const texts = shapes.filter(({ name }) => name === 'text').flatMap(({ children }) => children);
  expect(texts).toContain('waiting');
  expect(texts).not.toContain('lock held');
  const waiting = shapes.find((shape) => printed(shape).includes('<title>waiting'))!;
  expect(waiting.attributes).toHaveProperty('stroke-dasharray');
});
