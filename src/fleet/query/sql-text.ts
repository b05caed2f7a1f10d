/** A text as an SQL literal. */
export function sqlText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A name as SQL takes it whatever it contains. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
