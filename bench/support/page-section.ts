/** The sections of docs/benchmarks.md and bench/results/README.md that are made from results: between `<!-- NAME -->` and `<!-- /NAME -->`. */

/** @returns the page with another text in a section. @throws Error if the page does not have it. */
export function fillSection(page: string, name: string, text: string): string {
  const marks = new RegExp(`(<!-- ${name} -->)[^]*(<!-- /${name} -->)`);
  if (!marks.test(page)) throw new Error(`the page has no place for the figures: <!-- ${name} --> and <!-- /${name} -->`);
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n\n${text}\n\n${end}`);
}

/** A table of Markdown: texts in the first column, numbers in the others. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}
