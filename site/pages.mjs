/** Makes the pages of the site of README.md and docs/: links that lead out of docs/ go to the repository. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = fileURLToPath(new URL('.cache/pages', import.meta.url));

export const REPOSITORY = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .repository.url.replace(/^git\+/, '')
  .replace(/\.git$/, '');

/** The groups of docs/README.md, with the pages that each links to. */
export function sidebarOf(index) {
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/\[([^\]]+)\]\(((?!\.\.)[\w/-]+)\.md\)/g)].map(([, text, page]) => ({
        text: text[0].toUpperCase() + text.slice(1),
        link: `/${page}`,
      })),
    }))
    .filter(({ items }) => items.length > 0);
}

/** @param folder of the page in the repository. */
function withSiteLinks(markdown, folder) {
  const target = (link) => {
    if (/^([a-z][a-z0-9+.-]*:|#)/i.test(link)) return link;
    const [path, hash = ''] = link.split(/(?=#)/);
    const file = posix.normalize(posix.join(folder, path));
    if (file === 'README.md') return `/${hash}`;
    if (file === 'docs/README.md') return `/documentation${hash}`;
    if (/^docs\/(images\/|(?!clients\/)[\w/-]+\.md$)/.test(file)) return `/${file.slice('docs/'.length)}${hash}`;
    return `${REPOSITORY}/blob/main/${file}${hash}`;
  };
  return markdown
    .replace(/\]\(([^()\s]+)\)/g, (_, link) => `](${target(link)})`)
    .replace(/(src|srcset|href)="([^"]+)"/g, (_, name, link) => `${name}="${target(link)}"`);
}

const HOME = `---
layout: home
hero:
  name: Specwright
  text: One OpenAPI document, kept
  tagline: TAGLINE
  actions:
    - { theme: brand, text: Begin, link: /how-to/your-spec }
    - { theme: alt, text: In an Express application, link: /how-to/express }
    - { theme: alt, text: Comparison, link: /why/comparison }
---

`;

export function writePages() {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(PAGES, { recursive: true });
  for (const target of ['images', 'public/images']) cpSync(join(ROOT, 'docs/images'), join(PAGES, target), { recursive: true });
  cpSync(join(ROOT, 'llms.txt'), join(PAGES, 'public/llms.txt'));
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => file.endsWith('.md') && !file.startsWith('clients/'))) {
    const folder = posix.dirname(name);
    mkdirSync(join(PAGES, folder), { recursive: true });
    const markdown = withSiteLinks(readFileSync(join(ROOT, 'docs', name), 'utf8'), posix.join('docs', folder));
    writeFileSync(join(PAGES, name === 'README.md' ? 'documentation.md' : name), markdown);
  }
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const [, summary, body] = /^# .*\n+([^]*?)\n\n([^]*)$/.exec(readme);
  const home = HOME.replace('TAGLINE', () => JSON.stringify(summary.replaceAll('\n', ' ')));
  writeFileSync(join(PAGES, 'index.md'), `${home}<div class="vp-doc home-page">\n\n${withSiteLinks(body, '')}\n\n</div>\n`);
}
