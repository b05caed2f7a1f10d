/** Finds what stands for a variable such as `workspaceFolder` or `env:HOME`; undefined when nothing does. */
export type VariableLookup = (name: string) => Promise<string | undefined>;

/** A text whose variables were replaced. */
interface ResolvedText {
  readonly text: string;
  /** Variables that stayed, as they were written: `${input:size}`. */
  readonly unresolved: readonly string[];
}

/** Replaces the `${…}` of the editor's configuration files. */
export async function resolveVariables(text: string, lookup: VariableLookup): Promise<ResolvedText> {
  const found = new Map<string, string | undefined>();
  for (const [, name] of text.matchAll(/\$\{([^{}]+)\}/g)) {
    if (!found.has(name!)) found.set(name!, await lookup(name!));
  }
  const resolved = text.replace(/\$\{([^{}]+)\}/g, (written, name: string) => found.get(name) ?? written);
  const unresolved = [...found].filter(([, value]) => value === undefined).map(([name]) => `\${${name}}`);
  return { text: resolved, unresolved };
}

/** Splits a command line at blanks; quotes keep blanks, a backslash keeps the next character. */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g)) {
    words.push(
      match[0].replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_all, double?: string, single?: string, one?: string) =>
        double === undefined ? (single ?? one ?? '') : double.replace(/\\(.)/g, '$1'),
      ),
    );
  }
  return words;
}
