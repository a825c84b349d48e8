/** Writes parameters in the styles of OpenAPI 3.0.3, section 4.7.12.2. */
import { writeJson } from './json.ts';
import type { AnyInput, OperationEntry, Parameter, ParameterLocation } from './types.ts';

export interface SerializedParameters {
  /** The path with its parameters, and the query. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
}

/** @throws TypeError for a value of a path that is empty, `.` or `..`: the URL would be another one. */
export function serializeParameters({ path, parameters = [] }: OperationEntry, input: AnyInput): SerializedParameters {
  const given = (location: ParameterLocation) =>
    parameters.flatMap((parameter): [Parameter, unknown][] => {
      const value = parameter[0] === location ? (input[location] as Record<string, unknown> | undefined)?.[parameter[1]] : undefined;
      return value === undefined || value === null ? [] : [[parameter, value]];
    });
  let [filled = ''] = path.split('#', 1);
  for (const [parameter, value] of given('path')) {
    const text = styled(parameter, value, encodeURIComponent);
    if (text === '' || text === '.' || text === '..') throw new TypeError(`path/${parameter[1]} must not be "${text}"`);
    filled = filled.replaceAll(`{${parameter[1]}}`, () => text);
  }
  const query = given('query').flatMap(([parameter, value]) => queryParts(parameter, value));
  return {
    path: query.length === 0 ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: given('headers').map(([parameter, value]) => [parameter[1], styled(parameter, value, String)]),
    cookies: given('cookies').map(([parameter, value]) => `${parameter[1]}=${styled(parameter, value, encodeURIComponent)}`),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOf = (value: object): [string, unknown][] => Object.entries(value).filter(([, item]) => item !== undefined && item !== null);

/** A value within text: what is nested is JSON, which no style defines. */
const scalar = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value));

type Encode = (text: string) => string;

/** One text: `a,b`, `R,100,G,200`, `R=100,G=200`; with `.` before it for label and `;name=` for matrix. */
export function styled([, name, style = 'simple', explode = false]: Parameter, value: unknown, encode: Encode): string {
  if (style === 'json') return encode(writeJson(value));
  const prefix = style === 'label' ? '.' : style === 'matrix' ? (isObject(value) && explode ? ';' : `;${name}=`) : '';
  const delimiter = DELIMITERS[style] ?? (explode && style === 'label' ? '.' : explode && style === 'matrix' ? ';' : ',');
  if (Array.isArray(value)) {
    const items = value.map((item) => encode(scalar(item)));
    return prefix + items.join(explode && style === 'matrix' ? prefix : delimiter);
  }
  if (!isObject(value)) return prefix + encode(scalar(value));
  const pairs = entriesOf(value).map(([key, item]) => `${encode(key)}${explode ? '=' : delimiter}${encode(scalar(item))}`);
  return prefix + pairs.join(delimiter);
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

function queryParts(parameter: Parameter, value: unknown): string[] {
  const [, name, style = 'form', explode = style === 'form'] = parameter;
  const pair = (key: string, item: unknown) => `${encodeURIComponent(key)}=${encodeURIComponent(scalar(item))}`;
  if (style === 'deepObject') return bracketed(name, value);
  if (Array.isArray(value) && value.length === 0) return [];
  if (explode && Array.isArray(value)) return value.map((item) => pair(name, item));
  if (explode && isObject(value)) return entriesOf(value).map(([key, item]) => pair(key, item));
  return [`${encodeURIComponent(name)}=${styled(['query', name, style, explode], value, encodeURIComponent)}`];
}

/** `filter[name]=a&filter[tags][0]=b`: as forms are nested in this style, too. */
export function bracketed(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item, i) => bracketed(typeof item === 'object' ? `${name}[${i}]` : name, item));
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => bracketed(`${name}[${key}]`, item));
  return [`${encodeURIComponent(name)}=${encodeURIComponent(scalar(value))}`];
}
