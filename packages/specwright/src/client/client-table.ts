/** Writes what a client knows of its operations when it runs: addresses, parameters, credentials and responses. */
import {
  type Document,
  type DocumentOperation,
  type MediaType,
  type Parameter,
  type RequestBody,
  type Response,
  type Schema,
  bodyKind,
  fieldEncoding,
  hasNativeValues,
  isNullable,
  itemSchemaOf,
  declaredQueryOf,
  listOperations,
  sentMethod,
  parametersOf,
  resolve,
  schemaShape,
} from '@specwright/contract/document';
import ts from '../libraries/typescript.ts';
import { itemKindOf, responseHeaders, sentSequencesOf, takesFiles } from './client-types.ts';

interface SecurityScheme {
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly name?: string;
}

/** Responses that are declared alike are written once. */
export function clientTable(document: Document, places: NativePlaces): string {
  const shared = new Map<string, string>();
  const listed = listOperations(document);
  const operations = listed.map(
    (operation, i) =>
      `const ${operationConstant(i)}: Operation<${JSON.stringify(operation.id)}> = ${entryOf(document, operation, shared, places)};\n`,
  );
  const responses = [...shared].map(([text, name]) => `const ${name}: ResponseEntry = ${text};\n`);
  const schemes = listSchemes(document);
  const credentials = schemes.map(
    ([name, { scheme }]) =>
      `  readonly ${JSON.stringify(name)}: ${scheme?.toLowerCase() === 'basic' ? 'BasicCredential' : 'Credential'};\n`,
  );
  return (
    `/** By security scheme. */\nexport interface Credentials {\n${credentials.join('')}}\n\n` +
    `const SCHEMES: Readonly<Record<string, Scheme>> = {\n${schemes.map(([name, scheme]) => `  ${JSON.stringify(name)}: ${JSON.stringify(schemeOf(scheme))},\n`).join('')}};\n\n` +
    `${places.constants()}${responses.join('')}\n${OPERATION_TYPE}\n${operations.join('')}\n` +
    `const OPERATIONS: { readonly [Id in keyof Client]: Operation<Id> } = {\n${listed.map(({ id }, i) => `  ${JSON.stringify(id)}: ${operationConstant(i)},\n`).join('')}};\n`
  );
}

const operationConstant = (i: number): string => `O${i + 1}`;

const OPERATION_TYPE = `/** What \`createPartialClient\` is given: an operation, exported under its operationId. */
export interface Operation<Id extends keyof Client> extends OperationEntry {
  readonly id: Id;
}
`;

/**
 * Exports each operation by itself, so that bundlers drop the others. An operationId that is no name is written as one (`pets.list`: `petsList`), one that is
 * reserved or taken by the module gets `_` after it.
 *
 * @param module without these exports.
 */
export function operationExports(document: Document, module: string): string {
  const taken = new Set(
    [...module.matchAll(/^export (?:async )?(?:interface|type|class|const|function\*?) (\w+)/gm)].map(([, name]) => name),
  );
  const names = listOperations(document).map(({ id }, i) => {
    let name = id.replace(/[^\w$]+(.?)/g, (_, next: string) => next.toUpperCase()).replace(/^(?=\d|$)/, '_');
    while (taken.has(name) || isReserved(name)) name += '_';
    taken.add(name);
    return `${operationConstant(i)} as ${name}`;
  });
  return `export { ${names.join(', ')} };\n`;
}

/** Words that cannot be imported under their own name. */
const isReserved = (name: string): boolean => {
  if (['await', 'eval', 'arguments'].includes(name)) return true;
  const token = ts.identifierToKeywordKind(ts.factory.createIdentifier(name));
  return token !== undefined && token <= ts.SyntaxKind.LastFutureReservedWord;
};

