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
const SECTIONS = {
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

/** Sections that OpenAPI 3.0 lacks: what they have is written out in place of a reference to it. */
const WRITTEN_OUT: readonly string[] = ['pathItems', 'mediaTypes'];

/** The sections whose parts may be components of any document. */
export const BUNDLED_SECTIONS = Object.values(SECTIONS).filter((section) => !WRITTEN_OUT.includes(section));

/** The section that an object of another file becomes a component of. */
export const bundledSectionOf = (kind: string): ComponentSection | undefined => {
  const section = sectionOf(kind);
  return section === undefined || WRITTEN_OUT.includes(section) ? undefined : section;
};

/** The kind of the object at these keys from the root of a document; `undefined` where it has data, or a map or a list of objects. */
export function kindAt(keys: readonly (string | number)[]): Kind | undefined {
  const content = contentAt(keys);
  return content !== undefined && kindOf(content) === content ? content : undefined;
}

export const isDataAt = (keys: readonly string[]): boolean => contentAt(keys) === undefined;

function contentAt(keys: readonly (string | number)[]): Content | undefined {
  let content: Content | undefined = 'document';
  for (const key of keys) {
    if (content === undefined) return undefined;
    const kind = kindOf(content);
    content = kind !== content ? kind : (FIELDS[kind][key] ?? FIELDS[kind]['*']);
  }
  return content;
}

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
