/** Makes the pages of the site of README.md and docs/: links that lead out of docs/ go to the repository. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = fileURLToPath(new URL('.cache/pages', import.meta.url));

export const REPOSITORY = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .repository.url.replace(/^git\+/, '')
  .replace(/\.git$/, '');

/** The groups of docs/README.md, with the pages that each links to. The first has those above its sections. */
export function sidebarOf(index) {
  return index
    .replace(/^# .*/, '## Start')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/\[([^\]]+)\]\(((?!\.\.)[\w/-]+)\.md\)/g)].map(([, text, page]) => ({
        text: text.startsWith('`') ? text.replaceAll('`', '') : text[0].toUpperCase() + text.slice(1),
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

/** README.md up to its first section as one screen of two columns, with the facts below it, and then its sections. */
function homeOf(readme) {
  const [, title, lead, story, facts, body] =
    /^# Specwright: (.*)\n+([^]*?)<!--[^>]*story[^]*?-start -->\n([^]*?)<!-- prettier-ignore-end -->\n([^]*?)(?=^## )([^]*)$/m.exec(readme);
  const panes = story.replace(/^\*\*(\d)\. (.*)\*\*: (.*)$/gm, '<p class="pane"><b>$1</b> <strong>$2</strong> <span>$3</span></p>');
  return `---
layout: home
markdownStyles: false
title: ${title[0].toUpperCase()}${title.slice(1)}
titleTemplate: Specwright
---

<main class="vp-doc home-page">
<div class="first-screen">
<section class="lead">

# ${title[0].toUpperCase()}${title.slice(1)}.

${lead.replaceAll(' · ', '\n')}
</section>
<section class="story" aria-label="A contract that is kept, in four steps">

${panes}
</section>
</div>
<section class="facts" aria-label="Facts">

${facts.replaceAll('.**', '**')}
</section>

${body}
</main>
`;
}

export function writePages() {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(PAGES, { recursive: true });
  for (const target of ['images', 'public/images']) cpSync(join(ROOT, 'docs/images'), join(PAGES, target), { recursive: true });
  cpSync(join(ROOT, 'llms.txt'), join(PAGES, 'public/llms.txt'));
  cpSync(join(ROOT, 'llms-full.txt'), join(PAGES, 'public/llms-full.txt'));
  const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((file) => file.endsWith('.md') && !file.startsWith('clients/'))) {
    const folder = posix.dirname(name);
    mkdirSync(join(PAGES, folder), { recursive: true });
    const markdown = withSiteLinks(readFileSync(join(ROOT, 'docs', name), 'utf8'), posix.join('docs', folder));
    writeFileSync(join(PAGES, name === 'README.md' ? 'documentation.md' : name), markdown);
  }
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  writeFileSync(join(PAGES, 'index.md'), withSiteLinks(homeOf(readme), ''));
}
