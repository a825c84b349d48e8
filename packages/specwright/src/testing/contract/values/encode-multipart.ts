/** Writes a body of multipart/form-data as the contract says (RFC 7578; OpenAPI 3.0.3, section 4.7.14.4). */
import { formatOf, typesOf, type Schema } from '@specwright/contract/document';
import type { Json, SpecEncoding, SpecMedia } from '../document.ts';
import { first, viewSchema, type SchemaView } from './schema-view.ts';
import { textOf } from './text-of.ts';

/** The same for all, since the values are made and do not have it. */
export const BOUNDARY = 'boundary-of-a-contract-test';

/** Fields come before files, which a server may hand on while they arrive. @param value the fields, and files as texts or bytes. */
export function encodeMultipart(document: Json, { schema = {}, encoding = {} }: SpecMedia, value: object): Buffer {
  const { properties } = viewSchema(document, [{ value: schema, pointer: '#' }]);
  const parts = Object.entries(value).flatMap(([name, given]: [string, unknown]) => {
    const declared = properties.get(name);
    const view = declared && viewSchema(document, declared);
    const own = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const item = view?.items === undefined ? view : viewSchema(document, view.items);
    const isFile = item !== undefined && isBytes(document, item, own);
    const items: unknown[] = Array.isArray(given) ? given : [given];
    return items.flatMap((one) => (one === undefined || one === null ? [] : [{ isFile, bytes: partOf(name, one, own, isFile) }]));
  });
  const ordered = [...parts.filter(({ isFile }) => !isFile), ...parts.filter(({ isFile }) => isFile)];
  return Buffer.concat([...ordered.map(({ bytes }) => bytes), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function partOf(name: string, value: unknown, encoding: SpecEncoding = {}, isFile: boolean): Buffer {
  // Of several types, and of a range, one.
  const declared = encoding.contentType?.split(',')[0]?.trim().replace('*/*', 'application/octet-stream').replace('/*', '/png');
  const isJson = !isFile && ((typeof value === 'object' && !Buffer.isBuffer(value)) || /[/+]json\b/i.test(declared ?? ''));
  const type = declared ?? (isFile ? 'application/octet-stream' : isJson ? 'application/json' : undefined);
  const head = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${isFile ? '; filename="file"' : ''}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ];
  const content = Buffer.isBuffer(value) ? value : Buffer.from(isJson ? JSON.stringify(value) : textOf(value));
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
}

/** Whether a property is a file: `format: binary`, or since 3.1 a text of a media type that is not encoded, or nothing said (3.1.1, section 4.8.15.1.1). */
function isBytes(document: Json, view: SchemaView, encoding: SpecEncoding | undefined): boolean {
  if (first(view, formatOf) === 'binary') return true;
  const read = (keyword: string) => first(view, (schema: Schema) => (schema as Record<string, unknown>)[keyword] as string | undefined);
  if (read('contentEncoding') !== undefined || view.types.some((type) => type !== 'string')) return false;
  const type = encoding?.contentType ?? read('contentMediaType');
  if (type !== undefined) return !/[/+]json\b|^\s*text\//i.test(type);
  return (
    !String(document['openapi']).startsWith('3.0') &&
    view.parts.every(({ value }) => typesOf(value).length === 0 && Object.keys(value).length === 0)
  );
}
