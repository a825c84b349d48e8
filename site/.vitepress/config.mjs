/** The site of the documentation: the pages of docs/, as `pages.mjs` has copied them. */
import { readFileSync } from 'node:fs';
import { REPOSITORY, sidebarOf } from '../pages.mjs';
import { markErrors } from './mark-errors.mjs';

/** The corner of a table is no header: a screen reader would have nothing to read. */
const emptyHeaders = (markdown) =>
  markdown.core.ruler.push('empty-headers', ({ tokens }) => {
    for (const [i, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[i + 1].content === '') token.tag = tokens[i + 2].tag = 'td';
  });

export default {
  title: 'Specwright',
  description: 'A spec-first API server in TypeScript',
  srcDir: '.cache/pages',
  outDir: '../.build/site',
  cacheDir: '.cache/vitepress',
  base: process.env.SITE_BASE ?? '/',
  cleanUrls: true,
  lastUpdated: false,
  // Addresses of a service that the reader has started.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [markErrors],
    config: emptyHeaders,
  },
  themeConfig: {
    // In the browser, without a service of somebody else's.
    // The name of the button has the words that are seen on it.
    search: {
      provider: 'local',
      options: {
        translations: { button: { buttonText: 'Search ', buttonAriaLabel: 'Search (Ctrl or Command) K' } },
        // What contributors read comes last.
        miniSearch: { searchOptions: { boostDocument: (page) => (/\/(contributing\/|architecture)/.test(page) ? 0.2 : 1) } },
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    nav: [
      { text: 'Start', link: '/tutorial' },
      { text: 'Documentation', link: '/documentation' },
      { text: 'Comparison', link: '/why/comparison' },
    ],
    sidebar: sidebarOf(readFileSync(new URL('../../docs/README.md', import.meta.url), 'utf8')),
  },
};
