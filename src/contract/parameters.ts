/** Turns the strings of a URL and of headers into the values that the contract declares, strictly. */
import { parametersOf, resolve, type Document, type Parameter, type Place, type Schema } from './openapi.ts';

/** A fault of a request and its place: `query/limit`, `path/petId`, `header/If-Match`, `body/name`. */
export interface RequestFault {
  readonly place: string;
  readonly message: string;
}

/** The raw parameters of one request: path values are percent-decoded, header names are lower case. */
export interface RawParameters {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Typed values by place and declared name. What has a fault keeps its string; what is absent is absent. */
export interface Decoded {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly faults: RequestFault[];
}

type Scalar = 'string' | 'integer' | 'number' | 'boolean';

interface Decoder {
  readonly name: string;
  readonly in: Parameter['in'];
  readonly decode: (values: readonly string[], fault: (message: string) => void) => unknown;
}

// Only what JSON calls a number: no blanks, no hexadecimal, no leading zeros (RFC 8259, section 6).
const INTEGER = /^-?(0|[1-9]\d*)$/;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

const DELIMITERS: Readonly<Record<string, string>> = { form: ',', simple: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/**
 * Makes the decoder of an operation's parameters.
 *
 * Serves primitives and arrays in every style of OpenAPI 3.0.3, section 4.7.12.2, `deepObject`, and `content` with JSON.
 * Whether the values are valid is the schema's concern; this only refuses what is not written as its type, what is
 * given twice, and query parameters that are not declared.
 */
export function createDecoder(document: Document, place: Place): (raw: RawParameters) => Decoded {
  const decoders = parametersOf(document, place).map((parameter) => createParameterDecoder(document, parameter));
  const inPath = decoders.filter((decoder) => decoder.in === 'path');
  const inQuery = new Map(decoders.filter((decoder) => decoder.in === 'query').map((decoder) => [decoder.name, decoder]));
  const inHeader = decoders.filter((decoder) => decoder.in === 'header');

  return (raw) => {
    const decoded: Decoded = { path: {}, query: {}, headers: {}, faults: [] };
    const faultAt = (where: string) => (message: string) => void decoded.faults.push({ place: where, message });
    for (const { name, decode } of inPath) decoded.path[name] = decode([raw.path[name] ?? ''], faultAt(`path/${name}`));

    const objects = new Map<string, Record<string, string>>();
    for (const key of new Set(raw.query.keys())) {
      const decoder = inQuery.get(key);
      const [, outer, inner] = /^([^[]+)\[([^\]]+)\]$/.exec(key) ?? [];
      if (decoder !== undefined) {
        decoded.query[key] = decoder.decode(raw.query.getAll(key), faultAt(`query/${key}`));
      } else if (outer !== undefined && inner !== undefined && inQuery.has(outer)) {
        objects.set(outer, { ...objects.get(outer), [inner]: raw.query.get(key) ?? '' });
      } else {
        faultAt(`query/${key}`)('is not declared');
      }
    }
    for (const [name, value] of objects) decoded.query[name] = value;

    for (const { name, decode } of inHeader) {
      const value = raw.headers[name.toLowerCase()];
      if (value !== undefined) decoded.headers[name] = decode([value].flat(), faultAt(`header/${name}`));
    }
    return decoded;
  };
}

function createParameterDecoder(document: Document, parameter: Parameter): Decoder {
  const { name } = parameter;
  if (parameter.content !== undefined) return { name, in: parameter.in, decode: ([value = ''], fault) => decodeJson(value, fault) };

  const schema = parameter.schema ?? {};
  const style = parameter.style ?? (parameter.in === 'query' || parameter.in === 'cookie' ? 'form' : 'simple');
  const explode = parameter.explode ?? style === 'form';
  const types = typesOf(document, schema);
  if (types.has('array')) {
    const items = scalarsOf(typesOf(document, itemsOf(document, schema)));
    const delimiter = DELIMITERS[style] ?? ',';
    const split = (values: readonly string[]) => (explode && parameter.in === 'query' ? values : values.flatMap((v) => v.split(delimiter)));
    return {
      name,
      in: parameter.in,
      decode: (values, fault) =>
        split(values).map((value, index) => decodeScalar(items, value, (message) => fault(`${message} at ${index}`))),
    };
  }
  const scalars = scalarsOf(types);
  return {
    name,
    in: parameter.in,
    decode: (values, fault) => {
      if (values.length > 1) fault('must be given once');
      return decodeScalar(scalars, values[0] ?? '', fault);
    },
  };
}

function decodeJson(value: string, fault: (message: string) => void): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    fault('must be JSON');
    return value;
  }
}

function decodeScalar(types: ReadonlySet<Scalar>, value: string, fault: (message: string) => void): unknown {
  if (types.has('integer') && INTEGER.test(value)) return Number(value);
  if (types.has('number') && NUMBER.test(value)) return Number(value);
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (!types.has('string')) fault(`must be ${[...types].join(' or ')}`);
  return value;
}

/** The JSON types that a schema allows, seen through references and compositions. None named: any, read as a string. */
function typesOf(document: Document, schema: Schema, depth = 0): Set<string> {
  const own = resolve<Schema>(document, schema);
  if (own.type !== undefined) return new Set([own.type]);
  if (depth > 10) return new Set();
  const parts = [...(own.allOf ?? []), ...(own.oneOf ?? []), ...(own.anyOf ?? [])];
  return new Set(parts.flatMap((part) => [...typesOf(document, part, depth + 1)]));
}

function scalarsOf(types: ReadonlySet<string>): Set<Scalar> {
  const scalars = [...types].filter((type): type is Scalar => ['string', 'integer', 'number', 'boolean'].includes(type));
  return new Set(scalars.length > 0 ? scalars : ['string']);
}

function itemsOf(document: Document, schema: Schema): Schema {
  const own = resolve<Schema>(document, schema);
  if (own.items !== undefined) return own.items;
  const parts = [...(own.allOf ?? []), ...(own.oneOf ?? []), ...(own.anyOf ?? [])];
  return parts.map((part) => itemsOf(document, part)).find((items) => Object.keys(items).length > 0) ?? {};
}
