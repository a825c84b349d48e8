/** Where a document has which kind of object: what may be a reference, and the section of `components` that names its kind. */
import { METHODS } from './openapi.ts';
import { SCHEMA_KEYWORDS } from './subschemas.ts';

export type Kind =
  | 'document'
  | 'components'
  | 'defaults'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'schema'
  | 'callback'
  | 'link'
  | 'example'
  | 'securityScheme'
  | 'securityRequirement';

/** One object of a kind, a map of them, or a list. */
export type Content = Kind | `${Kind}{}` | `${Kind}[]`;

const all = (keys: readonly string[], content: Content) => Object.fromEntries(keys.map((key) => [key, content]));

const PARAMETER: Readonly<Record<string, Content>> = { schema: 'schema', content: 'mediaType{}', examples: 'example{}' };

/** What the fields of an object hold; `*` is every field. Fields that are not listed are data, in which `$ref` is no reference. */
export const FIELDS: Readonly<Record<Kind, Readonly<Record<string, Content>>>> = {
  document: {
    components: 'components',
    paths: 'pathItem{}',
    webhooks: 'pathItem{}',
    'x-webhooks': 'pathItem{}',
    security: 'securityRequirement[]',
    'x-operation-defaults': 'defaults[]',
  },
  components: {
    schemas: 'schema{}',
    parameters: 'parameter{}',
    headers: 'header{}',
    responses: 'response{}',
    requestBodies: 'requestBody{}',
    links: 'link{}',
    examples: 'example{}',
    callbacks: 'callback{}',
    pathItems: 'pathItem{}',
    mediaTypes: 'mediaType{}',
    securitySchemes: 'securityScheme{}',
  },
  defaults: { responses: 'response{}', headers: 'header{}' },
  pathItem: { parameters: 'parameter[]', ...all(METHODS, 'operation'), additionalOperations: 'operation{}' },
  operation: {
    parameters: 'parameter[]',
    requestBody: 'requestBody',
    responses: 'response{}',
    callbacks: 'callback{}',
    security: 'securityRequirement[]',
  },
  parameter: PARAMETER,
  header: PARAMETER,
  requestBody: { content: 'mediaType{}' },
  response: { headers: 'header{}', content: 'mediaType{}', links: 'link{}' },
  mediaType: {
    schema: 'schema',
    itemSchema: 'schema',
    'x-item-schema': 'schema',
    examples: 'example{}',
    encoding: 'encoding{}',
    prefixEncoding: 'encoding[]',
    itemEncoding: 'encoding',
  },
  encoding: { headers: 'header{}' },
  schema: {
    ...all(SCHEMA_KEYWORDS.one, 'schema'),
    ...all(SCHEMA_KEYWORDS.list, 'schema[]'),
    ...all(SCHEMA_KEYWORDS.named, 'schema{}'),
  },
  callback: { '*': 'pathItem' },
  link: {},
  example: {},
  securityScheme: {},
  securityRequirement: {},
};

/** The section of `components` that has objects of a kind. */
export const SECTIONS = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  response: 'responses',
  requestBody: 'requestBodies',
  link: 'links',
  example: 'examples',
  callback: 'callbacks',
  securityScheme: 'securitySchemes',
  pathItem: 'pathItems',
  mediaType: 'mediaTypes',
} as const satisfies Readonly<Partial<Record<Kind, string>>>;

export type ComponentSection = (typeof SECTIONS)[keyof typeof SECTIONS];

export const sectionOf = (kind: string): ComponentSection | undefined => (SECTIONS as Readonly<Record<string, ComponentSection>>)[kind];

export const kindOf = (content: Content): Kind => content.replace(/(?<!\W)\W+$/, '') as Kind;

export interface Field {
  readonly kind: Kind;
  readonly isMany: boolean;
}

const FIELDS_BY_KIND = new Map(
  Object.entries(FIELDS).map(([kind, fields]) => [
    kind as Kind,
    new Map(
      Object.entries(fields).map(([name, content]): [string, Field] => [
        name,
        { kind: kindOf(content), isMany: kindOf(content) !== content },
      ]),
    ),
  ]),
);

/** `undefined` for a field that holds data. */
export function fieldOf(kind: Kind, name: string): Field | undefined {
  const fields = FIELDS_BY_KIND.get(kind);
  return fields?.get(name) ?? fields?.get('*');
}