function entryOf(document: Document, operation: DocumentOperation, shared: Map<string, string>, places: NativePlaces): string {
  const { operation: source, method, path } = operation;
  const body = source.requestBody && resolve<RequestBody>(document, source.requestBody);
  const security = (source.security ?? document.security ?? [])
    .map((alternative) => Object.keys(alternative))
    .filter((names) => names.length > 0);
  const parameters = parametersOf(document, operation).map(parameterOf);
  const responses = Object.entries(source.responses).map(([status, response]) => {
    const text = responseOf(document, resolve<Response>(document, response), places);
    if (!shared.has(text)) shared.set(text, `R${shared.size + 1}`);
    return `${JSON.stringify(status)}: ${shared.get(text) ?? ''}`;
  });
  const forms = body && formsOf(document, body);
  const parts = body && partTypes(body);
  const sequences = body && sentSequencesOf(body);
  const rest = {
    id: operation.id,
    method: sentMethod(method),
    path,
    ...(security.length > 0 && { security }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { body: Object.keys(body.content) }),
    ...(forms && { forms }),
    ...(parts && { parts }),
    ...(sequences && { sequences }),
  };
  return `{ ${JSON.stringify(rest).slice(1, -1)}, responses: { ${responses.join(', ')} }${writersOf(document, operation, body)
    .map((name) => `, ${name}`)
    .join('')} }`;
}

/** The functions of the runtime that write the body and the query of an operation. */
function writersOf(document: Document, operation: DocumentOperation, body: RequestBody | undefined): string[] {
  const types = Object.keys(body?.content ?? {});
  const query = declaredQueryOf(document, operation);
  return [
    ...(types.map(bodyKind).includes('multipart') ? ['writeMultipart'] : []),
    ...(types.some(isForm) ? ['writeForm'] : []),
    ...(takesFiles(body) ? ['sendUpload'] : []),
    ...(body && sentSequencesOf(body) ? ['writeItems'] : []),
    ...(parametersOf(document, operation).some((parameter) => parameter.in === 'cookie') ? ['cookies: encodeCookies'] : []),
    ...(query
      ? [`query: (value) => writeQuery(value, ${JSON.stringify(query.kind === 'form' ? fieldsOf(document, query.media) : query.kind)})`]
      : []),
  ];
}

const GROUPS = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

function parameterOf({ name, in: location, style, explode, content }: Parameter): unknown[] {
  if (content !== undefined) return [GROUPS[location], name, 'json'];
  const byDefault = location === 'query' || location === 'cookie' ? 'form' : 'simple';
  if (explode !== undefined && explode !== ['form', 'cookie'].includes(style ?? byDefault))
    return [GROUPS[location], name, style ?? byDefault, explode];
  return style === undefined || style === byDefault ? [GROUPS[location], name] : [GROUPS[location], name, style];
}

function responseOf(document: Document, response: Response, { placeOf }: NativePlaces): string {
  const types = Object.keys(response.content ?? {});
  const names = [...responseHeaders(document, response)].map(([name, { type, required }]) => [name, required ? `${type}!` : type]);
  const items = Object.entries(response.content ?? {}).flatMap(([type, media]) => {
    const kind = itemKindOf(document, type, media);
    return kind === undefined ? [] : [[type, kind] as const];
  });
  const entry = {
    ...(types.length > 0 && { types }),
    ...(names.length > 0 && { headers: Object.fromEntries(names) as object }),
    ...(items.length > 0 && { items: Object.fromEntries(items) }),
  };
  const placed = Object.entries(response.content ?? {}).flatMap(([type, media]) => {
    const place = placeOf(itemSchemaOf(type, media)?.schema ?? media.schema ?? {});
    return place === undefined ? [] : [`${JSON.stringify(type)}: ${place}`];
  });
  const text = JSON.stringify(entry).slice(0, -1) + (items.length > 0 ? ', readItems' : '');
  return `${text}${placed.length === 0 ? '' : `, "places":{ ${placed.join(', ')} }`}}`;
}

function listSchemes(document: Document): [string, SecurityScheme][] {
  const used = new Set(
    listOperations(document).flatMap(({ operation }) => (operation.security ?? document.security ?? []).flatMap(Object.keys)),
  );
  return Object.entries(document.components?.securitySchemes ?? {})
    .filter(([name]) => used.has(name))
    .map(([name, scheme]) => [name, resolve<SecurityScheme>(document, scheme as SecurityScheme)]);
}

function schemeOf({ type, scheme = '', in: location = 'header', name = '' }: SecurityScheme): object {
  if (type === 'apiKey') return { in: location, name };
  const basic = type === 'http' && scheme.toLowerCase() === 'basic';
  // Other schemes of `http` are given whole: `Digest username=...`.
  const other = type === 'http' && !basic && scheme.toLowerCase() !== 'bearer';
  return { in: 'header', name: 'Authorization', ...(!other && { prefix: basic ? 'Basic ' : 'Bearer ' }) };
}

