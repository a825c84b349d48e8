/** The copies of fetched documents: where each is, and the file with their digests. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from '../libraries/zod.ts';
import { displayPath } from '../project-config.ts';

/** By URL: the copy's path from its folder, the SHA-256 of that file in hex, and the day when it was fetched, in UTC. */
const DIGESTS = z.record(z.url(), z.strictObject({ file: z.string(), sha256: z.string(), date: z.string() }));
type Copies = ReadonlyMap<string, z.infer<typeof DIGESTS>[string]>;

export const digestOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** `HOST/PATH` of a URL. The name has a digest of the URL if it could be that of another: without extension, with a query, or with what a file name lacks. */
export function fileOf({ host, pathname, search, href }: URL): string {
  const path = posix.normalize(pathname.replace(/\/$/, '/index')).replace(/[^\w./~@+-]/g, '_');
  const { dir, name, ext } = posix.parse(path);
  const digest = ext !== '' && search === '' && path === pathname ? '' : `.${digestOf(href).slice(0, 8)}`;
  return posix.join(host.replace(/[^\w.-]/g, '_'), dir, `${name}${digest}${ext === '' ? '.yaml' : ext}`);
}

/** The copies by their URLs. @param file digests.json. @throws Error if it is not what `vendor` writes. */
export function readDigests(file: string): Copies {
  if (!existsSync(file)) return new Map();
  try {
    const copies = Object.entries(DIGESTS.parse(JSON.parse(readFileSync(file, 'utf8'))));
    for (const [url, copy] of copies) if (copy.file !== fileOf(new URL(url))) throw new Error(`${url} has the file ${copy.file}`);
    return new Map(copies);
  } catch (cause) {
    throw new Error(`${displayPath(file)} is not as it was written: ${(cause as Error).message}. Restore it`, { cause });
  }
}

/** @param folder of the copies. @throws Error that names each that is not the one that was fetched. */
export function assertUnedited(folder: string, copies: Copies): void {
  const problems = [...copies].flatMap(([url, { file, sha256 }]) => {
    const path = join(folder, file);
    if (!existsSync(path)) return [`${displayPath(path)} is missing: it is the copy of ${url}`];
    return digestOf(readFileSync(path)) === sha256 ? [] : [`${displayPath(path)} was edited: it is no longer the copy of ${url}`];
  });
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\nRestore it, or fetch again: specwright vendor --update`);
}
