/* The guides, and the operations by tag, beside the reference, with a search. Plain JavaScript of a browser. */
import { createIndex, matcher } from './search.js';

/** More operations than these are not all listed at first. */
const MANY_OPERATIONS = 100;

function create(name, properties, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** The groups in the order of Swagger UI: tags that the contract lists, then as operations name them. */
function groupByTag(spec, index) {
  const groups = new Map((spec.tags ?? []).map(({ name }) => [name, []]));
  for (const entry of index) for (const tag of new Set(entry.tags)) groups.set(tag, [...(groups.get(tag) ?? []), entry]);
  return [...groups].filter(([, entries]) => entries.length > 0);
}

function createLink(tag, { id, method, path, summary, isDeprecated }) {
  const label = create('span', { className: `docs-method docs-method-${method}` }, method.toUpperCase());
  const link = create('a', { href: `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`, title: path }, label, ' ', summary);
  link.classList.toggle('docs-obsolete', isDeprecated);
  return link;
}

const MAX_FRAMES = 60;

/** Opens an operation, scrolls to it, and lets the keyboard go on there. */
function show({ layoutActions }, tag, id) {
  const key = ['operations', tag, id];
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(key, true);
  // Of a long list Swagger UI draws only what is near.
  layoutActions.scrollToVirtualizedOperation(key);
  const elementId = CSS.escape(key.join('-').trim().replace(/\s/g, '_'));
  const scroll = (frame) => {
    const operation = document.getElementById(elementId);
    if (operation === null) return void (frame < MAX_FRAMES && requestAnimationFrame(() => scroll(frame + 1)));
    operation.scrollIntoView();
    operation.querySelector('.opblock-summary-control').focus({ preventScroll: true });
  };
  requestAnimationFrame(() => scroll(0));
}

/** One operation with its place in the list, in each group that has it. */
function createEntries(spec) {
  const index = createIndex(spec);
  return groupByTag(spec, index).map(([tag, operations]) => {
    const entries = operations.map((operation) => {
      const link = createLink(tag, operation);
      return { ...operation, tag, link, row: create('li', {}, link) };
    });
    return createGroup(tag, entries, index.length <= MANY_OPERATIONS);
  });
}

function createGroup(name, entries, open) {
  const list = create('ul', {}, ...entries.map(({ row }) => row));
  return { group: create('details', { open }, create('summary', {}, name), list), entries, wasOpen: open };
}

/** The guides as a group, if there are any. */
function createGuides(guides) {
  const entries = guides.map(({ id, title, text }) => {
    const link = create('a', { href: `#${id}` }, title);
    return { text, link, row: create('li', {}, link) };
  });
  return entries.length === 0 ? [] : [createGroup('Guides', entries, true)];
}

/** Hides what does not match. @returns how many are left. */
function filter(groups, query) {
  const matches = matcher(query);
  let count = 0;
  for (const one of groups) {
    const found = new Set(one.entries.filter(matches));
    for (const entry of one.entries) entry.row.hidden = !found.has(entry);
    one.group.hidden = found.size === 0;
    one.group.open = query === '' ? one.wasOpen : found.size > 0;
    count += found.size;
  }
  return count;
}

/** Arrows go through the operations that are shown. */
function moveByArrows(event, nav, search) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const links = [...nav.querySelectorAll('details[open] li:not([hidden]) a')];
  const next = links.indexOf(document.activeElement) + step;
  (next < 0 ? search : links[Math.min(next, links.length - 1)])?.focus();
}

/**
 * Puts the sidebar before the reference.
 *
 * @param guides above the operations. @param extras what is above the search.
 * @returns a plugin of Swagger UI, which marks the operation that was opened last.
 */
export function sidebarPlugin(spec, guides, root, extras) {
  const guideGroups = createGuides(guides);
  const groups = createEntries(spec);
  const allGroups = [...guideGroups, ...groups];
  const entries = groups.flatMap((group) => group.entries);
  const search = create('input', { type: 'search', placeholder: 'Search', ariaLabel: 'Search operations', autocomplete: 'off' });
  const status = create('p', { role: 'status' });
  const nav = create('nav', { id: 'docs-nav', ariaLabel: 'Operations' }, ...extras, search, status, ...allGroups.map(({ group }) => group));
  const skip = create('a', { href: '#operations', className: 'docs-skip' }, 'Skip to the operations');
  const menu = create('button', { type: 'button', className: 'docs-menu', ariaExpanded: 'false' }, 'Menu');
  menu.setAttribute('aria-controls', nav.id);
  const side = create('div', { className: 'docs-side' }, skip, menu, nav);
  root.before(side);

  const setMenu = (isOpen) => {
    menu.ariaExpanded = String(isOpen);
    side.classList.toggle('docs-side-open', isOpen);
  };
  menu.addEventListener('click', () => setMenu(menu.ariaExpanded !== 'true'));
  skip.addEventListener('click', (event) => {
    // The address names an operation.
    event.preventDefault();
    document.getElementById('operations')?.focus();
  });
  search.addEventListener('input', () => {
    const query = search.value.trim();
    const guideCount = filter(guideGroups, query);
    const count = filter(groups, query);
    const operations = count === 0 ? 'No operation matches' : `${count} of ${entries.length} operations`;
    status.textContent =
      query === '' ? '' : [operations, ...(guideCount > 0 ? [`${guideCount} of ${guides.length} guides`] : [])].join(', ');
  });
  nav.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && menu.ariaExpanded === 'true') {
      setMenu(false);
      menu.focus();
    } else if (event.key === 'Enter' && event.target === search) {
      nav.querySelector('li:not([hidden]) a')?.click();
    } else moveByArrows(event, nav, search);
  });
  for (const one of allGroups) one.group.addEventListener('toggle', () => search.value === '' && (one.wasOpen = one.group.open));

  const mark = (tag, id) => {
    for (const { link } of entries.filter(({ link }) => link.ariaCurrent === 'true')) link.ariaCurrent = null;
    const current = entries.find((entry) => entry.tag === tag && entry.id === id);
    if (current === undefined) return;
    current.link.ariaCurrent = 'true';
    current.row.closest('details').open = true;
    current.link.scrollIntoView({ block: 'nearest' });
  };
  return (system) => {
    // Swagger UI would open links of Markdown in another window, and scroll to an anchor without regard to the bar of a phone.
    const follow = (event) => {
      const href = event.target.closest('nav a, .renderedMarkdown a')?.getAttribute('href');
      if (!href?.startsWith('#') || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      event.stopPropagation();
      setMenu(false);
      const entry = entries.find(({ link }) => link.getAttribute('href') === href);
      if (entry !== undefined) return show(system.getSystem(), entry.tag, entry.id);
      location.hash = href;
      // The address may have named it before.
      document.getElementById(href.slice(1))?.scrollIntoView();
    };
    for (const part of [nav, root]) part.addEventListener('click', follow);
    return {
      statePlugins: {
        layout: {
          wrapActions: {
            show:
              (original) =>
              (thing, isShown = true) => {
                const [type, tag, id] = [thing].flat();
                if (type === 'operations' && isShown) mark(tag, id);
                return original(thing, isShown);
              },
          },
        },
      },
    };
  };
}
