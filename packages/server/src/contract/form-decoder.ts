/** Reads bodies of application/x-www-form-urlencoded into the values that their schema declares (OpenAPI 3.0.3, section 4.7.14.3). */
import type { Document, Encoding, MediaType } from './openapi.ts';
import type { RequestProblem } from './parameter-decoder.ts';
import { parseNestedForm, splitStyledText } from './parameter-styles.ts';
import { shapeOf, convertValue, type RawValue } from './typed-values.ts';

export type FormDecoder = (text: string) => { value: unknown; problems: RequestProblem[] };

/**
 * Makes the decoder of a form.
 *
 * Objects and lists are read in brackets, `a[b]=1&c[]=2&c[0][d]=3`, and lists also from repeated names; `encoding` may
 * say that a property is JSON, or a list in one text.
 */
export function createFormDecoder(document: Document, { schema = {}, encoding = {} }: MediaType): FormDecoder {
  const shape = shapeOf(document, schema);
  return (text) => {
    const problems: RequestProblem[] = [];
    const problem = (message: string, at: string) => void problems.push({ location: `body${at}`, message });
    let parts: Record<string, RawValue>;
    try {
      parts = parseNestedForm(text);
    } catch (error) {
      problem(error instanceof URIError ? 'is not valid percent-encoding of UTF-8' : 'is nested too deep or too long', '');
      return { value: text, problems };
    }
    const value = Object.fromEntries(
      Object.entries(parts).map(([name, part]) => {
        const how = encoding[name];
        const own = shape.property(name);
        if (how?.contentType !== undefined && /[/+]json/i.test(how.contentType))
          return [name, parseJson(part, (m) => problem(m, `/${name}`))];
        const pieces =
          how !== undefined && isDelimited(how) && typeof part === 'string' ? splitStyledText(part, styleOf(name, how), own) : part;
        return [name, convertValue(own, pieces, (message, at) => problem(message, `/${name}${at}`))];
      }),
    );
    return { value, problems };
  };
}

const isDelimited = ({ style = 'form', explode = style === 'form' }: Encoding): boolean => !explode && style !== 'deepObject';
const styleOf = (name: string, { style = 'form' }: Encoding) => ({ name, style, explode: false });

function parseJson(part: RawValue, problem: (message: string) => void): unknown {
  try {
    return JSON.parse(typeof part === 'string' ? part : '') as unknown;
  } catch {
    problem('must be JSON');
    return part;
  }
}
