/* The guides of the project above the reference: Markdown files beside the contract. Plain JavaScript of a browser. */

/**
 * A guide's title is its first heading; other headings are one level lower, below the title. Lines of code are left alone.
 *
 * @param name of the file, as in a URL.
 */
export function parseGuide(name, text) {
  const headings = [];
  const lines = [];
  let fence;
  for (const line of text.split('\n')) {
    const mark = ['```', '~~~'].find((one) => line.trimStart().startsWith(one));
    if (mark !== undefined && (fence ?? mark) === mark) fence = fence === undefined ? mark : undefined;
    const [, level, heading] = (fence === undefined && /^(#{1,6})[ \t](.*)$/.exec(line)) || [];
    if (heading === undefined) lines.push(line);
    else if (headings.push(heading.replaceAll('`', '').trim()) > 1) lines.push(`#${level.slice(0, 5)} ${heading}`);
  }
  // As a part of the address Swagger UI leaves it alone.
  const id = `/guides/${name.replace('.md', '')}`;
  return { id, name, title: headings[0] ?? decodeURIComponent(name), text: headings.join('\n').toLowerCase(), source: lines.join('\n') };
}

/** A link to the file of another guide leads to its section. */
function linkGuides(guides) {
  return guides.map((guide) => {
    const link = (source, { id, name }) => source.replaceAll(`](${name})`, `](#${id})`).replaceAll(`](./${name})`, `](#${id})`);
    return { ...guide, source: guides.reduce(link, guide.source) };
  });
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
  (guides) =>
  ({ React }) => {
    const element = React.createElement;
    const Guides = React.memo(({ Markdown }) => {
      // The section was not there yet when the page was opened by its address.
      React.useEffect(() => {
        if (guides.some(({ id }) => location.hash === `#${id}`)) document.getElementById(location.hash.slice(1)).scrollIntoView();
      }, []);
      return guides.map(({ id, title, source }) =>
        element(
          'section',
          { key: id, id, className: 'docs-section docs-guide' },
          element('h2', null, title),
          element(Markdown, { source, isWhole: true }),
        ),
      );
    });
    return {
      wrapComponents: {
        operations: (Original) => (props) =>
          element(React.Fragment, null, element(Guides, { Markdown: props.getComponent('Markdown', true) }), element(Original, props)),
      },
    };
  };
