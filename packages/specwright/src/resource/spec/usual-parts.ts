/** What the operations of a document usually have, so that new ones have it too. */
import {
  isObject,
  listOperations,
  resolve,
  type Document,
  type OperationObject,
  type Parameter,
  type RequestBody,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { without } from '../resource.ts';

type Responses = OperationObject['responses'];

export type UsualParts = ReturnType<typeof findUsualParts>;

/** What an operation answers for its own reasons is not usual. */
const PARTICULAR = ['402', '404', '409', '410', '412'];
const OF_BODIES = ['413', '415', '422'];
export const MERGE_PATCH = 'application/merge-patch+json';

const isError = (status: string): boolean => /^([45]|default)/.test(status);

/** @param document as it is written, with its `x-operation-defaults` applied: parts of it are copied. */
export function findUsualParts(document: Document) {
  const operations = listOperations(document).filter(({ operation }) => isObject(operation.responses));
  const ofMethod = (method: string) => operations.filter((one) => one.method === method);
  const responses = operations.flatMap(({ operation }) => Object.entries(operation.responses));
  const errors = responses.filter(([status]) => isError(status)).map(([status, one]) => [status, withoutExamples(one)] as const);
  const bodies = operations.flatMap(({ operation: { requestBody } }) => (requestBody ? [resolve<RequestBody>(document, requestBody)] : []));

  return {
    /**
     * The `$ref` of a parameter that fits: as operations of the method have it, else of the components.
     *
     * @param fits `undefined` if it is for what operations of the method already have.
     */
    parameter(method: string, wanted: Parameter, fits?: (schema: Schema) => boolean): string | undefined {
      const isFit = (one: Parameter) =>
        one.in === wanted.in && one.name === wanted.name && (fits?.(resolve<Schema>(document, one.schema ?? {})) ?? true);
      const isFitRef = ($ref: string) => isFit(resolve<Parameter>(document, { $ref }));
      const had = ofMethod(method).flatMap(({ item, operation }) => [...(item.parameters ?? []), ...(operation.parameters ?? [])]);
      if (fits === undefined && !had.some((one) => isFit(resolve<Parameter>(document, one)))) return undefined;
      const declared = Object.keys(document.components?.['parameters'] ?? {}).map((key) => `#/components/parameters/${key}`);
      return mostUsed(had.flatMap((one) => ('$ref' in one && isFitRef(one.$ref) ? [one.$ref] : []))) ?? declared.find(isFitRef);
    },
    /** The error statuses of most operations of the method. */
    statuses(method: string): string[] {
      const same = ofMethod(method);
      const compared = same.length > 0 ? same : operations;
      const statuses = compared.flatMap(({ operation }) => Object.keys(operation.responses));
      const excepted = ['put', 'post', 'patch'].includes(method) ? PARTICULAR : [...PARTICULAR, ...OF_BODIES];
      const isUsual = (status: string) => statuses.filter((one) => one === status).length * 2 >= compared.length;
      return [...new Set(statuses)].filter((status) => isError(status) && !excepted.includes(status) && isUsual(status));
    },
    /** The response that most operations have for a status, without its examples. */
    response: (status: string): Responses[string] | undefined =>
      mostUsed(errors.flatMap(([other, response]) => (other === status ? [response] : []))),
    /** The body of most errors. */
    errorContent: (): Response['content'] | undefined =>
      mostUsed(
        errors.flatMap(([, one]) => {
          const { content } = withoutExamples(resolve<Response>(document, one)) as Response;
          return content === undefined ? [] : [content];
        }),
      ),
    security: mostUsed(operations.flatMap(({ operation: { security } }) => (security?.length ? [security] : []))),
    tags: operations.some(({ operation }) => (operation as { tags?: readonly string[] }).tags?.length),
    links: responses.some(([, one]) => 'links' in resolve<Response>(document, one)),
    mergePatch: bodies.some(({ content }) => MERGE_PATCH in content),
  };
}

/** The examples are those of another operation. */
function withoutExamples(response: Responses[string]): Responses[string] {
  if ('$ref' in response || !isObject(response.content)) return response;
  const media = Object.entries(response.content).map(([type, one]) => [type, without(one, 'example', 'examples')] as const);
  return { ...response, content: Object.fromEntries(media) };
}

/** A copy of what is there most often; values are compared as JSON. */
function mostUsed<T>(values: readonly T[]): T | undefined {
  const texts = values.map((value) => JSON.stringify(value));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  return first === undefined ? undefined : (JSON.parse(first[0]) as T);
}
