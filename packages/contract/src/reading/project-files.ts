/** Confines the parts of a document to its project: a reference must not choose which other files of a person are published. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export interface ReadOptions {
  /** Whether `$ref`s may lead out of the project: `--allow-outside`, or `specwright.allowOutside` of its package.json. */
  readonly allowOutside?: boolean | undefined;
}

/** Thrown for a file outside of the project. @property target where a path or a link leads. */
export class OutsideProject extends Error {
  readonly target: string;
  readonly root: string;

  constructor(target: string, root: string) {
    super(`${target} is outside of the project ${root}`);
    this.target = target;
    this.root = root;
  }
}

/**
 * The folder that a document's parts are in: the nearest one with a package.json, or else that of the document.
 *
 * @param file the document.
 */
function projectOf(file: string): { readonly root: string; readonly options: ProjectOptions } {
  const folder = dirname(resolve(file));
  for (let root = folder; ; root = dirname(root)) {
    const manifest = join(root, 'package.json');
    if (existsSync(manifest)) return { root, options: optionsIn(manifest) };
    if (dirname(root) === root) return { root: folder, options: {} };
  }
}

/** What a project says of its documents: the field `specwright` of its package.json. */
interface ProjectOptions {
  readonly allowOutside?: unknown;
  readonly dates?: unknown;
}

function optionsIn(manifest: string): ProjectOptions {
  try {
    const { specwright } = JSON.parse(readFileSync(manifest, 'utf8')) as { specwright?: ProjectOptions };
    return specwright ?? {};
  } catch {
    // Whoever needs the manifest says what is wrong with it.
    return {};
  }
}

/** What texts of format date-time are in JavaScript: `Date`, if the project of the document says `"dates": "date"`. */
export const datesOf = (file: string): 'date' | undefined => (projectOf(file).options.dates === 'date' ? 'date' : undefined);

const isWithin = (root: string, path: string): boolean => {
  const from = relative(root, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
};

/** Checks a path as it is written, for files that are not on the disk. @param file the document. @throws OutsideProject */
export function assertWithinProject(file: string, path: string, { allowOutside = false }: ReadOptions = {}): void {
  const { root, options } = projectOf(file);
  const allowsOutside = options.allowOutside === true;
  if (!allowOutside && !allowsOutside && !isWithin(root, resolve(path))) throw new OutsideProject(resolve(path), root);
}

/**
 * Makes what reads the parts of a document from the disk.
 *
 * @param file the document, which is read whatever it is: a person has named it.
 * @returns a function that gives the text of a part, `undefined` if there is no such file. It throws OutsideProject, also for a link that leads outside,
 *   whether or not something is there; Error if the file cannot be read.
 */
export function createPartReader(file: string, { allowOutside = false }: ReadOptions = {}): (part: string) => string | undefined {
  let project: ReturnType<typeof projectOf> | undefined;
  return (part) => {
    project ??= projectOf(file);
    const { root, options } = project;
    const isConfined = !allowOutside && options.allowOutside !== true;
    if (isConfined && !isWithin(root, resolve(part))) throw new OutsideProject(resolve(part), root);
    try {
      // What is checked is what is read, wherever links lead.
      const real = realpathSync(part);
      if (isConfined && !isWithin(realpathSync(root), real)) throw new OutsideProject(real, root);
      if (!statSync(real).isFile()) throw new Error('it is not a file');
      return readFileSync(real, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  };
}
