/** Makes the types of a document: `paths`, `webhooks`, `components`, `operations`, in the form of openapi-typescript, whose users know it. */
import {
  type Document,
  type Header,
  type MediaType,
  type OperationObject,
  type Parameter,
  type PathItem,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
  type SourceDocument,
  methodsOf,
  operationAt,
  referenceOf,
  resolve,
} from '@specwright/contract/document';
import { bodyDefaults } from './body-defaults.ts';
import { SchemaTypes, typeOfReference } from './schema-types.ts';
import * as types from './type-text.ts';
import type { Member, TypeText } from './type-text.ts';
import { typesDocument } from './types-document.ts';

/** What tells readOnly and writeOnly properties; `Readable` and `Writable` are for users of `components`. */
const MARKERS = `export type $Read<T> = {
    readonly $read: T;
};
export type $Write<T> = {
    readonly $write: T;
};
export type Readable<T> = T extends $Write<any> ? never : T extends $Read<infer U> ? Readable<U> : T extends (infer E)[] ? Readable<E>[] : T extends object ? {
    [K in keyof T as NonNullable<T[K]> extends $Write<any> ? never : K]: Readable<T[K]>;
} : T;
export type Writable<T> = T extends $Read<any> ? never : T extends $Write<infer U> ? Writable<U> : T extends (infer E)[] ? Writable<E>[] : T extends object ? {
    [K in keyof T as NonNullable<T[K]> extends $Read<any> ? never : K]: Writable<T[K]>;
} & {
    [K in keyof T as NonNullable<T[K]> extends $Read<any> ? K : never]?: never;
} : T;`;

/** @returns TypeScript with `paths`, `webhooks`, `components`, `operations` and `bodyDefaults`. */
export function openapiTypes({ document, published }: Pick<SourceDocument, 'document' | 'published'>): string {
  return `${new DocumentTypes(typesDocument(document, published)).text()}\n${bodyDefaults(document)}`;
}

/** The methods that each path has in the types, declared or not; others where they are declared. */
const METHODS: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const LOCATIONS = ['query', 'header', 'path', 'cookie'] as const;

const absent = (key: string): Member => ({ key, isOptional: true, type: types.NEVER });

class DocumentTypes {
  readonly #document: Document;
  readonly #schemas: SchemaTypes;
  readonly #operations: Member[] = [];

  constructor(document: Document) {
    this.#document = document;
    this.#schemas = new SchemaTypes(document);
  }

