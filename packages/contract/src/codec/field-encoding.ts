/** How parameters and the properties of forms are written (Encoding Object: OpenAPI 3.1.1, section 4.8.15; 3.0.3 is read as 3.0.4 explains it, section 4.7.15). */
import type { Parameter } from '../document/openapi.ts';
import { isJson } from '../http/media-types.ts';

/**
 * `content`: by its type, objects as JSON and everything else as text. `json` and `text` are media types that the contract names; the
 * others are styles of parameters.
 */
export type FieldStyle =
  'content' | 'json' | 'text' | 'form' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'cookie';

export interface FieldEncoding {
  readonly style: FieldStyle;
  /** Whether each item of a list and each property of an object is a field. */
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export const BY_CONTENT: FieldEncoding = { style: 'content', explode: true, allowReserved: false };

/** How a parameter is written (OpenAPI 3.0.3, section 4.7.12.1; the style `cookie` is of 3.2, section 4.12.3). */
export function parameterEncoding({ in: location, style, explode, content }: Parameter): FieldEncoding {
  const [type] = Object.keys(content ?? {});
  if (type !== undefined) return { ...BY_CONTENT, style: isJson(type) ? 'json' : 'text' };
  const known = (style ?? (location === 'query' || location === 'cookie' ? 'form' : 'simple')) as FieldStyle;
  return { style: known, explode: explode ?? (known === 'form' || known === 'cookie'), allowReserved: false };
}

/** Whether the properties of an object are fields of the form, beside which its own name is none. */
export const isExplodedObject = ({ style, explode }: FieldEncoding): boolean =>
  explode && (style === 'form' || style === 'spaceDelimited' || style === 'pipeDelimited');

/** Whether each item of a list and each property of an object is a cookie. */
export const isPerCookie = ({ style, explode }: FieldEncoding): boolean => style === 'cookie' && explode;
