/** Makes one object of the fields of a multipart body, each of the type that its schema declares (OpenAPI 3.0.3, section 4.7.14.4). */
import {
  requestMedia,
  type DeclaredMedia,
  type Document,
  type Encoding,
  type MediaType,
  listOperations,
  operationAt,
  resolve,
  withOperation,
  type DocumentOperation,
  type RequestBody,
} from '../../document/openapi.ts';
import { decodeJson } from '../../codec/decode.ts';
import type { FieldEncoding } from '../../codec/field-encoding.ts';
import { fieldEncoding, isDelimited } from '../../codec/form-encoding.ts';
import { isJson, matchesType, bodyKind } from '../../http/media-types.ts';
import { type RequestProblem, reportTo } from '../parameter-decoder.ts';
import { convertValue, createValueShape, type ValueShape } from '../../codec/typed-values.ts';
import { multipartParts, type MultipartParts } from './multipart-parts.ts';

export interface Field {
  readonly name: string;
  readonly type: string | undefined;
  readonly text: string;
}

export type FieldDecoder = (fields: readonly Field[]) => { value: Record<string, unknown>; problems: RequestProblem[] };

/**
 * Creates the decoder of a body's fields. Objects are JSON, and so is what `encoding` says; the items of an array are parts of one name, also with
 * brackets (`tags[]`), or one part where `encoding` has a style and no `explode` (OpenAPI 3.1.1, section 4.8.15.1.2).
 *
 * @param media its schema is that of the fields.
 */
export function createFieldDecoder(document: Document, { schema = {}, encoding = {} }: MediaType): FieldDecoder {
  const shape = createValueShape(document, schema);
  return (fields) => {
    const problems: RequestProblem[] = [];
    const byName = new Map<string, Field[]>();
    for (const field of fields) {
      const name = nameOf(shape, field.name);
      const parts = byName.get(name);
      if (parts === undefined) byName.set(name, [field]);
      else parts.push(field);
    }
    const values = [...byName].map(([name, parts]): [string, unknown] => {
      const property = shape.property(name);
      const report = reportTo(problems, `body/${name}`);
      const pieces = isDelimitedIn(document, encoding, name) ? splitPart(property, parts, fieldEncoding(encoding, name)) : parts;
      return [name, decodeField(property, pieces, pieces === parts ? encoding[name] : undefined, report)];
    });
    return { value: Object.fromEntries(values), problems };
  };
}

/** `tags[]` is the list `tags`, unless it is declared itself. */
function nameOf(shape: ValueShape, name: string): string {
  if (!name.endsWith('[]') || shape.propertyNames.includes(name)) return name;
  const list = name.slice(0, -2);
  return shape.propertyNames.includes(list) && shape.property(list).types.has('array') ? list : name;
}

/** In OpenAPI 3.0 a style is of forms that are encoded as a URL only (3.0.3, section 4.7.15.1). */
const isDelimitedIn = ({ openapi }: Document, encoding: Readonly<Record<string, Encoding>>, name: string): boolean =>
  !openapi.startsWith('3.0') && Object.hasOwn(encoding, name) && isDelimited(fieldEncoding(encoding, name));

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** The items of a list that is one part. Nothing in a part is percent-encoded. */
function splitPart({ types }: ValueShape, parts: readonly Field[], { style }: FieldEncoding): readonly Field[] {
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0 || !types.has('array')) return parts;
  const texts = part.text === '' ? [] : part.text.split(DELIMITERS[style] ?? ',');
  return texts.map((text) => ({ ...part, type: undefined, text }));
}

type Report = (message: string, path: string) => void;

function decodeField(shape: ValueShape, parts: readonly Field[], encoding: Encoding | undefined, report: Report): unknown {
  const isList = shape.types.has('array');
  const [first] = parts;
  if (first === undefined) return isList ? [] : undefined;
  // A list may also be one part that is JSON.
  const isWhole = parts.length === 1 && first.text.trimStart().startsWith('[') && isJson(first.type ?? encoding?.contentType ?? '');
  if (!isList || isWhole) {
    if (parts.length > 1) report('must be given once', '');
    return decodePart(shape, first, encoding, report);
  }
  return parts.map((part, i) => decodePart(shape.item(), part, encoding, (message, path) => report(message, `/${i}${path}`)));
}

function decodePart(shape: ValueShape, { type, text }: Field, encoding: Encoding | undefined, report: Report): unknown {
  const declared = encoding?.contentType?.split(',').map((each) => each.trim()) ?? [];
  if (type !== undefined && declared.length > 0 && !declared.some((each) => matchesType(type, each))) {
    report(`must be of the type ${declared.join(' or ')}, not ${type.slice(0, 100)}`, '');
    return text;
  }
  const isText = shape.types.has('string') && !declared.some(isJson);
  if (isText || !(isJson(type ?? declared[0] ?? '') || isComposite(shape))) return convertValue(shape, text, report);
  return decodeJson(text, shape, report);
}

/** What can only be written as JSON. */
const isComposite = ({ types }: ValueShape): boolean => types.size > 0 && [...types].every((type) => type === 'object' || type === 'array');

// A document as its validators need it: the schema of a multipart body is that of its fields.

/** @param document a model. @returns the document itself if no request has a multipart body. */
export function withFieldSchemas(document: Document): Document {
  const paths = { ...document.paths };
  let hasAny = false;
  for (const operation of listOperations(document)) {
    const { path, method } = operation;
    const media = formDataOf(document, operation);
    const item = paths[path];
    const given = operationAt(item, method);
    if (media === undefined || item === undefined || given?.requestBody === undefined) continue;
    hasAny = true;
    const body = resolve<RequestBody>(document, given.requestBody);
    const content = { ...body.content, [media.type]: { ...media.media, schema: multipartParts(document, media.media).fields } };
    paths[path] = withOperation(item, method, { ...given, requestBody: { ...body, content } });
  }
  return hasAny ? { ...document, paths } : document;
}

/** The parts of an operation's body; `undefined` if it has no such body. */
export function multipartPartsOf(document: Document, operation: DocumentOperation): MultipartParts | undefined {
  const formData = formDataOf(document, operation);
  return formData && multipartParts(document, formData.media);
}

export const formDataOf = (document: Document, operation: DocumentOperation): DeclaredMedia | undefined =>
  requestMedia(document, operation).find(({ type }) => bodyKind(type) === 'multipart');
