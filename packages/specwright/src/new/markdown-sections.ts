/** Pages of Markdown as sections, so that one can be replaced: a heading of level 2 or 3, and the lines below it. */

interface Section {
  /** `## Write first`; empty for what is above the first heading. */
  readonly heading: string;
  readonly lines: readonly string[];
}

function sectionsOf(text: string): Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fence = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) fence = !fence;
    if (!fence && (line.startsWith('## ') || line.startsWith('### '))) sections.push({ heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

const textOf = ({ heading, lines }: Section): string => (heading === '' ? lines : [heading, ...lines]).join('\n');

/**
 * Replaces sections of a page by those of another with the same heading.
 *
 * @throws Error if the page has no such section, so that nothing is left out unnoticed.
 */
export function mergeSections(page: string, sections: string): string {
  const given = sectionsOf(sections).filter(({ heading }) => heading !== '');
  const have = sectionsOf(page);
  const missing = given.find(({ heading }) => !have.some((section) => section.heading === heading));
  if (missing !== undefined) throw new Error(`the page has no section ${missing.heading}`);
  return have
    .map((section) => {
      const other = given.find(({ heading }) => heading === section.heading);
      return other === undefined ? textOf(section) : `${textOf(other).trimEnd()}\n`;
    })
    .join('\n');
}
