import fs from 'node:fs';
import path from 'node:path';
import { OwnMounts } from './own-mounts.ts';

/** A copy of the folder: the original, or one with a change. The name is that of the copy's own folder. */
export type Variant = 'original' | `changed-${number}`;

/** Where the copies of a folder are built and run, at the same path. */
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
export async function openStage(base: string, folder: string, variants: readonly Variant[]): Promise<Stage> {
  const roots = new Map(variants.map((variant) => [variant, path.join(base, variant)]));
  for (const root of roots.values()) fs.mkdirSync(root);
  if (!base.startsWith(`${folder}/`)) {
    const mounts = await boundOver(folder, roots);
    if (mounts !== undefined) return new BoundStage(roots, mounts);
  }
  return new MovedStage(roots, path.join(base, 'copy', path.basename(folder) || 'root'));
}

type Roots = ReadonlyMap<Variant, string>;
type Mounts = ReadonlyMap<Variant, OwnMounts>;

/** @returns undefined where it is not allowed. */
async function boundOver(folder: string, roots: Roots): Promise<Mounts | undefined> {
  const bound = new Map<Variant, OwnMounts>();
  for (const [variant, root] of roots) {
    const mounts = await OwnMounts.open('mount --bind "$1" "$2" && cd "$2"', root, folder);
    if (mounts === undefined) {
      await closeAll(bound);
      return undefined;
    }
    bound.set(variant, mounts);
  }
  return bound;
}

async function closeAll(mounts: Mounts): Promise<void> {
  await Promise.all([...mounts.values()].map((each) => each.close()));
}

class BoundStage implements Stage {
  readonly isOwnPlace = true;
  private chosen: Variant = 'original';

  constructor(
    private readonly roots: Roots,
    private readonly mounts: Mounts,
  ) {}

  root(variant: Variant): string {
    this.chosen = variant;
    return this.roots.get(variant)!;
  }

  inside(command: readonly string[]): readonly string[] {
    return this.mounts.get(this.chosen)!.inside(command);
  }

  close(): Promise<void> {
    return closeAll(this.mounts);
  }
}

/** The copy that is chosen is moved to a place that all have in turns. */
class MovedStage implements Stage {
  readonly isOwnPlace = false;
  private standing: Variant | undefined;

  constructor(
    private readonly roots: Roots,
    private readonly place: string,
  ) {
    fs.mkdirSync(path.dirname(place));
  }

  root(variant: Variant): string {
    if (this.standing === variant) return this.place;
    if (this.standing !== undefined) fs.renameSync(this.place, this.roots.get(this.standing)!);
    fs.renameSync(this.roots.get(variant)!, this.place);
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
