/** The folder of a new project, as a person names it. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** npm runs scripts in the folder of package.json, wherever it was called. */
export const fromCaller = (path: string): string =>
  resolve(process.env['npm_lifecycle_event'] === 'new' ? (process.env['INIT_CWD'] ?? process.cwd()) : process.cwd(), path);

/** @throws Error if something is there. */
export function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new Error(`${near(folder)} is a file: name an empty folder, or one that does not exist yet`);
  if (readdirSync(folder).length > 0) throw new Error(`${near(folder)} is not empty: name an empty folder, or one that does not exist yet`);
}

/** As a person would type it from here. */
export function near(path: string): string {
  const short = relative(process.cwd(), path) || '.';
  return short.length < path.length ? short : path;
}

export const quotedPath = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`);
