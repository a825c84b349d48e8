/** The site of the documentation: the pages of docs/, as `pages.mjs` has copied them. */
import { readFileSync } from 'node:fs';
import { REPOSITORY, sidebarOf } from '../pages.mjs';

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
  themeConfig: {
    // In the browser, without a service of somebody else's.
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    nav: [
      { text: 'Documentation', link: '/documentation' },
      { text: 'Comparison', link: '/why/comparison' },
    ],
    sidebar: sidebarOf(readFileSync(new URL('../../docs/README.md', import.meta.url), 'utf8')),
  },
};
