/** VitePress's own theme, with the first screen, colours of enough contrast, and a page for addresses that are gone. */
import { withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { h } from 'vue';
import './style.css';

const notFound = () =>
  h('main', { class: 'vp-doc home-page' }, [
    h('h1', 'There is no such page'),
    h('p', ['See ', h('a', { href: withBase('/documentation') }, 'all pages'), ', or search.']),
  ]);

export default { extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }) };
