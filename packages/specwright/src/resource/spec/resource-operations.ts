/** The operations of a resource, as OpenAPI has them. */
import {
  branchesOf,
  referenceOf,
  type Document,
  type OperationObject,
  type Parameter,
  type Reference,
  type Response,
  type Schema,
} from '@specwright/contract/document';
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
  readonly id: Schema;
  /** What the operations need beside their success: by operation. */
  readonly more: ReadonlyMap<
    string,
    { readonly responses: Responses; readonly headers: Readonly<Record<string, Record<string, Reference>>> }
  >;
}

/** By path and method. The component of the path's parameter is declared too. */
export function resourceOperations(options: OperationOptions): Record<string, Record<string, unknown>> {
  const writer = new OperationWriter(options);
  const { noun, id } = options.resource.names;
  return {
    [`/${noun}`]: { get: writer.list(), post: writer.create() },
    [`/${noun}/{${id}}`]: {
      parameters: [writer.pathParameter()],
      get: writer.read(),
      put: writer.replace(),
      patch: writer.update(),
      delete: writer.remove(),
    },
  };
}

/** Writes the operations of one resource in the manner of the document's other operations. */
class OperationWriter {
  readonly #options: OperationOptions;
  readonly #ids: ReturnType<typeof operationIds>;

  constructor(options: OperationOptions) {
    this.#options = options;
    this.#ids = operationIds(options.resource.names);
  }

  list(): object {
    const { resource } = this.#options;
    const { words, Many } = resource.names;
    const text = `The ${words}${resource.owner === undefined ? '' : ' of the account'}, oldest first.`;
    const parameters = [
      ...filtersOf(resource).map((property) => filterParameter(resource, property)),
      this.#parameter('get', LIMIT, isLimit, 'Limit'),
      this.#parameter('get', CURSOR, isCursor, 'Cursor'),
    ];
    const content = json(schemaOf(Many), [exampleOf(resource, 'read')]);
    return this.#operation(
      this.#ids.list,
      `List ${words}`,
      text,
      { parameters },
      { '200': { description: `One page of ${words}.`, content } },
    );
  }

  create(): object {
    const { resource, usual } = this.#options;
    const { word, aWord, One } = resource.names;
    const idempotencyKey = this.#usualHeader('post', 'Idempotency-Key');
    const parts = { ...(idempotencyKey.length > 0 && { parameters: idempotencyKey }), ...this.#body(`New${One}`, 'new') };
    const links = usual.links && { links: linksOf(resource) };
    const success = { '201': { ...this.#record(`The ${word} as it was created.`), ...links } };
    return this.#operation(this.#ids.create, `Create ${aWord}`, `Creates ${aWord}.`, parts, success);
  }

  pathParameter(): object {
    const { resource, components, id: schema } = this.#options;
    const { One, id, word } = resource.names;
    const parameter = { name: id, in: 'path', required: true, description: `The ${word}.`, schema, example: 1 } as Parameter;
    return components.use('parameters', `${One}Id`, parameter);
  }

  read(): object {
    const { word, aWord } = this.#options.resource.names;
    const parameters = [this.#parameter('get', IF_NONE_MATCH, isETags, 'IfNoneMatch')];
    const success = { '200': this.#record(`The ${word}.`) };
    return this.#operation(this.#ids.get, `Read ${aWord}`, `Reads one ${word}.`, { parameters }, success);
  }

  replace(): object {
    const { word, aWord, One } = this.#options.resource.names;
    const text = `Replaces every field of the ${word}. Never creates one.`;
    const parts = { parameters: [this.#ifMatch(), ...this.#usualHeader('put', 'If-None-Match')], ...this.#body(`New${One}`, 'new') };
    return this.#operation(this.#ids.replace, `Replace ${aWord}`, text, parts, { '200': this.#record(`The ${word} as it is now.`) });
  }

  update(): object {
    const { resource } = this.#options;
    const { word, aWord, One } = resource.names;
    const removable = givenOf(resource).find(({ required }) => !required);
    const removal = removable ? `; \`${removable.name}: null\` removes the ${wordsOf(removable.name)}` : '';
    const text = `A JSON Merge Patch (RFC 7396). Fields that are not in the body stay as they are${removal}.`;
    const parts = { parameters: [this.#ifMatch()], ...this.#body(`${One}Patch`, 'patch') };
    const success = { '200': this.#record(`The ${word} as it is now.`) };
    return this.#operation(this.#ids.update, `Change single fields of ${aWord}`, text, parts, success);
  }

  remove(): object {
    const { word, aWord } = this.#options.resource.names;
    const success = { '204': { description: `The ${word} is deleted.` } };
    return this.#operation(this.#ids.delete, `Delete ${aWord}`, `Deletes the ${word}.`, { parameters: [this.#ifMatch()] }, success);
  }

  #operation(operationId: string, summary: string, description: string, parts: object, success: Record<string, Response>): object {
    const { document, usual, tag, more } = this.#options;
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
  }

  /** The parameter that the document's operations usually have, else a new component. */
  #parameter(method: string, value: Parameter, fits: (schema: Schema) => boolean, name: string): object {
    const { usual, components } = this.#options;
    const $ref = usual.parameter(method, value.in, value.name, fits);
    return $ref === undefined ? components.use('parameters', name, value, (one) => fits(one.schema ?? {})) : { $ref };
  }

  #ifMatch(): object {
    return this.#parameter('put', IF_MATCH, isETags, 'IfMatch');
  }

  /** A header parameter, if the document's operations usually have it. */
  #usualHeader(method: string, name: string): object[] {
    const { usual } = this.#options;
    const found = usual.hasParameter(method, 'header', name) ? usual.parameter(method, 'header', name, () => true) : undefined;
    return found === undefined ? [] : [{ $ref: found }];
  }

  #record(description: string): Response {
    const { resource } = this.#options;
    return { description, content: json(schemaOf(resource.names.One), exampleOf(resource, 'read')) };
  }

  #body(name: string, kind: Parameters<typeof exampleOf>[1]): object {
    const { resource, usual } = this.#options;
    const [schema, example] = [schemaOf(name), exampleOf(resource, kind)];
    const patch = kind === 'patch' && usual.mergePatch && { 'application/merge-patch+json': { schema, example } };
    return { requestBody: { required: true, content: { ...json(schema, example), ...patch } } };
  }
}

const schemaOf = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Schema, example: unknown) => ({ 'application/json': { schema, example } });

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
