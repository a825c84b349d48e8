/** The operations of a resource: those of the template, in the manner of the document's other operations. */
import {
  branchesOf,
  isObject,
  referenceOf,
  resolve,
  type Document,
  type Header,
  type MediaType,
  type OperationObject,
  type Parameter,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { filtersOf, operationIds, without, wordsOf, type Resource, type ResourceProperty, type SchemaSource } from '../resource.ts';
import { fits, isSame, type Components, type SpecTemplate } from './components.ts';
import { exampleOf } from './resource-schemas.ts';
import { MERGE_PATCH, type UsualParts } from './usual-parts.ts';

export interface OperationContext {
  readonly document: Document;
  readonly resource: Resource;
  readonly components: Components;
  readonly template: SpecTemplate;
  readonly usual: UsualParts;
  readonly tag: string | undefined;
  /** The schema of its ids. */
  readonly id: SchemaSource;
}

type Responses = OperationObject['responses'];
type Content = Readonly<Record<string, MediaType>>;

const nameIn = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The operations by path. @param draft the document with them, its `x-operation-defaults` applied: what they lack is added. */
export function resourcePaths(context: OperationContext, draft: Document | undefined): Record<string, object> {
  const { template, components, id } = context;
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, item] of Object.entries(template.paths)) {
    const members = (paths[path] = {} as Record<string, object>);
    for (const [method, one] of Object.entries(item)) {
      const drafted = draft?.paths[path]?.[method as 'get'];
      members[method] =
        'responses' in one
          ? resourceOperation(context, method, one, drafted)
          : one.map(({ $ref }) => {
              const parameter = template.components.parameters[nameIn($ref)] as Parameter;
              return components.use('parameters', nameIn($ref), { ...parameter, schema: id });
            });
    }
  }
  return paths;
}

function resourceOperation(context: OperationContext, method: string, wanted: OperationObject, draft: OperationObject | undefined): object {
  const { document, resource, usual, tag } = context;
  const { operationId, summary, description, requestBody } = wanted;
  const filters = operationId === operationIds(resource.names).list ? filtersOf(resource) : [];
  const parameters = [
    ...filters.map((property) => filterParameter(resource, property)),
    ...(wanted.parameters ?? []).flatMap((one) => parameterOf(context, method, (one as Reference).$ref)),
  ];
  const hasOwnSecurity = document['security'] === undefined && usual.security !== undefined;
  return {
    operationId,
    ...(tag !== undefined && { tags: [tag] }),
    summary,
    description,
    ...(hasOwnSecurity && { security: usual.security }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody: { ...requestBody, content: withExamples(context, (requestBody as RequestBody).content) } }),
    responses: responsesOf(context, method, wanted.responses as Record<string, Response>, draft),
  };
}

/** The parameter that the document's operations usually have, else a new component, if the template has it whole. */
function parameterOf({ template, components, usual }: OperationContext, method: string, $ref: string): Reference[] {
  const name = nameIn($ref);
  const parameter = template.components.parameters[name] as Parameter;
  const isFit = parameter.schema && ((schema: Schema) => fits(name, schema));
  // Both writes and reads have lists of tags: what fits one of them fits all.
  const found = usual.parameter(method === 'get' || method === 'post' ? method : 'put', parameter, isFit);
  if (found !== undefined) return [{ $ref: found }];
  return isFit === undefined ? [] : [components.use('parameters', name, parameter, ({ schema }) => isFit(schema ?? {}))];
}

/** By the name of the schema. */
function withExamples({ resource, usual }: OperationContext, content: Content): Content {
  const { One, Many } = resource.names;
  const record = exampleOf(resource, 'read');
  const examples: Readonly<Record<string, unknown>> = {
    [One]: record,
    [Many]: [record],
    [`New${One}`]: exampleOf(resource, 'new'),
    [`${One}Patch`]: exampleOf(resource, 'patch'),
  };
  const media = Object.entries(content).filter(([type]) => type !== MERGE_PATCH || usual.mergePatch);
  return Object.fromEntries(
    media.map(([type, { schema = {} }]) => [type, { schema, example: examples[nameIn(referenceOf(schema) ?? '')] }]),
  );
}

