/** Texts of other people (documents, headers, paths) for a terminal or a log: no character of theirs is a command, or a line of its own. */

/** Controls, ends of lines, and marks that change the order in which text is shown (Unicode TR 36, bidirectional text spoofing). */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const UNPRINTABLE_IN_LINES = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/**
 * What CI systems run when they read it in a log: a line of GitHub's that begins with `::`, and `##[...]`, `##vso[...]`, `##teamcity[...]`.
 * `::: ` begins a heading of this tool, which none of them takes for a command.
 */
const LINE_COMMAND = /^([\p{Zs}\uFEFF]*)::(?!: )/gmu;
const MARKED_COMMAND = /##(?=\w*\[)/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escape = (character: string): string => SHORT[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** A text in one line, with JSON's escapes for what would be a control character, a line or a direction of writing: `a\nb`. */
export const printable = (text: string): string => text.toWellFormed().replace(UNPRINTABLE, escape).replace(MARKED_COMMAND, '#\\u0023');

/** The same for texts of several lines, of which none is a command of a CI system. JSON stays JSON of the same value. */
export const printableLines = (text: string): string =>
  printableCommands(text)
    .replace(LINE_COMMAND, (_, indent: string) => `${indent}\\u003a:`)
    .replace(MARKED_COMMAND, '#\\u0023');

/**
 * The same for a module in TypeScript or a file of JSON that is made of a document: escapes are of one meaning in its literals, and can be seen in
 * its comments (CVE-2021-42574, code that is shown in another order than it runs). Tabs stay.
 */
export const printableSource = (text: string): string =>
  text.toWellFormed().replace(UNPRINTABLE_IN_LINES, (character) => (character === '\t' ? character : escape(character)));

/** The same for lines that are meant as commands of a CI system. */
export const printableCommands = (text: string): string => text.toWellFormed().replace(UNPRINTABLE_IN_LINES, escape);
