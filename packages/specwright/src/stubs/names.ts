/** Names of files and values, made from what a spec calls things. */

/** `User Photos` -> `user-photos`; empty if nothing of it can stand in a file name. */
export function kebab(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])/g, '-')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/** `user-photos` -> `userPhotos` */
export const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()).replace(/^\d/, '_$&');

/** `users` -> `user`, as the handler files name what they export. */
export function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(ss|sh|ch|x|us)es$/.test(word)) return word.slice(0, -2);
  return /(ss|us|is|ws)$/.test(word) ? word : word.replace(/s$/, '');
}

/** A string literal as Prettier writes it here: in the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
  const double = text.split("'").length > text.split('"').length;
  return double ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A property's name: bare where the language allows it. */
export const propertyName = (id: string): string => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(id) ? id : quoted(id));

/** One line: every line terminator and control character is a space. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

export const lineComment = (text: string): string => `// ${oneLine(text)}`;

export const docComment = (text: string): string => `/** ${oneLine(text).replaceAll('*/', '* /')} */`;
