/** Writes the values of parameters as OpenAPI says (3.0.3, section 4.7.12.2): in a path, in a query, in a header. */
import type { Parameter } from '@specwright/contract/document';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The parts of a value: of an object each name with its value, joined by `between`. */
const partsOf = (value: unknown, encode: (text: string) => string, between: string | undefined): string[] => {
  if (Array.isArray(value)) return value.map((item) => encode(toText(item)));
  if (!isRecord(value)) return [encode(toText(value))];
  return Object.entries(value).flatMap(([name, part]) =>
    between === undefined ? [encode(name), encode(toText(part))] : [`${encode(name)}${between}${encode(toText(part))}`],
  );
};

/** What a segment of a path has. */
export function pathText({ name, style = 'simple', explode = false, content }: Parameter, value: unknown): string {
  if (content !== undefined) return encodeURIComponent(JSON.stringify(value));
  const parts = partsOf(value, encodeURIComponent, explode ? '=' : undefined);
  if (style === 'label') return `.${parts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return parts.join(',');
  if (!explode) return `;${name}=${parts.join(',')}`;
  return parts.map((part) => (isRecord(value) ? `;${part}` : `;${name}=${part}`)).join('');
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** Pairs of a query, encoded. */
export function queryPairs({ name, style = 'form', explode = style === 'form', content }: Parameter, value: unknown): string[] {
  const key = encodeURIComponent(name);
  if (content !== undefined) return [`${key}=${encodeURIComponent(JSON.stringify(value))}`];
  if (style === 'deepObject' && isRecord(value))
    return Object.entries(value).map(([part, inner]) => `${key}[${encodeURIComponent(part)}]=${encodeURIComponent(toText(inner))}`);
  if (explode && isRecord(value)) return partsOf(value, encodeURIComponent, '=');
  const parts = partsOf(value, encodeURIComponent, undefined);
  return explode ? parts.map((part) => `${key}=${part}`) : [`${key}=${parts.join(DELIMITERS[style] ?? ',')}`];
}

/** The value of a header field. */
export const headerText = ({ explode = false, content }: Parameter, value: unknown): string =>
  content === undefined ? partsOf(value, (text) => text, explode ? '=' : undefined).join(',') : JSON.stringify(value);
