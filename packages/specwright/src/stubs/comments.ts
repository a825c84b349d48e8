/** Text of a document in comments of code: it never ends the comment that it is in. */

/** One line: every line terminator and control character is a space. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

export const lineComment = (text: string): string => `// ${oneLine(text)}`;

export const docComment = (text: string): string => `/** ${oneLine(text).replaceAll('*/', '* /')} */`;
