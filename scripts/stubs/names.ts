/** Names of files and values, made from what a spec calls things. */

/** `Pet Photos` -> `pet-photos`; empty if nothing of it can stand in a file name. */
export function kebab(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
}

/** `pet-photos` -> `petPhotos` */
export const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()).replace(/^\d/, '_$&');

/** `pets` -> `pet`, as the handler files name what they export. */
export function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(ss|sh|ch|x|us)es$/.test(word)) return word.slice(0, -2);
  return /(ss|us|is|ws)$/.test(word) ? word : word.replace(/s$/, '');
}

/** A string literal as Prettier writes it here. */
export const quoted = (text: string): string =>
  `'${text.replace(/[\\']/g, '\\$&').replace(/[\u0000-\u001f\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;

/** A property's name: bare where the language allows it. */
export const propertyName = (id: string): string => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(id) ? id : quoted(id));
