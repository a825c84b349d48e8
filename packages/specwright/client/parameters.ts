/** Writes parameters in the styles of OpenAPI 3.0.3, section 4.7.12.2. */
import { encodePairs, encodeText, type EncodedField } from '@specwright/contract/document';
import type { AnyInput, OperationEntry, ParameterLocation } from './types.ts';

export interface SerializedParameters {
  /** The path with its parameters, and the query. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
}

/** Groups of an input, and the locations of their parameters. */
const LOCATIONS = { path: 'path', query: 'query', headers: 'header', cookies: 'cookie' } as const;

/** @throws TypeError for a value that would be read as another one, and for a path parameter that is missing. */
export function serializeParameters(
  { id, path, parameters = [], query: write, cookies }: OperationEntry,
  input: AnyInput,
): SerializedParameters {
  const given = (location: ParameterLocation) =>
    parameters.flatMap(([group, name, style, explode]): [EncodedField, unknown][] => {
      const value = group === location ? (input[location] as Record<string, unknown> | undefined)?.[name] : undefined;
      return value === undefined || value === null ? [] : [[{ name, in: LOCATIONS[location], style, explode }, value]];
    });
  let [filled = ''] = path.split('#', 1);
  for (const [field, value] of given('path')) {
    const text = encodeText(field, value);
    filled = filled.replaceAll(`{${field.name}}`, () => text);
  }
  const missing = parameters.find(([location, name]) => location === 'path' && filled.includes(`{${name}}`));
  if (missing !== undefined) throw new TypeError(`${id}: the path parameter ${missing[1]} is missing`);
  const query = write?.(input.query) ?? given('query').flatMap(([field, value]) => encodePairs(field, value));
  return {
    path: query.length === 0 ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: given('headers').map(([field, value]) => [field.name, encodeText(field, value)]),
    cookies: given('cookies').flatMap(([field, value]) => cookies?.(field, value) ?? []),
  };
}
