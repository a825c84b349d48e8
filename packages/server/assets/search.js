/* What a reader finds who types, and where in it. Plain JavaScript of a browser. */
import { listOperations } from './contract.js';
import { resolve } from './references.js';
import { codesOf, listErrors } from './errors.js';
import { schemaId } from './schema-view.js';

const SCHEMA = /^#\/components\/schemas\/([^/]+)$/;
/** Characters of a text on each side of what is found. */
const AROUND = 24;

/** The references and the names of properties in a part of the contract, without those in what they refer to. */
function readPart(part, found = { references: new Set(), names: new Set() }) {
  if (part === null || typeof part !== 'object') return found;
  if (typeof part.$ref === 'string') found.references.add(part.$ref);
  if (part.properties !== null && typeof part.properties === 'object')
    for (const name of Object.keys(part.properties)) found.names.add(name);
  for (const value of Object.values(part)) readPart(value, found);
  return found;
}

/** The schemas of an operation, with those that they use, and the names of their properties. */
function readBodies(spec, operation, known) {
  const { references, names } = readPart(operation);
  // A set is extended while it is read.
  for (const reference of references) {
    if (!known.has(reference)) known.set(reference, readPart(resolve(spec, { $ref: reference })));
    const next = known.get(reference);
    for (const one of next.references) references.add(one);
    for (const one of next.names) names.add(one);
  }
  return { schemas: [...references].flatMap((reference) => SCHEMA.exec(reference)?.slice(1) ?? []), names: [...names] };
}

/** The id that Swagger UI has of an operation, too. */
export const operationIdOf = ({ operation, method, path }) => operation.operationId ?? `${method} ${path}`;

/** Lines by the place where they are; those of the first place need not be named. */
const searchable = (places) => {
  const fields = Object.entries(places).map(([place, lines]) => ({ place, lines, text: lines.join('\n').toLowerCase() }));
  return { fields, text: fields.map(({ text }) => text).join('\n') };
};

/** Made once: each operation with its tags and the texts in which is searched. */
export function createIndex(spec) {
  const known = new Map();
  return listOperations(spec).map((found) => {
    const { operation, method, path, item } = found;
    const id = operationIdOf(found);
    const { summary = '', description = '', tags = [] } = operation;
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(
      (parameter) => resolve(spec, parameter)?.name ?? '',
    );
    const { schemas, names } = readBodies(spec, [operation, item.parameters], known);
    const places = {
      name: [summary, id, method, path, ...tags],
      parameter: parameters,
      schema: schemas,
      body: names,
      error: codesOf(spec, operation),
      text: [plain(description)],
    };
    return {
      id,
      method,
      path,
      summary: summary || path,
      isDeprecated: operation.deprecated === true,
      tags: tags.length > 0 ? tags : ['default'],
      ...searchable(places),
    };
  });
}

/** A part of the page that is no operation. */
const entryOf = (id, title, places, more) => ({ href: `#${id}`, title, ...searchable({ name: [title], ...places }), ...more });

/** The text of Markdown, without its marks. */
const plain = (source) => source.replaceAll(/\]\([^)]*\)/g, '').replaceAll(/[`*#[\]]/g, '');

/** The headings of prose and of guides. */
export const indexProse = (prose) => prose.parts.map(({ id, title, source }) => entryOf(id, title, { text: [plain(source)] }));
export const indexGuides = (guides) =>
  guides.flatMap(({ id, title, source, parts }) => [
    entryOf(id, title, { text: [plain(source)] }),
    ...parts.map((part) => entryOf(part.id, part.title, { text: [plain(part.source)] }, { isInner: true })),
  ]);

/** What follows the operations. Error codes and schemas are many: they are listed when they are found. */
export function indexReference(spec, sections) {
  const errors = listErrors(spec).map(({ code, advice }) => entryOf(`docs-errors/${code}`, code, { text: [advice] }, { kind: 'error' }));
  const schemas = Object.entries(spec.components?.schemas ?? {}).map(([name, schema]) => {
    const { names } = readPart(schema);
    return entryOf(schemaId(name), name, { property: [...names], text: [schema.description ?? ''] }, { kind: 'schema' });
  });
  const all = schemas.length > 0 ? { ...sections, 'docs-schemas': 'Schemas' } : sections;
  return [...Object.entries(all).map(([id, title]) => entryOf(id, title, {})), ...errors, ...schemas];
}

/** The line in which a word is: a name whole, of a text the part around it. */
function showLine({ place, lines }, word) {
  const line = lines.find((one) => one.toLowerCase().includes(word));
  if (place !== 'text') return `${place} ${line}`;
  const at = line.toLowerCase().indexOf(word);
  const [start, end] = [Math.max(0, at - AROUND), at + word.length + AROUND];
  return `${start > 0 ? '…' : ''}${line.slice(start, end).replaceAll(/\s+/g, ' ')}${end < line.length ? '…' : ''}`;
}

/** @returns a function that says where an entry of the index has every word; `undefined` if it has not. */
export function matcher(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ text, fields }) => {
    if (!words.every((word) => text.includes(word))) return undefined;
    const word = words.find((one) => !fields[0].text.includes(one));
    return word === undefined
      ? ''
      : showLine(
          fields.find((field) => field.text.includes(word)),
          word,
        );
  };
}
