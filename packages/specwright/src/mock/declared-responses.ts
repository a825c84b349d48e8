/** The responses that an operation declares, with where their schemas are. */
import {
  itemSchemaOf,
  operationKeys,
  pointerTo,
  resolveAt,
  type Document,
  type DocumentOperation,
  type MediaType,
  type Response,
} from '@specwright/contract/document';
import type { LocatedSchema } from '../testing/contract/values/schema-parts.ts';
import type { SpecMedia } from '../testing/contract/document.ts';

export interface DeclaredMedia {
  /** As the contract spells it. */
  readonly type: string;
  readonly media: SpecMedia;
  readonly schema: LocatedSchema | undefined;
  /** Of each item of a sequence. */
  readonly itemSchema: LocatedSchema | undefined;
}

export interface DeclaredHeader {
  readonly name: string;
  readonly required: boolean;
  readonly media: SpecMedia;
  readonly schema: LocatedSchema | undefined;
}

export interface DeclaredResponse {
  /** `200`, `4XX` or `default`. */
  readonly key: string;
  readonly headers: readonly DeclaredHeader[];
  readonly content: readonly DeclaredMedia[];
  readonly response: Response;
}

const located = (schema: SpecMedia['schema'], pointer: string, ...keys: string[]): LocatedSchema | undefined =>
  schema === undefined ? undefined : { value: schema, pointer: pointer + pointerTo(...keys).slice(1) };

/** In the order of the contract. */
export function declaredResponses(document: Document, operation: DocumentOperation): DeclaredResponse[] {
  return Object.entries(operation.operation.responses).map(([key, reference]) => {
    const at = pointerTo(...operationKeys(operation), 'responses', key);
    const { value: response, pointer } = resolveAt<Response>(document, reference, at);
    return {
      key,
      response,
      headers: Object.entries(response.headers ?? {}).map(([name, header]) => {
        const found = resolveAt<SpecMedia & { required?: boolean }>(document, header, pointer + pointerTo('headers', name).slice(1));
        const { required = false, schema } = found.value;
        return { name, required, media: found.value, schema: located(schema, found.pointer, 'schema') };
      }),
      content: Object.entries(response.content ?? {}).map(([type, media]: [string, MediaType]) => {
        const items = itemSchemaOf(type, media);
        return {
          type,
          media: media,
          schema: located(media.schema, pointer, 'content', type, 'schema'),
          itemSchema: items && located(items.schema, pointer, 'content', type, items.keyword),
        };
      }),
    };
  });
}

/** The response that declares a status: itself, else its range, else `default` (OpenAPI 3.0.3, section 4.7.16). */
export const responseFor = (responses: readonly DeclaredResponse[], status: number): DeclaredResponse | undefined =>
  [String(status), `${String(status).slice(0, 1)}XX`, 'default']
    .map((name) => responses.find(({ key }) => key.toUpperCase() === name.toUpperCase()))
    .find((found) => found !== undefined);

/** The status that an operation answers with if all is well: the first 2xx, else `default` as 200, else the first that is declared. */
export function successStatus(responses: readonly DeclaredResponse[]): number {
  const keys = responses.map(({ key }) => key);
  const success = keys.find((key) => /^2\d\d$/.test(key)) ?? keys.find((key) => /^2XX$/i.test(key));
  if (success !== undefined) return /XX$/i.test(success) ? 200 : Number(success);
  if (keys.includes('default') || keys[0] === undefined) return 200;
  return Number(keys[0].replace(/XX$/i, '00'));
}
