/**
 * A text of a recording as one word of a POSIX shell, whatever is in it. Control characters, which a terminal would obey
 * when the line is shown, become bash's and ksh's `$'\x1b'`.
 */
export function shellQuoted(text: string): string {
  // A word that begins with a dash would be an option.
  const word = text.startsWith('-') ? `./${text}` : text;
  if (/^[A-Za-z0-9_/.,:=@%+-]+$/.test(word)) return word;
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(word))
    return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = Array.from(word, (letter) => (/[A-Za-z0-9_/.,:=@%+ -]/.test(letter) ? letter : escapedBytes(letter)));
  return `$'${escaped.join('')}'`;
}

function escapedBytes(letter: string): string {
  const bytes = new TextEncoder().encode(letter);
  return [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
