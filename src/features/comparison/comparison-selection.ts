import type { Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import type { ComparisonRow } from './comparison-tree.ts';

/** What is selected in all views when a row of the comparison is chosen; nothing for rows that are of no calls. */
export function selectedParts(row: ComparisonRow): Selection {
  switch (row.kind) {
    case 'line': {
      const place = row.line.new ?? row.line.base!;
      return place.line > 0 ? [{ kind: 'line', file: place.file, line: place.line }] : [];
    }
    case 'insight': {
      const { place } = (row.insight.new ?? row.insight.base)!;
      const where = place === null || place.line === 0 ? {} : { file: place.file, line: place.line };
      return [{ kind: 'insight', code: row.insight.code, ...where }];
    }
    case 'thing':
      return [partOfThing(row)];
    default:
      return [];
  }
}

function partOfThing({ what, thing }: Extract<ComparisonRow, { kind: 'thing' }>): SelectionPart {
  const name = (thing.new ?? thing.base)!;
  switch (what) {
    case 'functions':
      return { kind: 'function', file: thing.file, name };
    case 'files':
      return { kind: 'file', path: name };
    case 'calls':
      return { kind: 'call', call: name };
    case 'layers':
      return { kind: 'layer', layer: name };
  }
}
