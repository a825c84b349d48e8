/** What a client knows of the properties of forms: those that are not written by their type alone. */
import { fieldEncoding, isNullable, schemaShape, type Document, type MediaType, type RequestBody } from '@specwright/contract/document';

/** Whether a media type is that of forms. */
export const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded/i.test(type);

/** By media type of a form; `undefined` if there is nothing to know. */
export function formsOf(document: Document, { content }: RequestBody): Record<string, object> | undefined {
  const forms = Object.entries(content)
    .filter(([type]) => isForm(type))
    .map(([type, media]) => [type, fieldsOf(document, media)] as const)
    .filter(([, fields]) => Object.keys(fields).length > 0);
  return forms.length === 0 ? undefined : Object.fromEntries(forms);
}

function fieldsOf(document: Document, { schema = {}, encoding }: MediaType): Record<string, object> {
  const { properties } = schemaShape(document, [schema]);
  const fields = [...properties].map(([name, schemas]) => {
    const { style, explode, allowReserved } = fieldEncoding(encoding, name);
    const { types } = schemaShape(document, schemas);
    const isEmptyNull = types.size > 0 && !types.has('string') && schemas.every((property) => isNullable(document, property));
    const isStyled = !['content', 'json', 'text'].includes(style);
    const field = {
      ...(style !== 'content' && { style }),
      ...(isStyled && explode !== (style === 'form') && { explode }),
      ...(allowReserved && { allowReserved }),
      ...(isEmptyNull && { isNullable: true }),
    };
    return [name, field] as const;
  });
  return Object.fromEntries(fields.filter(([, field]) => Object.keys(field).length > 0));
}
