/** Copies the pages and what agents read into `dist` of packages/specwright, before it is packed: links that lead out of `docs` become absolute. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = join(ROOT, 'packages/specwright/dist');
const SITE = 'https://github.com/specwright/specwright/blob/main/';
/** Of contributors, and projects in other languages. */
const LEFT_OUT = /^(contributing|clients|images)\b|^architecture\.md$/;

const isCopied = (page) => /\.(md|sql)$/.test(page) && !LEFT_OUT.test(page);

rmSync(join(TARGET, 'docs'), { recursive: true, force: true });
for (const page of readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter(isCopied)) {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8').replaceAll(/\]\((?!\w+:|#)([^)#\s]+)/g, (link, path) => {
    const target = join('docs', dirname(page), path);
    return target.startsWith('docs/') && isCopied(target.slice('docs/'.length)) ? link : `](${SITE}${target}`;
  });
  mkdirSync(dirname(join(TARGET, 'docs', page)), { recursive: true });
  writeFileSync(join(TARGET, 'docs', page), text);
}
for (const file of ['llms.txt', 'llms-full.txt']) writeFileSync(join(TARGET, file), readFileSync(join(ROOT, file)));