function responsesOf(
  context: OperationContext,
  method: string,
  wanted: Readonly<Record<string, Response>>,
  draft: OperationObject | undefined,
): Responses {
  const { usual } = context;
  const result: Record<string, Response | Reference> = {};
  for (const [status, response] of Object.entries(wanted).filter(([key]) => key.startsWith('2'))) {
    const { description, content, links } = response;
    result[status] = {
      description,
      ...(draft && lackingHeaders(context, response, draft.responses[status])),
      ...(content && { content: withExamples(context, content) }),
      ...(links && usual.links && { links }),
    };
  }
  return draft === undefined ? result : { ...result, ...lackingResponses(context, method, wanted, draft) };
}

/** What clients of a record have to be told, and what operations of the method usually answer. */
function lackingResponses(
  context: OperationContext,
  method: string,
  wanted: Readonly<Record<string, Response>>,
  { responses, security = context.document['security'] }: OperationObject,
): Responses {
  const { usual } = context;
  const result: Record<string, Response | Reference> = {};
  const isSecured = Array.isArray(security) && security.length > 0;
  const isPossible = (status: string) => status !== '401' || isSecured;
  for (const status of usual.statuses(method).filter(isPossible))
    if (!(status in responses)) result[status] = errorResponse(context, status, wanted[status]);
  const isDeclared = (status: string) => [status, `${status.charAt(0)}XX`, 'default'].some((key) => key in responses || key in result);
  for (const [status, response] of Object.entries(wanted).filter(([key]) => key.startsWith('4') && isPossible(key)))
    if (!isDeclared(status)) result[status] = errorResponse(context, status, response);
  const unchanged = wanted['304'];
  // A range or `default` says nothing of a response without a body.
  if (unchanged !== undefined && !('304' in responses)) result['304'] = { ...unchanged, ...lackingHeaders(context, unchanged, undefined) };
  return result;
}

/** @returns nothing if the response has all headers of the template. */
function lackingHeaders(
  { document, template, components }: OperationContext,
  { headers = {} }: Response,
  declared: Response | Reference | undefined,
): { headers?: Record<string, Reference> } {
  const { headers: others = {} } = declared === undefined ? {} : resolve<Response>(document, declared);
  const lacking = Object.entries(headers).filter(([name]) => !(name in others));
  if (lacking.length === 0) return {};
  const headerOf = (name: string): Reference =>
    components.use('headers', name, template.components.headers[name] as Header, ({ schema }: Header) => {
      return isObject(schema) && fits(name, resolve<Schema>(document, schema));
    });
  return { headers: Object.fromEntries(lacking.map(([name, one]) => [name, headerOf(nameIn((one as Reference).$ref))])) };
}

/** As most operations have it, else a new component with the body of most errors. */
function errorResponse(
  { template, components, usual }: OperationContext,
  status: string,
  wanted: Response | Reference | undefined,
): Response | Reference {
  const found = usual.response(status);
  if (found !== undefined) return found;
  const name = wanted && '$ref' in wanted ? nameIn(wanted.$ref) : '';
  const ofErrors = () => ({ ...components.use('schemas', 'Error', template.components.schemas['Error'] as SchemaSource) });
  const content = usual.errorContent() ?? { 'application/json': { schema: ofErrors() } };
  const response = { ...(template.components.responses[name] as Response), content };
  return components.use('responses', name, response, (one: Response) => isSame(one.content, content));
}

function filterParameter({ names }: Resource, { name, schema, reference, values, example }: ResourceProperty): object {
  if (values === undefined) {
    const [id = without(schema, 'description', 'example')] = branchesOf(schema).allOf;
    return { name, in: 'query', description: `Only ${names.words} of this ${reference?.role ?? wordsOf(name)}.`, schema: id, example };
  }
  return {
    name,
    in: 'query',
    description: `Only ${names.words} of this ${wordsOf(name)}. May be repeated.`,
    style: 'form',
    explode: true,
    schema: {
      type: 'array',
      items: referenceOf(schema) === undefined ? { type: 'string', enum: values } : { $ref: referenceOf(schema) },
      minItems: 1,
      maxItems: values.length,
      uniqueItems: true,
    },
    example: [example],
  };
}
