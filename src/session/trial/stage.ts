import fs from 'node:fs';
import path from 'node:path';
import { OwnMounts } from './own-mounts.ts';

export type Variant = 'original' | 'changed';

/** Where the two copies of a folder are built and run, at the same path. */
export interface Stage {
  /** They see themselves at the folder's own path. */
  readonly isOwnPlace: boolean;
  /** Where a copy's files are for us, once it was chosen. */
  root(variant: Variant): string;
  /** The words that start a command in the copy that was chosen last. */
  inside(command: readonly string[]): readonly string[];
  close(): Promise<void>;
}

/**
 * The copies stand in the folder's own place, for the programs that are started here; where that is not allowed, elsewhere.
 * @param base an empty folder.
 */
export async function openStage(base: string, folder: string): Promise<Stage> {
  const roots = { original: path.join(base, 'original'), changed: path.join(base, 'changed') };
  for (const root of Object.values(roots)) fs.mkdirSync(root);
  if (!base.startsWith(`${folder}/`)) {
    const bind = (root: string): Promise<OwnMounts | undefined> =>
      OwnMounts.open('mount --bind "$1" "$2" && cd "$2"', root, folder);
    const [original, changed] = [await bind(roots.original), await bind(roots.changed)];
    if (original !== undefined && changed !== undefined) return new BoundStage(roots, { original, changed });
    await original?.close();
    await changed?.close();
  }
  return new MovedStage(roots, path.join(base, 'copy', path.basename(folder) || 'root'));
}

class BoundStage implements Stage {
  readonly isOwnPlace = true;
  private chosen: Variant = 'original';

  constructor(
    private readonly roots: Readonly<Record<Variant, string>>,
    private readonly mounts: Readonly<Record<Variant, OwnMounts>>,
  ) {}

  root(variant: Variant): string {
    this.chosen = variant;
    return this.roots[variant];
  }

  inside(command: readonly string[]): readonly string[] {
    return this.mounts[this.chosen].inside(command);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.mounts).map((mounts) => mounts.close()));
  }
}

/** The copy that is chosen is moved to a place that both have in turns. */
class MovedStage implements Stage {
  readonly isOwnPlace = false;
  private standing: Variant | undefined;

  constructor(
    private readonly roots: Readonly<Record<Variant, string>>,
    private readonly place: string,
  ) {
    fs.mkdirSync(path.dirname(place));
  }

  root(variant: Variant): string {
    if (this.standing === variant) return this.place;
    if (this.standing !== undefined) fs.renameSync(this.place, this.roots[this.standing]);
    fs.renameSync(this.roots[variant], this.place);
    this.standing = variant;
    return this.place;
  }

  inside(command: readonly string[]): readonly string[] {
    return command;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
