/** Text without a meaning in Markdown. `appendText` would do, but its unbreakable blanks make lines that never wrap. */
export function plain(text: string): string {
  return text
    .replace(/[\\`*_{}[\]()#+\-.!|~$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\s+/g, ' ');
}
