/** Says to Git that generated files are not merged line by line: they are generated again from the merged spec. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn } from 'openapi-compare/checkout';
import { writeFile } from '../files/write-files.ts';

/** A clone without `git config merge.generated.driver true` merges them as before. */
const DRIVER = 'merge=generated';

/**
 * Adds what is missing to `.gitattributes` of a project that Git knows.
 *
 * @param folders of the generated files, from the root. @returns the path of the file, if it was written.
 */
export function writeMergeDriver(root: string, folders: readonly string[]): string | undefined {
  if (gitIn(root)('rev-parse', '--is-inside-work-tree') !== 'true') return undefined;
  const before = read(join(root, '.gitattributes'));
  const lines = before.split('\n').map((line) => line.trim().split(/\s+/));
  // A project may have chosen another way.
  const isSaid = (pattern: string) => lines.some(([first, ...rest]) => first === pattern && rest.some((one) => /^[-!]?merge\b/.test(one)));
  const outermost = [...new Set(folders)].filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
  const missing = outermost.map((folder) => `${folder}/**`).filter((pattern) => !isSaid(pattern));
  if (missing.length === 0) return undefined;
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  writeFile(root, '.gitattributes', `${before}${separator}${missing.map((pattern) => `${pattern} ${DRIVER}\n`).join('')}`);
  return '.gitattributes';
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
