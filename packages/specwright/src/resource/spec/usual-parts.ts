/** What the operations of a document usually have, so that new ones have it too. */
import {
  isObject,
  listOperations,
  resolve,
  type Document,
  type DocumentOperation,
  type OperationObject,
  type Parameter,
  type Response,
  type Schema,
} from '@specwright/contract/document';
import { without } from '../resource.ts';

type Responses = OperationObject['responses'];

export type UsualParts = ReturnType<typeof findUsualParts>;

/** What an operation answers for its own reasons is not usual. */
const PARTICULAR = ['402', '404', '409', '410', '412'];
const OF_BODIES = ['413', '415', '422'];
const MERGE_PATCH = 'application/merge-patch+json';

/** @param document as it is written, with its `x-operation-defaults` applied: parts of it are copied. */
export function findUsualParts(document: Document) {
  const operations = listOperations(document).filter(({ operation }) => isObject(operation.responses));
  const ofMethod = (method: string) => operations.filter((one) => one.method === method);
  const errors = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).filter(([status]) => /^([45]|default)/.test(status)),
  );
  const named = operations.map(({ operation }) => operation as OperationObject & { tags?: unknown });

  const parametersIn = (found: readonly DocumentOperation[]) =>
    found.flatMap(({ item, operation }) => [...(item.parameters ?? []), ...(operation.parameters ?? [])]);
  const isCalled = (parameter: Parameter, place: string, name: string) => parameter.in === place && parameter.name === name;

  return {
    /** The `$ref` of a parameter that fits: as operations of the method have it, else of the components. */
    parameter(method: string, place: Parameter['in'], name: string, fits: (schema: Schema) => boolean): string | undefined {
      const isFit = (ref: string) => {
        const parameter = resolve<Parameter>(document, { $ref: ref });
        return isCalled(parameter, place, name) && fits(resolve<Schema>(document, parameter.schema ?? {}));
      };
      const used = parametersIn(ofMethod(method)).flatMap((one) => ('$ref' in one && isFit(one.$ref) ? [one.$ref] : []));
      const declared = Object.keys(document.components?.['parameters'] ?? {}).map((key) => `#/components/parameters/${key}`);
      return mostUsed(used) ?? declared.find(isFit);
    },
    /** Whether operations of the method have the parameter. */
    hasParameter: (method: string, place: Parameter['in'], name: string): boolean =>
      parametersIn(ofMethod(method)).some((one) => isCalled(resolve<Parameter>(document, one), place, name)),
    /** The error statuses of most operations of the method. */
    statuses(method: string): string[] {
      const same = ofMethod(method);
      const compared = same.length > 0 ? same : operations;
      const counts = new Map<string, number>();
      for (const { operation } of compared)
        for (const status of Object.keys(operation.responses)) counts.set(status, (counts.get(status) ?? 0) + 1);
      const hasBody = ['put', 'post', 'patch'].includes(method);
      return [...counts].flatMap(([status, count]) => {
        const isOther = !/^([45]|default)/.test(status) || PARTICULAR.includes(status) || (OF_BODIES.includes(status) && !hasBody);
        return isOther || count * 2 < compared.length ? [] : [status];
      });
    },
    /** The response that most operations have for a status, without its examples. */
    response(status: string): Responses[string] | undefined {
      const same = errors.filter(([other]) => other === status).map(([, response]) => response);
      const text = mostUsed(same.map((response) => JSON.stringify(withoutExamples(response))));
      return text === undefined ? undefined : (JSON.parse(text) as Responses[string]);
    },
    /** The body of most errors. */
    errorContent(): Response['content'] | undefined {
      const contents = errors.flatMap(([, one]) => {
        const { content } = withoutExamples(resolve<Response>(document, one)) as Response;
        return content === undefined ? [] : [JSON.stringify(content)];
      });
      const text = mostUsed(contents);
      return text === undefined ? undefined : (JSON.parse(text) as Response['content']);
    },
    security: parse(
      mostUsed(operations.flatMap(({ operation }) => (operation.security?.length ? [JSON.stringify(operation.security)] : []))),
    ),
    tags: named.some(({ tags }) => Array.isArray(tags) && tags.length > 0),
    links: operations.some(({ operation }) =>
      Object.values(operation.responses).some((one) => 'links' in resolve<Response>(document, one)),
    ),
    mergePatch: operations.some(
      ({ operation }) => operation.requestBody && MERGE_PATCH in resolve<{ content: object }>(document, operation.requestBody).content,
    ),
  };
}

const parse = (text: string | undefined) => (text === undefined ? undefined : (JSON.parse(text) as Record<string, string[]>[]));

/** The examples are those of another operation. */
function withoutExamples(response: Responses[string]): Responses[string] {
  if ('$ref' in response || !isObject(response.content)) return response;
  const content = Object.fromEntries(
    Object.entries(response.content).map(([type, media]) => [type, without(media, 'example', 'examples')]),
  );
  return { ...response, content };
}

function mostUsed(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
