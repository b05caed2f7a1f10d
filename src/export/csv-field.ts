/** What spreadsheets take for the beginning of a formula, which may read files or ask the network (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r](?!\d+(\.\d+)?$)/;

/**
 * A text as a field of CSV (RFC 4180). Names in recordings are anybody's: where a spreadsheet would compute one, an apostrophe
 * stands before it, which it takes for the mark of a text and does not show.
 */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
