/** Names the types of a client: a name for each schema, which hovers and errors show, and the types of bodies that are made of these. */
import {
  type Document,
  type DocumentOutgoing,
  type MediaType,
  type Schema,
  bodyKind,
  isReadOnly,
  isWriteOnly,
  outgoingBody,
  pointerKeys,
  propertiesOf,
  requiredOf,
  typeOf,
} from '@specwright/contract/document';
import ts from '../libraries/typescript.ts';
import { SchemaTypes } from '../generate/schema-types.ts';
import * as types from '../generate/type-text.ts';
import type { TypeText } from '../generate/type-text.ts';
import { outgoingSchema } from '../generate/types-document.ts';

/** Who sends a value: clients send no `readOnly` properties, servers no `writeOnly` ones. */
type Sender = 'client' | 'server';

export interface BodyTypes {
  /** The declarations of the named schemas, and what they need. */
  readonly declarations: () => string;
  readonly received: (type: string, media: MediaType) => TypeText;
  readonly sent: (type: string, media: MediaType) => TypeText;
  /** What a webhook or callback brings. */
  readonly payload: (outgoing: DocumentOutgoing) => string;
  /** Declares a type under a name, or one like it if there is such a name. @returns the name. */
  readonly declare: (name: string, type: TypeText) => string;
  /** As `declare`, of a response: by media type. An interface has its name everywhere, other than an alias of one. */
  readonly declareReply: (name: string, replies: readonly string[]) => string;
}

/**
 * @param document as `typesDocument` makes it, and the document that it was made of.
 * @param module without these types: its names are taken.
 */
export function createBodyTypes(document: Document, model: Document, module: string): BodyTypes {
  const taken = new Set([...TYPE_NAMES, ...identifiersIn(module)]);
  const declared: string[] = [];
  const nameFor = (wanted: string, suffix = ''): string => {
    let name = wanted.replace(/[^\w$]+(.?)/g, (_, next: string) => next.toUpperCase()).replace(/^(?=\d|$)/, '_');
    name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    if (taken.has(name)) name += suffix;
    while (taken.has(name)) name += '_';
    taken.add(name);
    return name;
  };
  const declare: BodyTypes['declare'] = (wanted, { text }) => {
    const name = nameFor(wanted);
    declared.push(`export type ${name} = ${text};\n`);
    return name;
  };

  const { client, server, texts } = schemaTypes(document, nameFor);
  declared.push(...texts);
  return {
    declare,
    declareReply: (wanted, replies) => {
      if (replies.length > 1) return declare(wanted, types.one(replies.join(' | ')));
      const name = nameFor(wanted);
      declared.push(`export interface ${name} extends ${replies.join('')} {}\n`);
      return name;
    },
    declarations: () => [...declared, ...new Set([...client.helpers(), ...server.helpers()].map((text) => `${text}\n`))].join(''),
    received: (type, { schema }) => {
      const item = itemOf(schema);
      if (item !== undefined) return types.generic('AsyncIterable', server.typeOf(item));
      if (isJson(type)) return server.typeOf(schema);
      return type.startsWith('text/') ? types.STRING : types.one('Blob');
    },
    sent: (type, { schema }) => {
      const item = itemOf(schema);
      if (item !== undefined) return type.startsWith('text/') ? types.STRING : types.one(`SentItems<${client.typeOf(item).text}>`);
      if (isJson(type) || type.startsWith('application/x-www-form-urlencoded')) return client.typeOf(schema);
      if (bodyKind(type) !== 'multipart') return types.one('SentBytes');
      return types.unionOf([types.one('FormData'), ...(schema === undefined ? [] : [sentParts(client, schema)])]);
    },
    payload: (outgoing) => {
      const body = outgoingBody(model, outgoing);
      if (body === undefined) return 'undefined';
      const { text } = server.typeOf(outgoingSchema(document, outgoing, body.type));
      return body.isRequired ? text : `${text} | undefined`;
    },
  };
}

/** Declares the named schemas, and writes others with their names. */
function schemaTypes(document: Document, nameFor: (wanted: string, suffix?: string) => string) {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const names = new Map(schemas.map(([name]) => [name, nameFor(name, 'Schema')]));
  /** The names of schemas that clients send otherwise than servers do. */
  const writable = new Map<string, string>();
  const followed: string[] = [];
  const writer = (sender: Sender) =>
    new SchemaTypes(document, {
      typeOfReference: (reference) => {
        const name = pointerKeys(reference)[2] ?? '';
        followed.push(name);
        return types.one((sender === 'client' ? writable.get(name) : undefined) ?? names.get(name) ?? 'unknown');
      },
      typeOfProperty: (property, type) => ((sender === 'client' ? isReadOnly : isWriteOnly)(property) ? undefined : type),
    });
  const [client, server] = [writer('client'), writer('server')];

  const differing = schemas.map(([name, schema]) => {
    followed.length = 0;
    return { name, isDifferent: client.typeOf(schema).text !== server.typeOf(schema).text, follows: [...followed] };
  });
  for (let size = -1; size < writable.size;) {
    size = writable.size;
    for (const { name, isDifferent, follows } of differing)
      if (!writable.has(name) && (isDifferent || follows.some((one) => writable.has(one)))) writable.set(name, nameFor(`${name}Writable`));
  }
  const texts: string[] = [];
  for (const [name, schema] of schemas) {
    const comment = types.commentOf(schema).map((line) => `${line}\n`).join(''); // prettier-ignore
    texts.push(`${comment}export type ${names.get(name) ?? ''} = ${server.typeOf(schema).text};\n`);
    const other = writable.get(name);
    if (other !== undefined) texts.push(`/** As clients send it. */\nexport type ${other} = ${client.typeOf(schema).text};\n`);
  }
  const sent = schemas.map(([name]) => `  ${JSON.stringify(name)}: ${writable.get(name) ?? names.get(name) ?? ''};\n`);
  texts.push(`/** The named schemas, as clients send them. */\nexport interface Schemas {\n${sent.join('')}}\n`);
  return { client, server, texts };
}

/** Of a sequence, as `typesDocument` writes it. */
const itemOf = (schema: Schema | undefined): Schema | undefined => (schema === undefined ? undefined : propertiesOf(schema)['$items']);

/** Fields, and files under their names. */
function sentParts(client: SchemaTypes, schema: Schema): TypeText {
  const { $fields: fields, $files: files } = propertiesOf(schema);
  const required = files === undefined ? [] : requiredOf(files);
  const members = Object.entries(files === undefined ? {} : propertiesOf(files)).map(([key, file]) => ({
    key,
    isOptional: !required.includes(key),
    type: types.one(typeOf(file) === 'array' ? 'readonly SentFile[]' : 'SentFile'),
  }));
  const named = client.typeOf(fields);
  const parts = [...(named.text === 'Record<string, never>' ? [] : [named]), ...(members.length > 0 ? [types.objectOf(members)] : [])];
  return parts.length === 0 ? types.one('object') : types.intersectionOf(parts);
}

const isJson = (type: string): boolean => /[/+]json/.test(type) || type === '*/*' || type === 'application/*';

/** What the types of a client name beside the runtime. */
const TYPE_NAMES = [
  'Date',
  'EventOperation',
  'Inputs',
  'NonNullable',
  'PagedOperation',
  'Required',
  'Schemas',
  'WebhookPayloads',
  'WithAdditional',
  'WithRequired',
];

/** The names that a module uses: its own, and those of JavaScript and browsers. */
export function identifiersIn(module: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('client.ts', module, ts.ScriptTarget.ES2022));
  return found;
}
