/** Media types: how a body is read, and which declared type a Content-Type matches. */

/** `json`, `form` and the fields of `multipart` are parsed and validated; the handler gets `text` as a string, `bytes` as a Buffer. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

/** `application/json`, `application/problem+json`, with or without parameters. */
export const isJson = (type: string): boolean => /^[^;]*[/+]json\s*(;|$)/i.test(type);

/** How bodies of a declared type are read. A range is served as JSON, which can be validated. */
export function bodyKind(declared: string): BodyKind {
  const type = essence(declared);
  if (isJson(type) || type === ANY || type === 'application/*') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  // The parts of the others of `multipart/` have no names.
  if (type === 'multipart/form-data') return 'multipart';
  return type.startsWith('text/') ? 'text' : 'bytes';
}

/**
 * The declared type that a Content-Type matches: the type itself before a range, the narrower range before `*\/*`
 * (OpenAPI 3.0.3, section 4.7.13).
 */
export function declaredType(declared: readonly string[], contentType: string): string | undefined {
  const type = essence(contentType);
  const ranges = [type, `${type.split('/')[0] ?? ''}/*`, ANY];
  const found = ranges.map((range) => declared.find((candidate) => essence(candidate) === range)).find((match) => match !== undefined);
  if (found === undefined || essence(found) === type) return found;
  return bodyKind(found) !== 'json' || isJson(type) ? found : undefined;
}

/** A usual type of the ranges whose bodies are bytes. */
const USUAL_TYPES = new Map(
  ['image/png', 'audio/mpeg', 'video/mp4', 'font/woff2', 'multipart/mixed'].map((type) => [type.replace(/\/.*/, '/*'), type]),
);

/** The type that is sent where a range is declared: one of the range. */
export function concreteType(type: string): string {
  const range = essence(type);
  if (!range.includes('*')) return type;
  const bytes = USUAL_TYPES.get(range) ?? range.replace('*', 'octet-stream');
  return { json: 'application/json', text: 'text/plain', form: type, multipart: type, bytes }[bodyKind(type)];
}

export function matchesType(type: string, declared: string): boolean {
  const [given, range] = [essence(type), essence(declared)];
  return range === ANY || given === range || (range.endsWith('/*') && given.startsWith(range.slice(0, -1)));
}

/** The type without its parameters. One without a name is any: documents that were generated have it. */
const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase() || ANY;
const ANY = '*/*';
