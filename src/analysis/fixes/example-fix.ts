import { insertAt, type ParsedSource } from './c/syntax.ts';
import type { Example } from './examples.ts';
import type { Fix, FixLanguage, FixRequest } from './fix.ts';
import { lineEnd } from './statement-lines.ts';

const COMMENT: Readonly<Record<FixLanguage, string>> = { c: '//', cpp: '//', fortran: '!', python: '#' };

/**
 * An example as a comment above the statement that the line belongs to.
 * @param reason why there is only an example although the call could be changed
 */
export function exampleFix(
  request: FixRequest,
  source: ParsedSource,
  { title, code }: Example,
  reason: string | undefined,
): Fix {
  const lines = source.text.split('\n');
  const layout = layoutOf(request);
  const row = firstRow(source, lines, Math.min(request.place.line - 1, lines.length - 1), layout);
  const start = lines.slice(0, row).reduce((sum, line) => sum + line.length + 1, 0);
  // In fixed form a mark in column 6 would continue the line before.
  const indent = layout === 'fixed form' ? '' : /^[ \t]*/.exec(lines[row]!)![0];
  const mark = COMMENT[request.language];
  const why = reason === undefined ? '' : ` The code is not changed: ${reason}.`;
  const warning = reason === undefined ? [] : [`Check first: ${reason}.`];
  const comment = [`I/O Lens: ${title}`, ...warning, ...code.trimEnd().split('\n')].map((line) =>
    `${indent}${mark} ${line}`.trimEnd(),
  );
  const end = lineEnd(source);
  return {
    title: `Insert an example: ${title}${reason === undefined ? '' : ` (code not changed: ${reason})`}`,
    note: `The example is inserted as a comment, with the numbers of this recording.${why}`,
    edits: [insertAt(source, start, `${comment.join(end)}${end}`)],
    kind: 'example',
    ...(reason === undefined ? {} : { reason: reason }),
  };
}

/** How lines are continued: by a backslash or an ampersand at their end, or by a character in column 6 of the next. */
type Layout = 'backslash' | 'ampersand' | 'fixed form';

function layoutOf({ language, place }: FixRequest): Layout {
  if (language !== 'fortran') return 'backslash';
  return /\.(f|for|ftn|f77)$/i.test(place.file) ? 'fixed form' : 'ampersand';
}

/** Whether a row goes on with the one above: a comment between the two would end what they say together. */
function continues(lines: readonly string[], row: number, layout: Layout): boolean {
  const before = lines[row - 1]?.trimEnd();
  if (before === undefined) return false;
  if (layout === 'backslash') return before.endsWith('\\');
  return layout === 'ampersand' ? /&\s*(!.*)?$/.test(before) : /^( {5}[^ 0]|\t[1-9])/.test(lines[row]!);
}

/** The first row of the statement or macro that a row belongs to. */
function firstRow(source: ParsedSource, lines: readonly string[], row: number, layout: Layout): number {
  for (let at = row; ;) {
    const begin = statementRow(source, at, /\S|$/.exec(lines[at]!)!.index);
    const above = begin === at && continues(lines, at, layout) ? at - 1 : begin;
    if (above === at) return at;
    at = above;
  }
}

/** What consists of statements, or of a head and statements: a comment may stand between its parts. */
const HOLDS_STATEMENTS = new Set(
  [
    // C and C++
    'translation_unit compound_statement declaration_list field_declaration_list function_definition if_statement else_clause',
    'for_statement for_range_loop while_statement do_statement switch_statement case_statement labeled_statement',
    'try_statement catch_clause namespace_definition linkage_specification template_declaration class_specifier',
    'struct_specifier lambda_expression preproc_if preproc_ifdef preproc_else preproc_elif',
    // Python
    'module block elif_clause with_statement except_clause finally_clause class_definition decorated_definition',
    'match_statement case_clause',
    // Fortran
    'program submodule subroutine function internal_procedures do_loop elseif_clause where_statement',
    'select_case_statement select_type_statement block_construct associate_statement forall_statement',
  ].flatMap((types) => types.split(' ')),
);

/** The row on which the innermost statement around a position begins. */
function statementRow({ tree }: ParsedSource, row: number, column: number): number {
  for (let at = tree.rootNode.descendantForPosition({ row, column }); at !== null; at = at.parent)
    if (at.parent === null || HOLDS_STATEMENTS.has(at.parent.type)) return Math.min(row, at.startPosition.row);
  return row;
}
