import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** `import … from '…'`, `export … from '…'`, `import '…'` at the begin of a line, and `import('…')`: not those of types. */
const VALUE_IMPORT =
  /^(?:import|export) (?!type )(?:[\w$*{][\w\s$*{},]*? from )?'([^']+)';|(?<![.\w]|typeof )import\(\s*'([^']+)'\s*\)(?!\.[A-Z])/gm;

/** What a source imports to run it, as it is written there. */
export function importedValues(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(VALUE_IMPORT)].map(([, fixed, dynamic]) => fixed ?? dynamic!);
}

/**
 * The files below folders of the repository, each with those that it imports to run: also what is loaded later, and behind
 * `#names` of package.json what each environment has. Paths are relative to the repository.
 */
export function valueImports(folders: readonly string[]): Map<string, readonly string[]> {
  const { imports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    imports: Record<string, Record<string, string>>;
  };
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name}`),
  );
  return new Map(
    files.map((file) => {
      const places = importedValues(readFileSync(path.join(root, file), 'utf8')).flatMap((name) => {
        if (name.startsWith('.')) return [path.posix.join(path.posix.dirname(file), name)];
        return Object.values(imports[name] ?? {}).map((target) => path.posix.normalize(target));
      });
      for (const place of places) if (!existsSync(path.join(root, place))) throw new Error(`${file} imports ${place}`);
      return [file, places];
    }),
  );
}

/** Groups of files of which each reaches each other (Tarjan), and files that import themselves; each in order of names. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const numbers = new Map<string, number>();
  const open: string[] = [];
  const visit = (file: string): number => {
    const number = numbers.size;
    numbers.set(file, number);
    let lowest = number;
    open.push(file);
    for (const next of imports.get(file) ?? [])
      if (!numbers.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, numbers.get(next)!);
    if (lowest === number) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1 || (imports.get(file) ?? []).includes(file)) found.push(group.sort());
    }
    return lowest;
  };
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file);
  return found;
}
