/** What requests and responses have as parts: media types, headers, links; and what parts are made with. */
import {
  isObject,
  pointerTo,
  resolveAt,
  type Document,
  type Header,
  type MediaType,
  type OperationObject,
  type Parameter,
  type Response,
} from '@specwright/contract/document';
import type { Fact, Facts, Part } from './part.ts';
import { schemaPart } from './schema-part.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A part without references and facts, unless they are given. */
export function part(pointer: string, parts: () => ReadonlyMap<string, Part>, facts: Facts = {}, text?: string): Part {
  const made: Part = { segment: text === undefined ? undefined : { text }, pointer, facts, references: [], parts, expand: () => made };
  return made;
}

export const at = (pointer: string, ...keys: readonly (string | number)[]) => pointer + pointerTo(...keys).slice(1);

/** The fields of an object that are not at their default, as facts. */
export function factsOf(object: object, pointer: string, defaults: Fields): Facts {
  const given = object as Fields;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]): [string, Fact] => [name, { value: given[name] ?? value, pointer: at(pointer, name) }]),
  );
}

/** The schema of a parameter or a header, or that of its content. */
export function valueParts(document: Document, { schema, content }: Parameter | Header, pointer: string): Map<string, Part> {
  if (schema !== undefined) return new Map([['schema', schemaPart(document, schema, at(pointer, 'schema'))]]);
  return contentParts(document, content, at(pointer, 'content'));
}

/** Each media type. */
export function contentParts(document: Document, content: Record<string, MediaType> = {}, parent: string): Map<string, Part> {
  const types = Object.entries(content);
  return new Map(
    types.map(([type, media]) => {
      const pointer = at(parent, type);
      const schemas = [
        ['schema', media.schema, undefined],
        ['itemSchema', media.itemSchema, { text: '[]', isPath: true }],
        ['x-item-schema', media['x-item-schema'], { text: '[]', isPath: true }],
      ] as const;
      const parts = () =>
        new Map(
          schemas.flatMap(([name, schema, segment]) => {
            if (schema === undefined) return [];
            const key = name === 'schema' ? name : 'items';
            return [[key, schemaPart(document, schema, at(pointer, name), segment && { segment })] as const];
          }),
        );
      const facts = flatFacts(media.encoding ?? {}, at(pointer, 'encoding'), 'encoding');
      const made = part(pointer, parts, facts, `\`${type}\``);
      return [type.toLowerCase(), { ...made, isOnly: types.length === 1 }];
    }),
  );
}

/** Each header of a response. */
function headerParts(document: Document, headers: Response['headers'] = {}, parent: string): [string, Part][] {
  return Object.entries(headers).flatMap(([name, reference]): [string, Part][] => {
    if (name.toLowerCase() === 'content-type') return [];
    const { value, pointer } = resolveAt<Header>(document, reference, at(parent, name));
    const facts = factsOf(value, pointer, { required: false, deprecated: false });
    return [[`header ${name.toLowerCase()}`, part(pointer, () => valueParts(document, value, pointer), facts, `header \`${name}\``)]];
  });
}

/** Each status. */
export function responseParts(document: Document, { responses }: OperationObject, parent: string): [string, Part][] {
  return Object.entries(responses).map(([status, reference]) => {
    const { value, pointer } = resolveAt<Response>(document, reference, at(parent, 'responses', status));
    const parts = () =>
      new Map([
        ...headerParts(document, value.headers, at(pointer, 'headers')),
        ...contentParts(document, value.content, at(pointer, 'content')),
        ...Object.entries(value.links ?? {}).map(([name, link]): [string, Part] => {
          const target = resolveAt<object>(document, link, at(pointer, 'links', name));
          return [`link ${name}`, part(target.pointer, () => new Map(), flatFacts(target.value, target.pointer), `link \`${name}\``)];
        }),
      ]);
    return [`response ${status}`, part(pointer, parts, {}, `response ${status}`)];
  });
}

/** Each value in an object as a fact, named by its keys. */
export function flatFacts(value: unknown, pointer: string, name = ''): Facts {
  if (!isObject(value)) return { [name]: { value, pointer } };
  const entries = Object.entries(value).filter(([key]) => key !== 'description');
  return Object.fromEntries(
    entries.flatMap(([key, inner]) => Object.entries(flatFacts(inner, at(pointer, key), name === '' ? key : `${name}.${key}`))),
  );
}
