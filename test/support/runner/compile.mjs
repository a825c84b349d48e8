/** TypeScript to JavaScript. What it made of a file of this project is kept in `.cache/test-modules` until the file changes. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync, version } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CACHE = join(ROOT, '.cache', 'test-modules');

/** @returns the code of a file. */
export function compile(file) {
  const text = readFileSync(file, 'utf8');
  const head = `// ${digest(version, text)}\n`;
  const [path] = cacheOf(file);
  const cached = read(path);
  if (cached?.startsWith(head)) return cached;
  const options = { loader: 'ts', format: 'esm', target: 'node20', sourcefile: file, banner: head.trim() };
  if (!file.startsWith(ROOT)) return transformSync(text, options).code;
  const { code, map } = transformSync(text, { ...options, sourcemap: 'external' });
  keep(file, code, map);
  return code;
}

/** @param file its path or URL. @returns the path of the source map, if the file is one that `compile` compiled. */
export function sourceMapOf(file) {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return path.endsWith('.ts') && path.startsWith(ROOT) ? cacheOf(path)[1] : undefined;
}

function cacheOf(file) {
  const name = join(CACHE, digest(file));
  return [`${name}.js`, `${name}.map`];
}

const digest = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** By renaming, so that another process reads all of it or nothing. */
function keep(file, code, map) {
  const [codePath, mapPath] = cacheOf(file);
  try {
    mkdirSync(CACHE, { recursive: true });
    for (const [path, text] of [
      [mapPath, map],
      [codePath, code],
    ]) {
      writeFileSync(`${path}.${process.pid}`, text);
      renameSync(`${path}.${process.pid}`, path);
    }
  } catch {
    // A checkout of another user: it is compiled again the next time.
  }
}
