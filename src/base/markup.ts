/** Text of recordings in HTML and SVG. Everything that is not written by us goes through here. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text as content or as a quoted attribute value of HTML or XML. Characters that XML cannot hold, and those that turn
 * the direction of writing (a name could show as another one), become the replacement character.
 */
export function escapeMarkup(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, '\ufffd')
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
  );
}

/** An element as text; attributes whose value is undefined are left out, content is markup already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...content: readonly string[]
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escapeMarkup(String(value))}"`);
  return `<${name}${written.join('')}>${content.join('')}</${name}>`;
}

/**
 * Control characters as pictures (`␛`), and marks that are not seen or turn the direction of writing as escapes: a name can
 * neither hide a part of itself nor look like another.
 */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code);
    return code === 0x7f ? '\u2421' : `\\u{${code.toString(16)}}`;
  });
}

/** The block of Unicode with a picture for each control character. */
const CONTROL_PICTURES = 0x2400;
