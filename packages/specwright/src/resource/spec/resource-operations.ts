/** The operations of a resource, as OpenAPI has them. */
import { branchesOf, referenceOf, type Document, type OperationObject, type Parameter, type Reference, type Response, type Schema } from '@specwright/contract/document';
import { CURSOR, IF_MATCH, IF_NONE_MATCH, isCursor, isETags, isLimit, LIMIT, type Components } from './components.ts';
import { exampleOf } from './resource-schemas.ts';
import { filtersOf, givenOf, operationIds, without, wordsOf, type Resource, type ResourceProperty } from '../resource.ts';
import type { UsualParts } from '../code/usual-parts.ts';

export type Responses = OperationObject['responses'];

export interface OperationOptions {
  readonly document: Document;
  readonly resource: Resource;
  readonly components: Components;
  readonly usual: UsualParts;
  readonly tag: string | undefined;
  /** The schema of its ids. */
  readonly id: Schema;
  /** What the operations need beside their success: by operation. */
  readonly more: ReadonlyMap<
    string,
    { readonly responses: Responses; readonly headers: Readonly<Record<string, Record<string, Reference>>> }
  >;
}

/** By path and method. The component of the path's parameter is declared too. */
export function resourceOperations(options: OperationOptions): Record<string, Record<string, unknown>> {
  const { document, resource, components, usual, tag, more } = options;
  const { names, owner } = resource;
  const { words, word, aWord, One, Many, noun, id } = names;
  const ids = operationIds(names);
  const ref = (schema: string): Schema => ({ $ref: `#/components/schemas/${schema}` });
  const parameter = (method: string, value: Parameter, fits: (schema: Schema) => boolean, name: string) => {
    const $ref = usual.parameter(method, value.in, value.name, fits);
    return $ref === undefined ? components.use('parameters', name, value, (one) => fits(one.schema ?? {})) : { $ref };
  };
  const usualOnly = (method: string, name: string) => {
    const found = usual.hasParameter(method, 'header', name) ? usual.parameter(method, 'header', name, () => true) : undefined;
    return found === undefined ? [] : [{ $ref: found }];
  };
  const ifMatch = () => parameter('put', IF_MATCH, isETags, 'IfMatch');
  const json = (schema: Schema, example: unknown) => ({ 'application/json': { schema, example } });

  const operation = (operationId: string, summary: string, description: string, parts: object, success: Record<string, Response>) => {
    const { responses = {}, headers = {} } = more.get(operationId) ?? {};
    const withHeaders = Object.entries(success).map(([status, { description: text, ...rest }]): [string, object] => {
      const added = headers[status];
      return [status, { description: text, ...(added && { headers: added }), ...rest }];
    });
    const isOwn = document['security'] === undefined && usual.security !== undefined;
    return {
      operationId,
      ...(tag !== undefined && { tags: [tag] }),
      summary,
      description,
      ...(isOwn && { security: usual.security }),
      ...parts,
      responses: Object.fromEntries([...withHeaders, ...Object.entries(responses)].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  };
  const record = exampleOf(resource, 'read');
  const body = (schema: string, example: object) => ({
    requestBody: {
      required: true,
      content: {
        ...json(ref(schema), example),
        ...(schema.endsWith('Patch') && usual.mergePatch && { 'application/merge-patch+json': { schema: ref(schema), example } }),
      },
    },
  });
  const idempotencyKey = usualOnly('post', 'Idempotency-Key');
  const removable = givenOf(resource).find(({ required }) => !required);
  const pathParameter = components.use('parameters', `${One}Id`, {
    name: id,
    in: 'path',
    required: true,
    description: `The ${word}.`,
    schema: options.id,
    example: 1,
  } as Parameter);
  return {
    [`/${noun}`]: {
      get: operation(
        ids.list,
        `List ${words}`,
        `The ${words}${owner === undefined ? '' : ' of the account'}, oldest first.`,
        {
          parameters: [
            ...filtersOf(resource).map((property) => filterParameter(resource, property)),
            parameter('get', LIMIT, isLimit, 'Limit'),
            parameter('get', CURSOR, isCursor, 'Cursor'),
          ],
        },
        { '200': { description: `One page of ${words}.`, content: json(ref(Many), [record]) } },
      ),
      post: operation(
        ids.create,
        `Create ${aWord}`,
        `Creates ${aWord}.`,
        { ...(idempotencyKey.length > 0 && { parameters: idempotencyKey }), ...body(`New${One}`, exampleOf(resource, 'new')) },
        {
          '201': {
            description: `The ${word} as it was created.`,
            content: json(ref(One), record),
            ...(usual.links && { links: linksOf(resource) }),
          },
        },
      ),
    },
    [`/${noun}/{${id}}`]: {
      parameters: [pathParameter],
      get: operation(
        ids.get,
        `Read ${aWord}`,
        `Reads one ${word}.`,
        { parameters: [parameter('get', IF_NONE_MATCH, isETags, 'IfNoneMatch')] },
        { '200': { description: `The ${word}.`, content: json(ref(One), record) } },
      ),
      put: operation(
        ids.replace,
        `Replace ${aWord}`,
        `Replaces every field of the ${word}. Never creates one.`,
        { parameters: [ifMatch(), ...usualOnly('put', 'If-None-Match')], ...body(`New${One}`, exampleOf(resource, 'new')) },
        { '200': { description: `The ${word} as it is now.`, content: json(ref(One), record) } },
      ),
      patch: operation(
        ids.update,
        `Change single fields of ${aWord}`,
        `A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are${removable ? `; \`${removable.name}: null\` removes the ${wordsOf(removable.name)}` : ''}.`,
        { parameters: [ifMatch()], ...body(`${One}Patch`, exampleOf(resource, 'patch')) },
        { '200': { description: `The ${word} as it is now.`, content: json(ref(One), record) } },
      ),
      delete: operation(
        ids.delete,
        `Delete ${aWord}`,
        `Deletes the ${word}.`,
        { parameters: [ifMatch()] },
        {
          '204': { description: `The ${word} is deleted.` },
        },
      ),
    },
  };
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

function linksOf({ names }: Resource): NonNullable<Response['links']> {
  const { word, id } = names;
  const { get, replace, update, delete: remove } = operationIds(names);
  const link = (operationId: string, description: string) => ({ operationId, description, parameters: { [id]: '$response.body#/id' } });
  return {
    read: link(get, `Reads the ${word}.`),
    replace: link(replace, `Replaces the ${word}.`),
    update: link(update, `Changes single fields of the ${word}.`),
    delete: link(remove, `Deletes the ${word}.`),
  };
}
