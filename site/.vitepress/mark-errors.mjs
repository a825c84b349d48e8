/** Marks errors in code: what a line of `~` is below, as compilers print it, and the lines that are an error. */
const SQUIGGLE = /^\/\/ *(~+)$/;
const ERROR = /^(?:\/\/ (?=error )|(?=HTTP\/1\.1 [45]))/;

/** A transformer of Shiki, which highlights the code of VitePress. */
export const markErrors = {
  name: 'mark-errors',
  preprocess(code, options) {
    const lines = [];
    options.decorations ??= [];
    const mark = (line, from, to, name) =>
      options.decorations.push({ start: { line, character: from }, end: { line, character: to }, properties: { class: name } });
    for (const line of code.split('\n')) {
      const [, squiggle] = SQUIGGLE.exec(line) ?? [];
      if (squiggle !== undefined) {
        mark(lines.length - 1, line.length - squiggle.length, line.length, 'wrong');
        continue;
      }
      const text = line.replace(ERROR, '');
      if (ERROR.test(line)) mark(lines.length, 0, text.length, 'error');
      lines.push(text);
    }
    return lines.join('\n');
  },
};