/** @returns by property; `undefined` if none is declared. A list of types, or a range, leaves the choice to who sends. */
function partTypes({ content }: RequestBody): Record<string, string> | undefined {
  const [, media] = Object.entries(content).find(([type]) => bodyKind(type) === 'multipart') ?? [];
  const types = Object.entries(media?.encoding ?? {}).flatMap(([name, { contentType }]) =>
    contentType === undefined || /[,*]/.test(contentType) ? [] : [[name, contentType] as const],
  );
  return types.length === 0 ? undefined : Object.fromEntries(types);
}

const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded/i.test(type);

/** By media type of a form; `undefined` if there is nothing to know. */
function formsOf(document: Document, { content }: RequestBody): Record<string, object> | undefined {
  const forms = Object.entries(content)
    .filter(([type]) => isForm(type))
    .map(([type, media]) => [type, fieldsOf(document, media)] as const)
    .filter(([, fields]) => Object.keys(fields).length > 0);
  return forms.length === 0 ? undefined : Object.fromEntries(forms);
}

function fieldsOf(document: Document, { schema = {}, encoding }: MediaType): Record<string, object> {
  const { properties } = schemaShape(document, [schema]);
  const fields = [...properties].map(([name, schemas]) => {
    const { style, explode, allowReserved } = fieldEncoding(encoding, name);
    const { types } = schemaShape(document, schemas);
    const isEmptyNull = types.size > 0 && !types.has('string') && schemas.every((property) => isNullable(document, property));
    const isStyled = !['content', 'json', 'text'].includes(style);
    const field = {
      ...(style !== 'content' && { style }),
      ...(isStyled && explode !== (style === 'form') && { explode }),
      ...(allowReserved && { allowReserved }),
      ...(isEmptyNull && { isNullable: true }),
    };
    return [name, field] as const;
  });
  return Object.fromEntries(fields.filter(([, field]) => Object.keys(field).length > 0));
}

/** Says for a client where responses have values that are `bigint` or `Date`: their places, as constants of TypeScript. */
export interface NativePlaces {
  /** The expression of the place of a schema's values; `undefined` without such values in them. */
  readonly placeOf: (schema: Schema) => string | undefined;
  /** The constants that the expressions name. */
  readonly constants: () => string;
}

/** Places that are alike are written once; a schema that contains itself has a place that does. */
export function createPlaces(document: Document): NativePlaces {
  const names = new Map<string, string>();
  const constants: string[] = [];
  const ids = new Map<Schema, number>();
  const idOf = (schema: Schema): number => ids.get(schema) ?? (ids.set(schema, ids.size), ids.size - 1);

  const place = (schemas: readonly Schema[]): string | undefined => {
    if (schemas.length === 0 || !hasNativeValues(document, schemas)) return undefined;
    const resolved = [...new Set(schemas.map((schema) => resolve<Schema>(document, schema)))];
    const key = resolved.map(idOf).sort((a, b) => a - b).join(); // prettier-ignore
    const existing = names.get(key);
    if (existing !== undefined) return `() => ${existing}`;
    const name = `P${names.size + 1}`;
    names.set(key, name);
    const { isBigInteger, isDateObject, properties, additionalProperties, items } = schemaShape(document, resolved);
    const named = [...properties].flatMap(([property, parts]) => entry(JSON.stringify(property), place(parts)));
    const parts = [
      ...(isBigInteger ? ['isBigInteger: true'] : []),
      ...(isDateObject ? ['isDateObject: true'] : []),
      ...(named.length > 0 ? [`properties: { ${named.join(', ')} }`] : []),
      ...entry('additional', place(additionalProperties)),
      ...entry('items', place(items)),
    ];
    constants.push(`const ${name}: Place = { ${parts.join(', ')} };\n`);
    return `() => ${name}`;
  };
  return { placeOf: (schema) => place([schema]), constants: () => constants.join('') };
}

const entry = (key: string, value: string | undefined): string[] => (value === undefined ? [] : [`${key}: ${value}`]);
