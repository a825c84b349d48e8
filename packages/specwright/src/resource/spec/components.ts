/** The components that new operations share: those of the document where they fit, else those of the template. */
import {
  declaredDefault,
  formatOf,
  isObject,
  limitsOf,
  patternOf,
  typeOf,
  valuesOf,
  type Document,
  type Header,
  type OperationObject,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { parse } from 'yaml';
import { givenOf, wordsOf, type Resource, type SchemaSource } from '../resource.ts';
import { fill, readTemplate } from '../template.ts';

type Component = Schema | Parameter | Header | Response;
type Section = 'schemas' | 'parameters' | 'headers' | 'responses';

/** Operations and components, as OpenAPI has them. */
export interface SpecTemplate {
  /** The schemas of properties of the command line, by type. Each is bounded, as the columns are. */
  readonly types: Readonly<Record<string, SchemaSource>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject | readonly Reference[]>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, SchemaSource>>;
  };
}

/** The template with the names of a resource. */
export function readSpecTemplate(resource: Resource): SpecTemplate {
  const { names, owner } = resource;
  const optional = givenOf(resource).find(({ required }) => !required)?.name;
  const values = {
    ...names,
    address: names.one.toLowerCase(),
    ofAccount: owner === undefined ? '' : ' of the account',
    // In JSON: the name may be any text.
    removal: JSON.stringify(optional === undefined ? '' : `; \`${optional}: null\` removes the ${wordsOf(optional)}`).slice(1, -1),
  };
  const filled = fill(JSON.stringify(parse(readTemplate('spec.yaml'))), values);
  return JSON.parse(filled) as SpecTemplate;
}

export class Components {
  readonly added: Record<Section, Record<string, Component>> = { parameters: {}, headers: {}, responses: {}, schemas: {} };
  readonly #document: Document;

  constructor(document: Document) {
    this.#document = document;
  }

  document(): Document {
    const { components } = this.#document;
    return {
      ...this.#document,
      components: { ...components, schemas: { ...components?.schemas, ...(this.added.schemas as Record<string, Schema>) } },
    };
  }

  find(section: Section, name: string): Component | undefined {
    const declared = this.#document.components?.[section];
    return this.added[section][name] ?? (isObject(declared) ? (declared as Record<string, Component>)[name] : undefined);
  }

  /** The component of this name if it fits, else a new one, under another name if this one is taken. By default the same fits. */
  use<T extends Component>(section: Section, name: string, value: T, fits = (existing: T) => isSame(existing, value)): Reference {
    for (let i = 1; ; i++) {
      const candidate = i === 1 ? name : `${name}${i}`;
      const existing = this.find(section, candidate);
      if (existing === undefined) this.added[section][candidate] = value;
      if (existing === undefined || fits(existing as T)) return { $ref: `#/components/${section}/${candidate}` };
    }
  }
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Values that are sent for components of the template. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  Cursor: ['djE6OTAwNzE5OTI1NDc0MDk5MQ'],
  IfMatch: ['*', '"12"'],
  IfNoneMatch: ['*', '"12"'],
  ETag: ['"1"'],
  Location: ['/records/1'],
  NextLink: ['</records?limit=20&cursor=djE6MjA>; rel="next"'],
};

/** Whether a schema of the document serves in place of that of a component of the template. */
export function fits(component: string, schema: Schema): boolean {
  const { minimum = 0, maximum } = limitsOf(schema);
  if (component === 'Id') return typeOf(schema) === 'integer' && minimum === 1 && maximum === Number.MAX_SAFE_INTEGER;
  if (component === 'Limit') return typeOf(schema) === 'integer' && typeof declaredDefault(schema) === 'number' && minimum >= 1;
  return (SAMPLES[component] ?? []).every((text) => admits(schema, text));
}

/** Whether a schema admits a text, as far as its own keywords say. */
function admits(schema: Schema, text: string): boolean {
  if (typeOf(schema) !== 'string' || formatOf(schema) !== undefined || valuesOf(schema) !== undefined) return false;
  const { minLength = 0, maxLength = Infinity } = limitsOf(schema);
  return minLength <= text.length && maxLength >= text.length && new RegExp(patternOf(schema) ?? '', 'u').test(text);
}
