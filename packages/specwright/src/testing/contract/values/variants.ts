/** The requests that together fill in everything that an operation accepts: each property, enum value and branch of a union once. */
import { isReadOnly } from '@specwright/contract/document';
import { type BuildOptions, branchKey } from './build-options.ts';
import { child, type Json, type SpecMedia, type SpecOperation, type SpecParameter } from '../document.ts';
import { bodyKind } from './sample.ts';
import { declaredProperty, some, viewSchema, type Schemas } from '../../../schema/schema-view.ts';

export interface RequestSchemas {
  readonly query: readonly { readonly parameter: SpecParameter; readonly schemas: Schemas }[];
  /** Of a body in JSON, of a form or of multipart. */
  readonly body: { readonly type: string; readonly media: SpecMedia; readonly schemas: Schemas } | undefined;
  /** In upper case. */
  readonly method: string;
}

export interface Variant extends Pick<BuildOptions, 'include' | 'picks' | 'branches' | 'present' | 'changed'> {
  /** `all properties`, `required properties`, or what is chosen: `body/status=sold`. */
  readonly name: string;
  /** The property that is chosen. */
  readonly place?: string;
}

/** The calls as they are, with an optional property. */
export const withProperty = (place: string): Variant => ({
  name: place,
  place,
  include: 'given',
  picks: new Map(),
  branches: new Set(),
  present: [place],
});

export const ALL = 'all properties';
export const REQUIRED = 'required properties';

/** Deeper objects are filled in, but not tried value by value. */
const MAX_DEPTH = 6;

/** What of a request can be filled in. Headers are not: most of them are conditions. */
export function requestSchemas(document: Json, { method, parameters, body }: SpecOperation): RequestSchemas {
  const query = parameters.flatMap((parameter) => {
    if (parameter.in !== 'query' || parameter.schema === undefined) return [];
    const schemas = [{ value: parameter.schema, pointer: child(parameter.pointer, 'schema') }];
    // An object is spread over the query in ways of its own.
    return viewSchema(document, schemas).type === 'object' ? [] : [{ parameter, schemas }];
  });
  const [type, media] = Object.entries(body?.content ?? {}).find(([name]) => ['json', 'form', 'multipart'].includes(bodyKind(name))) ?? [];
  if (body === undefined || type === undefined || media?.schema === undefined) return { method, query, body: undefined };
  return {
    method,
    query,
    body: { type, media, schemas: [{ value: media.schema, pointer: child(body.pointer, 'content', type, 'schema') }] },
  };
}

/** None if there is nothing to choose from: each request of the operation is like the others. */
export function listVariants(document: Json, schemas: RequestSchemas): Variant[] {
  const { query, body } = schemas;
  const plain = { picks: new Map(), branches: new Set<string>(), present: [] };
  const roots = [
    ...query.map(({ parameter, schemas }) => [`query/${parameter.name}`, schemas] as const),
    ...(body === undefined ? [] : [['body', body.schemas] as const]),
  ];
  const choices = roots.flatMap(([place, parts]) => choicesIn(document, parts, place, { ...plain, above: [] }));
  if (body === undefined && query.every(({ parameter }) => parameter.required) && choices.length === 0) return [];
  const totals = [
    { name: ALL, include: 'all', ...plain },
    { name: REQUIRED, include: 'none', ...plain },
  ] as const;
  return [...totals, ...choices, ...changesOf(document, schemas)];
}

/**
 * Of an operation that changes what is stored: each property by itself, with another value than there is. One request with all of
 * them does not see a server that takes some only together. A patch has nothing else that it need not have (RFC 7396).
 */
function changesOf(document: Json, { method, body }: RequestSchemas): Variant[] {
  if (body === undefined || (method !== 'PUT' && method !== 'PATCH')) return [];
  return writableProperties(document, body.schemas).map((property) => {
    const place = `body/${property}`;
    const include = method === 'PATCH' ? 'none' : 'given';
    return { ...withProperty(place), name: `${place} alone`, include, changed: place };
  });
}

interface State extends Pick<Variant, 'picks' | 'branches'> {
  readonly above: readonly string[];
}

/** Every enum value, both values of a boolean, `null` where it is allowed, and every branch of a union, here and below. */
function choicesIn(document: Json, schemas: Schemas, place: string, state: State, known: ReadonlySet<string> = new Set()): Variant[] {
  const view = viewSchema(document, schemas);
  const pointer = view.parts[0]?.pointer ?? '';
  if (some(view, isReadOnly) || state.above.length > MAX_DEPTH || state.above.includes(pointer)) return [];
  const choose = (value: string, chosen: Partial<Variant>): Variant => ({
    name: `${place}=${value}`,
    place,
    include: 'given',
    picks: state.picks,
    branches: state.branches,
    present: [place],
    ...chosen,
  });
  const pick = (value: unknown) => choose(textOf(value), { picks: new Map([...state.picks, [place, value]]) });
  const variants: Variant[] = [];
  const values = view.values ?? (view.type === 'boolean' ? [true, false] : []);
  if (values.length > 1) variants.push(...values.filter((value) => value !== null).map(pick));
  if (view.takesNull && !place.startsWith('query/')) variants.push(pick(null));
  const below: State = { ...state, above: [...state.above, pointer] };
  // What a discriminator says follows from the branch.
  const tags = view.unions.flatMap(({ branches }) => branches.flatMap(({ tag }) => tag?.property ?? []));
  const skipped = new Set([...known, ...tags]);
  for (const [name, parts] of view.properties)
    if (!skipped.has(name)) variants.push(...choicesIn(document, parts, `${place}/${name}`, below));
  view.prefix.forEach((parts, i) => variants.push(...choicesIn(document, parts, `${place}/${i}`, below)));
  if (view.items !== undefined && view.prefix.length === 0) variants.push(...choicesIn(document, view.items, `${place}/0`, below));
  for (const { branches } of view.unions)
    for (const { name, schema } of branches) {
      const chosen = new Set([...state.branches, branchKey(place, schema)]);
      variants.push(choose(name, { branches: chosen }));
      const seen = new Set([...skipped, ...view.properties.keys()]);
      variants.push(...choicesIn(document, [schema], place, { ...below, branches: chosen }, seen));
    }
  return variants;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The optional properties of the body and optional parameters of the query. */
export function optionalPlaces(document: Json, { query, body }: RequestSchemas): string[] {
  const required = body && viewSchema(document, body.schemas).required;
  const properties = body === undefined ? [] : writableProperties(document, body.schemas).filter((name) => !required?.has(name));
  return [
    ...query.flatMap(({ parameter }) => (parameter.required ? [] : [`query/${parameter.name}`])),
    ...properties.map((name) => `body/${name}`),
  ];
}

const writableProperties = (document: Json, schemas: Schemas): string[] =>
  [...viewSchema(document, schemas).properties].flatMap(([name, parts]) => (some(viewSchema(document, parts), isReadOnly) ? [] : [name]));

/** Whether a place is in the request of an operation: for exemptions that name none. */
export function hasPlace(document: Json, { query, body }: RequestSchemas, place: string): boolean {
  const [root, ...names] = place.split('/');
  if (root === 'query') return names.length === 1 && query.some(({ parameter }) => parameter.name === names[0]);
  let schemas: Schemas | undefined = root === 'body' ? body?.schemas : undefined;
  for (const name of names) {
    if (schemas === undefined) return false;
    const view = viewSchema(document, schemas);
    schemas = declaredProperty(document, view, name) ?? (/^\d+$/.test(name) ? (view.prefix[Number(name)] ?? view.items) : undefined);
  }
  return schemas !== undefined;
}
