/** Decodes bodies of application/x-www-form-urlencoded to the values that their schema declares (OpenAPI 3.0.3, section 4.7.14.3). */
import type { Document, Encoding, MediaType } from '../document/openapi.ts';
import { decodeJson } from './decode-json.ts';
import type { RequestProblem } from './parameter-decoder.ts';
import { parseNestedForm, splitStyledText } from './parameter-styles.ts';
import { convertValue, createValueShape, type RawValue } from './typed-values.ts';

export type FormDecoder = (text: string) => { value: unknown; problems: RequestProblem[] };

/**
 * Creates the decoder of a form.
 *
 * Objects and lists are written with brackets, `a[b]=1&c[]=2&c[0][d]=3`, lists also with repeated names. `encoding` may
 * say that a property is JSON, or a delimited list.
 */
export function createFormDecoder(document: Document, { schema = {}, encoding = {} }: MediaType): FormDecoder {
  const shape = createValueShape(document, schema);
  // A form that is declared as a text has no fields.
  if (shape.types.has('string') && !shape.types.has('object')) return (text) => ({ value: text, problems: [] });
  return (text) => {
    const problems: RequestProblem[] = [];
    const report = (message: string, path: string) => void problems.push({ location: `body${path}`, message });
    let fields: Record<string, RawValue>;
    try {
      fields = parseNestedForm(text);
    } catch (error) {
      report(error instanceof URIError ? 'is not valid percent-encoding of UTF-8' : 'is nested too deep or too long', '');
      return { value: text, problems };
    }
    const value = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const fieldEncoding = encoding[name];
        const property = shape.property(name);
        if (fieldEncoding?.contentType !== undefined && /[/+]json/i.test(fieldEncoding.contentType))
          return [
            name,
            decodeJson(typeof field === 'string' ? field : '', property, (message, path) => report(message, `/${name}${path}`)),
          ];
        const isText = fieldEncoding !== undefined && isDelimited(fieldEncoding) && typeof field === 'string';
        const raw = isText ? splitStyledText(field, styleOf(name, fieldEncoding), property) : field;
        return [name, convertValue(property, raw, (message, path) => report(message, `/${name}${path}`))];
      }),
    );
    return { value, problems };
  };
}

const isDelimited = ({ style = 'form', explode = style === 'form' }: Encoding): boolean => !explode && style !== 'deepObject';
const styleOf = (name: string, { style = 'form' }: Encoding) => ({ name, style, explode: false });
