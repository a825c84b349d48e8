/** The spec with a resource: its operations, schemas and what they refer to, appended to the text. */
import {
  type Document,
  type Header,
  type OperationObject,
  type Reference,
  type Response,
  type Schema,
  type SourceDocument,
  isObject,
  parseSource,
  resolve,
} from '@specwright/contract/document';
import { type UsualParts, findUsualParts } from '../code/usual-parts.ts';
import { type Resource, type SchemaSource, capitalized, operationIds } from '../resource.ts';
import { type Components, ERROR, ERROR_RESPONSES, HEADERS, admits, isSame } from './components.ts';
import { type OperationOptions, type Responses, resourceOperations } from './resource-operations.ts';
import { resourceSchemas } from './resource-schemas.ts';
import { appendToYaml, styleOf, toYaml } from './yaml-insert.ts';

export interface SpecOptions {
  readonly source: SourceDocument;
  readonly resource: Resource;
  /** What properties refer to and the document does not have. */
  readonly components: Components;
  readonly id: SchemaSource;
  /** The tag of its operations; default: a new one, if operations have tags. */
  readonly tag: string | undefined;
}

const SECTIONS = ['parameters', 'headers', 'responses', 'schemas'] as const;

/** @returns the new document. @throws Error if the document is written so that nothing can be appended to it. */
export async function writeSpec({ source, resource, components, id, tag: given }: SpecOptions): Promise<SourceDocument> {
  const { document, file, source: text } = source;
  const { names } = resource;
  const style = styleOf(text);
  const usual = findUsualParts(source.original);
  const tags = tagsOf(document);
  const tag = given ?? (usual.tags ? capitalized(names.words) : undefined);
  const isNew = (name: string) => components.find('schemas', name) === undefined;
  const schemas = Object.entries(resourceSchemas(components.document(), resource, id, isNew(names.One))).flatMap(([name, one]) =>
    isNew(name) ? [{ [name]: one }] : [],
  );

  const compose = async (more: OperationOptions['more']): Promise<string> => {
    const operations = resourceOperations({ document, resource, components, usual, tag, id, more });
    const append = async (before: string, path: readonly string[], entries: readonly object[], isOperation = false) =>
      appendToYaml(before, path, await Promise.all(entries.map((entry) => toYaml(entry, style, isOperation))), style.indent);
    const each = (values: Readonly<Record<string, unknown>>) => Object.entries(values).map(([name, value]) => ({ [name]: value }));
    let result = await append(text, ['paths'], each(operations), true);
    if (tag !== undefined && Array.isArray(tags) && !hasTag(tags, tag))
      result = await append(result, ['tags'], [[{ name: tag, description: `${capitalized(names.words)}.` }]]);
    for (const section of SECTIONS) {
      const added = [...each(components.added[section]), ...(section === 'schemas' ? schemas : [])];
      result = await append(result, ['components', section], added);
    }
    return result;
  };
  // Once without what the defaults of the document may give them, to see what they do.
  const draft = parseSource(file, await compose(new Map()));
  const more = missingResponses({ document: draft.document, resource, components, usual });
  return parseSource(file, await compose(more));
}

const tagsOf = (document: Document): unknown => (document as { tags?: unknown }).tags;
const hasTag = (tags: readonly unknown[], tag: string): boolean => tags.some((one) => isObject(one) && one['name'] === tag);

/** The responses and headers that operations need and the document's `x-operation-defaults` do not give them. */
type More = OperationOptions['more'];
type HeaderName = keyof typeof HEADERS;

interface Need {
  readonly statuses: readonly string[];
  readonly headers: Readonly<Record<string, readonly HeaderName[]>>;
}

interface MissingOptions {
  /** The document with the operations, its defaults applied. */
  readonly document: Document;
  readonly resource: Resource;
  readonly components: Components;
  /** Of the document without them. */
  readonly usual: UsualParts;
}

/** By operation. What is missing is copied from other operations of the document, else it is a new component. */
function missingResponses({ document, resource, components, usual }: MissingOptions): More {
  const { names } = resource;
  const ids = operationIds(names);
  const needs: Readonly<Record<string, Need>> = {
    [ids.list]: { statuses: [], headers: { '200': ['Link'] } },
    [ids.create]: { statuses: [], headers: { '201': ['Location', 'ETag'] } },
    [ids.get]: { statuses: ['304', '404'], headers: { '200': ['ETag'], '304': ['ETag'] } },
    [ids.replace]: { statuses: ['404', '412'], headers: { '200': ['ETag'] } },
    [ids.update]: { statuses: ['404', '412'], headers: { '200': ['ETag'] } },
    [ids.delete]: { statuses: ['404', '412'], headers: {} },
  };
  const more = new Map<string, { responses: Responses; headers: Record<string, Record<string, Reference>> }>();
  const items = [document.paths[`/${names.noun}`], document.paths[`/${names.noun}/{${names.id}}`]];
  for (const [method, operation] of items.flatMap((item) => Object.entries(item ?? {}).filter(([, one]) => isObject(one)))) {
    const { operationId = '', responses, security = document['security'] } = operation as OperationObject;
    const need = needs[operationId];
    if (need === undefined) continue;
    const isSecured = Array.isArray(security) && security.length > 0;
    const added: Responses = {};
    const usualStatuses = usual.statuses(method).filter((status) => status !== '401' || isSecured);
    for (const status of usualStatuses) if (!(status in responses)) added[status] = errorResponse(status);
    const isDeclared = (status: string) => [status, `${status[0] ?? ''}XX`, 'default'].some((key) => key in responses || key in added);
    for (const status of ['400', ...(isSecured ? ['401'] : []), ...need.statuses.filter((one) => one !== '304')])
      if (!isDeclared(status)) added[status] = errorResponse(status);
    // A range or `default` says nothing of a response without a body.
    if (need.statuses.includes('304') && !('304' in responses))
      added['304'] = {
        description: 'The record has not changed since the version named in `If-None-Match`.',
        headers: { ETag: header('ETag') },
      };
    const headers = Object.fromEntries(
      Object.entries(need.headers).flatMap(([status, wanted]): [string, Record<string, Reference>][] => {
        const declared = responses[status] === undefined ? undefined : resolve<Response>(document, responses[status]).headers;
        const lacking = status in responses ? wanted.filter((name) => !(name in (declared ?? {}))) : [];
        return lacking.length === 0 ? [] : [[status, Object.fromEntries(lacking.map((name) => [name, header(name)]))]];
      }),
    );
    more.set(operationId, { responses: added, headers });
  }
  return more;

  function header(of: HeaderName): Reference {
    const { name, value, sample } = HEADERS[of];
    return components.use(
      'headers',
      name,
      value,
      (one: Header) => isObject(one.schema) && admits(resolve<Schema>(document, one.schema), sample),
    );
  }

  function errorResponse(status: string): Responses[string] {
    const found = usual.response(status);
    if (found !== undefined) return found;
    const [name = `Status${status}`, description = 'An error.'] = ERROR_RESPONSES[status] ?? [];
    const content = usual.errorContent() ?? { 'application/json': { schema: { ...components.use('schemas', 'Error', ERROR) } } };
    return components.use('responses', name, { description, content }, (one: Response) => isSame(one.content, content));
  }
}
