/** How the properties of forms are written (Encoding Object: OpenAPI 3.1.1, section 4.8.15). */
import { isObject, type Encoding } from '../document/openapi.ts';
import { isJson } from '../http/media-types.ts';
import { BY_CONTENT, type FieldEncoding, type FieldStyle } from './field-encoding.ts';

const STYLES: readonly string[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] satisfies FieldStyle[];

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

/** Whether the items of a list, or the names and values of an object, are one text. */
export const isDelimited = ({ style, explode }: FieldEncoding): boolean =>
  !explode && (style === 'form' || style === 'spaceDelimited' || style === 'pipeDelimited');
