/** How parameters and the properties of forms are written (Encoding Object: OpenAPI 3.1.1, section 4.8.15; 3.0.3 is read as 3.0.4 explains it, section 4.7.15). */
import { isObject, type Encoding, type Parameter } from '../document/openapi.ts';
import { isJson } from '../http/media-types.ts';

/**
 * `content`: by its type, objects as JSON and everything else as text. `json` and `text` are media types that the contract names; the
 * others are styles of parameters.
 */
type FieldStyle =
  'content' | 'json' | 'text' | 'form' | 'simple' | 'label' | 'matrix' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'cookie';

export interface FieldEncoding {
  readonly style: FieldStyle;
  /** Whether each item of a list and each property of an object is a field. */
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

const STYLES: readonly string[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] satisfies FieldStyle[];
const BY_CONTENT: FieldEncoding = { style: 'content', explode: true, allowReserved: false };

/** A style, `explode` or `allowReserved` makes a property a query parameter, whatever its `contentType`; without them the type decides. */
export function fieldEncoding(encoding: Readonly<Record<string, Encoding>> | undefined, name: string): FieldEncoding {
  const given: unknown = encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  if (!isObject(given)) return BY_CONTENT;
  const { style, explode, allowReserved, contentType } = given as Encoding;
  if (style !== undefined || explode !== undefined || allowReserved !== undefined) {
    const known = (STYLES.includes(style ?? '') ? style : 'form') as FieldStyle;
    return { style: known, explode: explode ?? known === 'form', allowReserved: allowReserved === true };
  }
  if (typeof contentType !== 'string' || contentType.trim() === '') return BY_CONTENT;
  // A list of types is a choice, of which the first is as good as any.
  return { ...BY_CONTENT, style: isJson(contentType.split(',')[0] ?? '') ? 'json' : 'text' };
}

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

/** Whether the items of a list, or the names and values of an object, are one text. */
export const isDelimited = ({ style, explode }: FieldEncoding): boolean =>
  !explode && (style === 'form' || style === 'spaceDelimited' || style === 'pipeDelimited');