  text(): string {
    const { paths, webhooks = {} } = this.#document;
    const items = (given: Readonly<Record<string, PathItem>>) =>
      Object.entries(given).map(([key, item]) => ({ key, type: this.#pathItem(item) }));
    const parts = [
      types.interfaceText('paths', items(paths)),
      types.interfaceText('webhooks', items(webhooks)),
      types.interfaceText('components', this.#components()),
      'export type $defs = Record<string, never>;',
      types.interfaceText('operations', this.#operations),
    ];
    const text = [...parts, ...this.#schemas.helpers()].join('\n');
    // A `Date` is an object to the compiler, and has no properties of a schema.
    const markers = this.#schemas.hasDates ? MARKERS.replaceAll('T extends object', 'T extends Date ? T : T extends object') : MARKERS;
    return `${markers}\n${text}\n`;
  }

  #components(): Member[] {
    const { components = {} } = this.#document;
    const section = <T extends object>(key: string, typeOf: (part: T) => TypeText): Member => {
      const parts = (components as Readonly<Record<string, Readonly<Record<string, T | Reference>> | undefined>>)[key] ?? {};
      const members = Object.entries(parts).map(([name, part]) => this.#member(name, part, typeOf));
      return { key, type: members.length === 0 ? types.NEVER : types.objectOf(members) };
    };
    return [
      section<Schema>('schemas', (schema) => this.#schemas.typeOf(schema)),
      section<Response>('responses', (response) => this.#response(response)),
      section<Parameter>('parameters', (parameter) => this.#parameter(parameter)),
      section<RequestBody>('requestBodies', (body) => this.#requestBody(body)),
      section<Header>('headers', (header) => this.#header(header)),
      { key: 'pathItems', type: types.NEVER },
    ];
  }

  #member<T extends object>(key: string, part: T | Reference, typeOf: (part: T) => TypeText, isOptional = false): Member {
    const reference = referenceOf(part);
    return {
      key,
      isOptional,
      type: reference === undefined ? typeOf(part as T) : typeOfReference(reference),
      comment: types.commentOf(part),
    };
  }

  #pathItem(item: PathItem): TypeText {
    const methods = [
      ...METHODS,
      ...methodsOf(item).filter((method) => !METHODS.includes(method) && operationAt(item, method) !== undefined),
    ];
    return types.objectOf([
      this.#parameters(item.parameters ?? []),
      ...methods.map((method) => {
        const operation = operationAt(item, method);
        return operation === undefined
          ? absent(method)
          : { key: method, type: this.#operation(item, operation), comment: types.commentOf(operation) };
      }),
    ]);
  }

  /** A name in `operations` for one that handlers have; webhooks have none. */
  #operation({ parameters: shared = [] }: PathItem, operation: OperationObject): TypeText {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const byName = new Map<string, Parameter | Reference>();
    for (const parameter of [...shared, ...parameters]) {
      const { in: location, name } = resolve<Parameter>(this.#document, parameter);
      byName.set(`${location}-${name}`, parameter);
    }
    const isOptional = requestBody !== undefined && resolve<RequestBody>(this.#document, requestBody).required !== true;
    const type = types.objectOf([
      this.#parameters([...byName.values()]),
      requestBody === undefined
        ? absent('requestBody')
        : this.#member('requestBody', requestBody, (body: RequestBody) => this.#requestBody(body), isOptional),
      { key: 'responses', type: this.#responses(responses) },
    ]);
    if (operationId === undefined) return type;
    this.#operations.push({ key: operationId, type });
    return types.accessOf('operations', operationId);
  }

  #responses(responses: OperationObject['responses']): TypeText {
    const members = Object.entries(responses).map(([status, response]) =>
      this.#member(status, response, (part: Response) => this.#response(part)),
    );
    return members.length === 0 ? types.NEVER : types.objectOf(members);
  }

  #parameters(parameters: readonly (Parameter | Reference)[]): Member {
    const all = parameters.map((given) => ({ given, parameter: resolve<Parameter>(this.#document, given) }));
    const members = LOCATIONS.map((location): Member => {
      const declared = all
        .filter(({ parameter }) => parameter.in === location)
        .map(({ given, parameter }) => ({
          ...this.#member(
            parameter.name,
            given,
            (part: Parameter) => this.#parameter(part),
            location !== 'path' && parameter.required !== true,
          ),
          comment: types.commentOf(parameter),
        }));
      if (declared.length === 0) return absent(location);
      return { key: location, isOptional: declared.every(({ isOptional }) => isOptional), type: types.objectOf(declared) };
    });
    // OpenAPI 3.2: the whole query.
    const queries = all.flatMap(({ parameter: { in: location, required, content } }): Member[] => {
      const [media] = (location as string) === 'querystring' ? Object.values(content ?? {}) : [];
      return media === undefined
        ? []
        : [{ key: 'querystring', isOptional: required !== true, type: this.#schemas.typeOf(media.schema ?? {}) }];
    });
    return { key: 'parameters', type: types.objectOf([...members, ...queries]) };
  }

  #parameter({ schema }: Parameter): TypeText {
    return schema === undefined ? types.STRING : this.#schemas.typeOf(schema);
  }

  #requestBody({ content }: RequestBody): TypeText {
    const members = this.#content(content);
    return types.objectOf([{ key: 'content', type: types.objectOf(members.length > 0 ? members : [absent('*/*')]) }]);
  }

  #content(content: Readonly<Record<string, MediaType>>): Member[] {
    return Object.entries(content).map(([type, media]) =>
      this.#member(type, media, ({ schema }: MediaType) => this.#schemas.typeOf(schema)),
    );
  }

  #response({ headers = {}, content = {} }: Response): TypeText {
    const members = Object.entries(headers).map(([name, header]) =>
      this.#member(name, header, (part: Header) => this.#header(part), !('$ref' in header) && header.required !== true),
    );
    const media = this.#content(content);
    return types.objectOf([
      { key: 'headers', type: types.openObjectOf(members, 'name', types.UNKNOWN) },
      media.length === 0 ? absent('content') : { key: 'content', type: types.objectOf(media) },
    ]);
  }

  #header({ schema, content }: Header): TypeText {
    if (schema !== undefined) return this.#schemas.typeOf(schema);
    return content === undefined ? types.UNKNOWN : types.objectOf(this.#content(content));
  }
}
