/** Which files of this checkout a new project gets as they are: the machinery, which is whatever its own files import or start. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

/** Path from the project's root, with `/` -> content. */
export type Files = Map<string, string>;

/** What no file imports. Folders stand for all that is in them. */
const AS_THEY_ARE = [
  '.ci',
  '.config/dependency-cruiser.cjs',
  '.config/eslint.js',
  '.dockerignore',
  '.gitattributes',
  '.github',
  '.prettierignore',
  'test/support/global-setup.mjs',
  'test/support/global-teardown.mjs',
  'test/support/transform.mjs',
  'tsconfig.json',
];
/** Where the imports are followed from, beside the template's own files. The set-up of tests imports by a string. */
const ROOTS = ['src/main.ts', 'test/support/server.ts', 'test/support/process.ts'];
/** Scripts that are about this service, or about making projects. */
const NOT_SCRIPTS = ['fuzz.ts', 'lift-limits.ts', 'new-project.ts', 'schemathesis.ts'];
/** What is this service's own: a project that imports it needs a template of its own in its place. */
const OWN = /^src\/(service|handlers|cli|worker)\//;

const IMPORTED = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;
/** What is started or read by its path: from the file, and from the root. */
const OPENED = /new URL\('([^']+\.[cm]?[jt]s)', import\.meta\.url\)/g;
const NAMED = /'(?:\.\/)?((?:src|scripts)\/[^']+\.[cm]?[jt]s)'/g;

/** @param template what the project has of its own: it goes before what stands here under the same path. */
export function machinery(root: string, template: Files): Files {
  const files: Files = new Map();
  for (const path of AS_THEY_ARE.flatMap((entry) => filesIn(root, entry))) files.set(path, readFileSync(join(root, path), 'utf8'));
  const scripts = readdirSync(join(root, 'scripts')).filter((name) => name.endsWith('.ts') && !NOT_SCRIPTS.includes(name));
  const waiting = [...ROOTS, ...scripts.map((name) => `scripts/${name}`)];
  const follow = (path: string, text: string) => {
    for (const pattern of [IMPORTED, OPENED])
      for (const [, target = ''] of text.matchAll(pattern)) waiting.push(posix.join(posix.dirname(path), target));
    for (const [, target = ''] of text.matchAll(NAMED)) waiting.push(target);
  };
  for (const [path, text] of template) if (/\.[cm]?[jt]s$/.test(path)) follow(path, text);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    // A string that looks like an import, in a test or a template of code, leads nowhere.
    if (files.has(path) || template.has(path) || path.startsWith('generated/') || !existsSync(join(root, path))) continue;
    if (OWN.test(path))
      throw new Error(`${path} belongs to this service, and the machinery imports it: scripts/new/template needs its own`);
    const text = readFileSync(join(root, path), 'utf8');
    files.set(path, text);
    follow(path, text);
  }
  return files;
}

/** The files of a folder, or the file itself, as paths from the root with `/`. */
export function filesIn(root: string, entry = ''): string[] {
  const path = join(root, entry);
  if (!statSync(path).isDirectory()) return [entry];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(root, join(found.parentPath, found.name)).replaceAll('\\', '/'))
    .sort();
}
