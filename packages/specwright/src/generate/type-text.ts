/** Writes types as TypeScript text, in the layout of the compiler's printer. */

/** A type, and what has to be known of it to write it inside another one. */
export interface TypeText {
  readonly text: string;
  /** `several` is put in parentheses inside other types; of keywords, a union has each once. */
  readonly kind: 'keyword' | 'one' | 'several';
}

export interface Member {
  readonly key: string;
  readonly isOptional?: boolean;
  readonly type: TypeText;
  /** As `commentOf` makes it. */
  readonly comment?: readonly string[];
}

export const one = (text: string): TypeText => ({ text, kind: 'one' });
const keyword = (text: string): TypeText => ({ text, kind: 'keyword' });

export const NEVER = keyword('never');
export const NULL = keyword('null');
export const STRING = keyword('string');
export const NUMBER = keyword('number');
export const BOOLEAN = keyword('boolean');
export const UNKNOWN = one('unknown');

export const recordOf = (values: TypeText): TypeText => one(`Record<string, ${values.text}>`);
export const generic = (name: string, ...types: readonly TypeText[]): TypeText =>
  one(`${name}<${types.map(({ text }) => text).join(', ')}>`);

const within = ({ text, kind }: TypeText): string => (kind === 'several' ? `(${text})` : text);

export const arrayOf = (item: TypeText): TypeText => one(`${within(item)}[]`);

/** The elements are optional from `required` on. @param rest of the elements that are not named; `undefined` if there are none. */
export function tupleOf(elements: readonly TypeText[], required = elements.length, rest?: TypeText): TypeText {
  const texts = elements.map((element, i) => (i < required ? element.text : `${within(element)}?`));
  const all = rest === undefined ? texts : [...texts, `...${arrayOf(rest).text}`];
  return one(`[\n${indent(all.join(',\n'))}${all.length > 0 ? '\n' : ''}]`);
}

export const unionOf = (types: readonly TypeText[]): TypeText => joined(types, ' | ');
export const intersectionOf = (types: readonly TypeText[]): TypeText => joined(types, ' & ');

function joined(types: readonly TypeText[], separator: string): TypeText {
  const [first = NEVER, ...others] = types;
  if (others.length === 0) return first;
  const distinct = types.filter((type, i) => type.kind !== 'keyword' || types.findIndex(({ text }) => text === type.text) === i);
  return { text: distinct.map(within).join(separator), kind: 'several' };
}

export const objectOf = (members: readonly Member[]): TypeText =>
  one(members.length === 0 ? '{}' : `{\n${indent(members.map(memberText).join('\n'))}\n}`);

export const indexOf = (name: string, values: TypeText): TypeText => one(`{\n${indent(indexText(name, values))}\n}`);

/** An object that may have properties that are not named. */
export const openObjectOf = (members: readonly Member[], name: string, values: TypeText): TypeText =>
  one(`{\n${indent([...members.map(memberText), indexText(name, values)].join('\n'))}\n}`);

const indexText = (name: string, { text }: TypeText): string => `[${name}: string]: ${text};`;

const memberText = ({ key, isOptional = false, type, comment = [] }: Member): string =>
  [...comment, `${keyText(key)}${isOptional ? '?' : ''}: ${type.text};`].join('\n');

export const interfaceText = (name: string, members: readonly Member[]): string =>
  members.length === 0 ? `export type ${name} = Record<string, never>;` : `export interface ${name} ${objectOf(members).text}`;

const indent = (text: string): string => text.replaceAll('\n', '\n    ').replace(/^(?=.)/, '    ');

/** A name where TypeScript takes one. */
const keyText = (key: string): string => {
  const isNumber = String(Number(key)) === key && !key.startsWith('-');
  return isNumber || /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
};

/** In ASCII, as the compiler prints it. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

/** `components["schemas"]["Pet"]` */
export const accessOf = (root: string, ...keys: readonly string[]): TypeText =>
  one(`${root}${keys.map((key) => `[${quoted(key)}]`).join('')}`);

export function literalOf(value: unknown): TypeText {
  if (value === null) return NULL;
  if (typeof value === 'boolean') return keyword(String(value));
  if (typeof value === 'string') return one(JSON.stringify(value));
  if (typeof value === 'number' || typeof value === 'bigint') return one(`${value}${typeof value === 'bigint' ? 'n' : ''}`);
  if (Array.isArray(value)) return value.length === 0 ? arrayOf(NEVER) : tupleOf(value.map(literalOf));
  const members = Object.entries(value as object).map(([key, member]) => ({ key, type: literalOf(member) }));
  return members.length === 0 ? recordOf(NEVER) : objectOf(members);
}

/** What an author says of a part of a document, as the lines of a comment. */
export function commentOf(part: unknown): string[] {
  const given = typeof part === 'object' && part !== null && !Array.isArray(part) ? notesOf(part as Record<string, unknown>) : [];
  const [only, ...rest] = given.map((text) => text.replaceAll('*/', '*\\/'));
  if (only === undefined) return [];
  if (rest.length === 0 && !only.includes('\n')) return [`/** ${only} */`];
  const lines = [only, ...rest].flatMap((text) => text.split('\n').map((line, i) => ` * ${i === 0 ? '' : '    '}${line}`.trimEnd()));
  return ['/**', ...lines, ' */'];
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function notesOf({ title, summary, format, deprecated, description, examples, ...others }: Record<string, unknown>): string[] {
  return [
    ...[title, summary].filter(isText).map(commentText),
    ...(isText(format) ? [`Format: ${format}`] : []),
    ...(deprecated === true ? ['@deprecated'] : []),
    ...(isText(description) ? [`@description ${commentText(description)}`] : []),
    ...['default', 'example'].filter((name) => others[name] !== undefined).map((name) => `@${name} ${commentText(others[name])}`),
    ...(Array.isArray(examples) ? examples.map((example) => `@example ${commentText(example)}`) : []),
    ...('const' in others ? ['@constant'] : []),
    ...(Array.isArray(others['enum']) ? [`@enum {${([others['type'] ?? 'unknown'].flat() as string[]).join('|')}}`] : []),
  ];
}

/** Every line break of JavaScript would end a line of the comment. */
const commentText = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).trim().replace(/\r\n|[\r\u2028\u2029]/g, '\n');
