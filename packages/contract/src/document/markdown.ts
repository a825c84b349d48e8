/** Texts of a document in Markdown: they are shown, and make no element, image or link of a page. */
import { printable } from './printable.ts';

/** What begins something in Markdown or HTML (CommonMark 2.4, backslash escapes), without what makes prose unreadable. */
const SPECIAL = /[\\`*_[\]<>|~#@!&]/g;
/** `code`, as this tool quotes a name or a value; of the document there is no backtick in it. */
const CODE = /(?<!`)(`[^`]+`)(?!`)/;

/** A text of one line, in which what is between backticks stays code. */
export const escapeMarkdown = (text: string): string =>
  printable(text)
    .split(CODE)
    .map((part, i) => (i % 2 === 1 ? part.replaceAll('|', '\\|') : part.replace(SPECIAL, '\\$&')))
    .join('');

/** A name or a value as code. A backtick would end it. */
export const codeSpan = (text: string): string => `\`${printable(text).replaceAll('`', '\\u0060').replaceAll('|', '\\|')}\``;
