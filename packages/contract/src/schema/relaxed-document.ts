/** Copies of a document whose schemas accept more: to judge a value by the other keywords. */
import { isReadOnly, isWriteOnly, propertiesOf, requiredOf } from './model.ts';
import { resolve, type Document, type Schema } from '../document/openapi.ts';
import { visitSchemas } from '../document/visit-schemas.ts';

/** A copy in which `readOnly` and `writeOnly` properties are optional: examples of requests lack the ones, those of responses the others. */
export function withOptionalOneWay(document: Document): Document {
  const copy = structuredClone(document);
  visitSchemas(copy, (schema) => {
    const required = requiredOf(schema);
    const properties = propertiesOf(schema);
    if (required.length > 0) Object.assign(schema, { required: required.filter((name) => !isOneWay(copy, properties[name])) });
  });
  return copy;
}

/** A copy without any `enum` and `const`. */
export function withoutValues(document: Document): Document {
  const copy = structuredClone(document);
  visitSchemas(copy, (schema) => {
    const values = schema as { enum?: unknown; const?: unknown };
    delete values.enum;
    delete values.const;
  });
  return copy;
}

/** A reference that is broken is a problem of its own. */
function isOneWay(document: Document, reference: Schema | undefined): boolean {
  if (reference === undefined) return false;
  try {
    const property = resolve<Schema>(document, reference);
    return isReadOnly(property) || isWriteOnly(property);
  } catch {
    return false;
  }
}
