/* Headings and operations beside the reference, with a search in all of the page. Plain JavaScript of a browser. */
import { createIndex, indexGuides, indexProse, indexReference, matcher } from './search.js';

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

/** A row of the list. What is found in it is named below its title. */
function createRow({ href, title, path = '', method, isDeprecated = false, isInner = false, kind }) {
  const label = method ?? kind;
  const place = create('span', { className: 'docs-place', hidden: true });
  const mark = label === undefined ? [] : [create('span', { className: `docs-method docs-method-${label}` }, label.toUpperCase()), ' '];
  const link = create('a', { href, title: path }, ...mark, create('span', {}, title), place);
  link.classList.toggle('docs-obsolete', isDeprecated);
  link.classList.toggle('docs-inner', isInner);
  link.classList.toggle('docs-unmarked', label === undefined);
  return { link, place, row: create('li', { hidden: kind !== undefined }, link) };
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

function createGroup(name, entries, open = true) {
  const rows = entries.map((entry) => ({ ...entry, ...createRow(entry) }));
  const list = create('ul', {}, ...rows.map(({ row }) => row));
  return { group: create('details', { open }, create('summary', {}, name), list), entries: rows, wasOpen: open };
}

/** Each operation in each group that has it. */
function createTags(spec) {
  const index = createIndex(spec);
  return groupByTag(spec, index).map(([tag, operations]) => {
    const hrefOf = (id) => `#/${encodeURIComponent(tag)}/${encodeURIComponent(id)}`;
    const entries = operations.map((operation) => ({ ...operation, tag, title: operation.summary, href: hrefOf(operation.id) }));
    return createGroup(tag, entries, index.length <= MANY_OPERATIONS);
  });
}

/** Hides what does not match. @returns how many are left. */
function filter(groups, query) {
  const find = matcher(query);
  let count = 0;
  for (const one of groups) {
    let found = 0;
    for (const entry of one.entries) {
      const place = query === '' && entry.kind !== undefined ? undefined : find(entry);
      entry.row.hidden = place === undefined;
      entry.place.textContent = place ?? '';
      entry.place.hidden = !place;
      if (place !== undefined) found += 1;
    }
    one.group.hidden = found === 0;
    one.group.open = query === '' ? one.wasOpen : found > 0;
    count += found;
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

const isTyping = ({ target }) => target.closest('input, textarea, select') !== null;

/**
 * Puts the sidebar before the reference.
 *
 * @param texts `prose`, `guides`, and `sections` after the operations. @param extras what is above the search.
 * @returns a plugin of Swagger UI, which marks the operation that was opened last.
 */
export function sidebarPlugin(spec, { prose, guides, sections }, root, extras) {
  const groups = createTags(spec);
  const named = (name, entries) => (entries.length > 0 ? [createGroup(name, entries)] : []);
  const before = [...named('Introduction', indexProse(prose)), ...named('Guides', indexGuides(guides))];
  const after = named('Reference', indexReference(spec, sections));
  const allGroups = [...before, ...groups, ...after];
  const entries = groups.flatMap((group) => group.entries);
  const search = create('input', { type: 'search', placeholder: 'Search ( / or Ctrl K )', ariaLabel: 'Search', autocomplete: 'off' });
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
    const others = filter([...before, ...after], query);
    const count = filter(groups, query);
    const operations = count === 0 ? 'No operation matches' : `${count} of ${entries.length} operations`;
    status.textContent = query === '' ? '' : `${operations}${others > 0 ? `, ${others} other` : ''}`;
  });
  document.addEventListener('keydown', (event) => {
    const isAsked = event.key === 'k' ? event.ctrlKey || event.metaKey : event.key === '/' && !isTyping(event);
    if (!isAsked) return;
    event.preventDefault();
    setMenu(true);
    search.select();
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
    /** Opens what an address names. Its section may be folded. */
    const open = (href) => {
      setMenu(false);
      const entry = entries.find(({ link }) => link.getAttribute('href') === href);
      if (entry !== undefined) return show(system.getSystem(), entry.tag, entry.id);
      const section = document.getElementById(href.slice(1));
      if (section?.matches('details')) section.open = true;
      section?.scrollIntoView();
    };
    // Swagger UI would open links of Markdown in another window, and scroll to an anchor without regard to the bar of a phone.
    const follow = (event) => {
      const href = event.target.closest('nav a, .renderedMarkdown a')?.getAttribute('href');
      if (!href?.startsWith('#') || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      event.stopPropagation();
      // An operation writes its address when it is opened.
      if (location.hash === href || entries.some(({ link }) => link.getAttribute('href') === href)) open(href);
      else location.hash = href;
    };
    for (const part of [nav, root]) part.addEventListener('click', follow);
    addEventListener('hashchange', () => open(location.hash));
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
