/** The template of new projects, with what accounts or access tokens add to it. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '@specwright/contract/document';
import { isMap, parse, parseDocument } from 'yaml';

/** The package that has the templates: this one. */
export const OWN_PACKAGE = fileURLToPath(new URL('../..', import.meta.url));
export const TEMPLATE = join(OWN_PACKAGE, 'template');

/** Path from the project's root, with `/` -> text. */
export type Texts = Map<string, string>;

/** Made by tools, or of the template's own contract. */
const NOT_COPIED = ['generated/', 'node_modules/', '.data/', '.cache/', '.build/'];
const OWN_HANDLERS = 'src/handlers/';
/** npm leaves these out of a tarball under their own names. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore', npmrc: '.npmrc' };

/** What is added to the template. */
export interface TemplateKind {
  /** API keys, plans, limits and bans. */
  readonly accounts: boolean;
  /** Callers with access tokens of an identity provider. */
  readonly jwt: boolean;
}

export interface TemplateOptions extends TemplateKind {
  readonly name: string;
}

/**
 * The files of the template, with the name of the service, and otherwise still for the template's own contract.
 *
 * @param folder of the package, of this version or another.
 */
export function readTemplate(folder: string, { accounts, jwt, name }: TemplateOptions): Texts {
  const files = filesOf(join(folder, 'template'), (path) => !isOwn(path));
  for (const added of [...(accounts ? ['template-accounts'] : []), ...(jwt ? ['template-jwt'] : [])])
    for (const [path, text] of filesOf(join(folder, added))) files.set(path, overlay(path, files.get(path), text));
  // A plain word in the template, which is a project itself; the name has letters, digits and underscores only.
  return new Map([...files].map(([path, text]) => [RENAMED[path] ?? path, text.replaceAll('template_service', () => name)]));
}

const isOwn = (path: string) =>
  NOT_COPIED.some((folder) => path.startsWith(folder)) ||
  path === 'package-lock.json' ||
  (path.startsWith(OWN_HANDLERS) && path !== `${OWN_HANDLERS}index.ts`);

function filesOf(folder: string, isWanted: (path: string) => boolean = () => true): Texts {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const files = paths.filter((path) => isWanted(path) && statSync(join(folder, path)).isFile()).sort();
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Fields are added to those of a manifest or a map, and sections replaced in a page; any other file takes the place of the template's. */
function overlay(path: string, base: string | undefined, text: string): string {
  if (base === undefined) return text;
  if (path.endsWith('.json')) return formatJson(merged(JSON.parse(base), JSON.parse(text)));
  if (path.endsWith('.yaml')) return addFields(base, parse(text) as Fields);
  return path.endsWith('.md') ? mergeSections(base, text) : text;
}

type Fields = Record<string, unknown>;

/** Dependencies are in the order that npm gives them. */
function merged(base: unknown, added: unknown, key = ''): unknown {
  if (!isObject(base) || !isObject(added)) return added;
  const fields: Fields = { ...base };
  for (const [name, value] of Object.entries(added)) fields[name] = merged(fields[name], value, name);
  return /dependencies$/i.test(key) ? Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))) : fields;
}

/** Keeps the comments. */
function addFields(base: string, added: Fields): string {
  const document = parseDocument(base);
  const add = (path: string[], value: unknown): void => {
    const there = document.getIn(path);
    if (isObject(value) && isMap(there) && there.items.length > 0)
      for (const [name, inner] of Object.entries(value)) add([...path, name], inner);
    else document.setIn(path, document.createNode(value));
  };
  for (const [name, value] of Object.entries(added)) add([name], value);
  return document.toString({ lineWidth: 0 });
}

export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

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
