/** What a body of a media type is to a handler, and which declared type a request's own belongs to. */

/** `json` and `form` are parsed and validated; `text` is handed over as a string, `bytes` as a Buffer. */
export type BodyKind = 'json' | 'form' | 'text' | 'bytes';

/** `application/json`, `application/problem+json`, with or without parameters. */
export const isJson = (type: string): boolean => /^[^;]*[/+]json\s*(;|$)/i.test(type);

/** A declared type that stands for many is served as JSON, the one kind that a schema can be held against. */
export function bodyKind(declared: string): BodyKind {
  const type = essence(declared);
  if (isJson(type) || type === '*/*' || type === 'application/*') return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  return type.startsWith('text/') ? 'text' : 'bytes';
}

/**
 * The declared type that a Content-Type belongs to: the type itself before a range, the narrower range before `*\/*`
 * (OpenAPI 3.0.3, section 4.7.13).
 */
export function declaredType(declared: readonly string[], given: string): string | undefined {
  const wanted = essence(given);
  const ranges = [wanted, `${wanted.split('/')[0] ?? ''}/*`, '*/*'];
  const found = ranges.map((range) => declared.find((type) => essence(type) === range)).find((type) => type !== undefined);
  if (found === undefined || essence(found) === wanted) return found;
  return bodyKind(found) !== 'json' || isJson(wanted) ? found : undefined;
}

const essence = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase();
