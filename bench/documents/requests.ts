/** One request for each operation of a document: `{}` as its body, and parameters that are likely to be valid. A 400 compiles as well. */
import { listOperations, parametersOf, resolve, typeOf, valuesOf, type Document, type Parameter } from '@specwright/contract/document';

export interface BenchRequest {
  readonly hasBody: boolean;
  readonly path: string;
  readonly init: RequestInit;
}

export function benchRequests(document: Document): BenchRequest[] {
  return listOperations(document).map((place) => {
    const { path, method, operation } = place;
    const parameters = parametersOf(document, place);
    const inPath = new Map(parameters.filter((one) => one.in === 'path').map((one) => [one.name, valueOf(document, one)]));
    const query = parameters
      .filter((one) => one.in === 'query' && one.required === true)
      .map((one): [string, string] => [one.name, valueOf(document, one)]);
    const body = operation.requestBody === undefined ? undefined : resolve(document, operation.requestBody);
    const types = Object.keys(body?.content ?? {});
    const type = types.find((one) => one.includes('json')) ?? types[0];
    const hasBody = type !== undefined && method !== 'get' && method !== 'head';
    return {
      hasBody,
      path: `${path.replace(/\{([^}]+)\}/g, (_, name: string) => inPath.get(name) ?? 'a')}?${new URLSearchParams(query).toString()}`,
      init: {
        method: method.toUpperCase(),
        ...(hasBody && { headers: { 'content-type': type.replace('*/*', 'application/json') }, body: '{}' }),
      },
    };
  });
}

function valueOf(document: Document, { schema }: Parameter): string {
  const target = schema === undefined ? {} : resolve(document, schema);
  const [first] = valuesOf(target) ?? [];
  if (typeof first === 'string' || typeof first === 'number') return String(first);
  const type = typeOf(target);
  return type === 'integer' || type === 'number' ? '1' : type === 'boolean' ? 'true' : 'a';
}
