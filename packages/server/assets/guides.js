/* What is read before the operations: the prose of the contract, and the project's guides. Plain JavaScript of a browser. */

/** @returns headings of Markdown with their lines; those in code are none. */
function readHeadings(lines) {
  const headings = [];
  let fence;
  for (const [index, line] of lines.entries()) {
    const mark = ['```', '~~~'].find((one) => line.trimStart().startsWith(one));
    if (mark !== undefined && (fence ?? mark) === mark) fence = fence === undefined ? mark : undefined;
    const [, hashes, title] = (fence === undefined && /^(#{1,6})[ \t](.*)$/.exec(line)) || [];
    if (title !== undefined) headings.push({ index, level: hashes.length, title: title.replaceAll('`', '').trim() });
  }
  return headings;
}

/**
 * Divides Markdown at its highest headings. Lower ones stay in the parts, and continue the levels of the page.
 *
 * @param id of the whole, which those of the parts begin with. @param level of the parts on the page.
 */
function divide(lines, id, level) {
  const headings = readHeadings(lines);
  const highest = Math.min(...headings.map((heading) => heading.level));
  const starts = headings.filter((heading) => heading.level === highest);
  const lowered = [...lines];
  for (const { index, level: old } of headings)
    lowered[index] = `${'#'.repeat(Math.min(old - highest + level, 6))} ${lines[index].slice(old).trim()}`;
  const parts = starts.map(({ index, title }, number) => {
    const source = lowered.slice(index + 1, starts[number + 1]?.index).join('\n');
    const slug = title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
    return { id: `${id}/${slug}`, title, source };
  });
  return { source: lowered.slice(0, starts[0]?.index).join('\n'), parts };
}

/** @param prose the description of a contract without its first paragraph. */
export const parseProse = (prose) => divide(prose.split('\n'), '/about', 2);

/** A guide's title is its first heading. @param name of the file, as in a URL. */
export function parseGuide(name, text) {
  const lines = text.split('\n');
  const [title] = readHeadings(lines);
  if (title !== undefined) lines.splice(title.index, 1);
  // As a part of the address Swagger UI leaves it alone.
  const id = `/guides/${name.replace('.md', '')}`;
  return { id, name, title: title?.title ?? decodeURIComponent(name), ...divide(lines, id, 3) };
}

/** A link to the file of another guide leads to its section. */
function linkGuides(guides) {
  const link = (source, { id, name }) => source.replaceAll(`](${name})`, `](#${id})`).replaceAll(`](./${name})`, `](#${id})`);
  const linked = (part) => ({ ...part, source: guides.reduce(link, part.source) });
  return guides.map((guide) => ({ ...linked(guide), parts: guide.parts.map(linked) }));
}

/** The page is complete without a guide that cannot be read. @param paths from the page. */
export async function readGuides(paths = []) {
  const read = async (path) => {
    try {
      const response = await fetch(new URL(path, document.baseURI).href);
      if (!response.ok) throw new Error(`status ${response.status}`);
      return [parseGuide(path.split('/').at(-1), await response.text())];
    } catch (error) {
      console.error(`The guide ${path} could not be read:`, error);
      return [];
    }
  };
  return linkGuides((await Promise.all(paths.map(read))).flat());
}

/** Markdown as Swagger UI renders it: sanitized, without scripts and styles. */
export const guidesPlugin =
  (prose, guides) =>
  ({ React }) => {
    const element = React.createElement;
    const Guides = React.memo(({ Markdown }) => {
      // The section was not there yet when the page was opened by its address.
      React.useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
      const markdown = (source) => source.trim() !== '' && element(Markdown, { source, isWhole: true });
      const part = (heading) => (one) =>
        element('section', { key: one.id, id: one.id }, element(heading, null, one.title), markdown(one.source));
      const guide = ({ id, title, source, parts }) =>
        element(
          'section',
          { key: id, id, className: 'docs-section docs-guide' },
          element('h2', null, title),
          markdown(source),
          ...parts.map(part('h3')),
        );
      return element(
        React.Fragment,
        null,
        prose.parts.length + prose.source.length > 0 &&
          element(
            'section',
            { className: 'docs-section docs-prose', 'aria-label': 'About' },
            markdown(prose.source),
            ...prose.parts.map(part('h2')),
          ),
        ...guides.map(guide),
      );
    });
    return {
      wrapComponents: {
        operations: (Original) => (props) =>
          element(React.Fragment, null, element(Guides, { Markdown: props.getComponent('Markdown', true) }), element(Original, props)),
      },
    };
  };
