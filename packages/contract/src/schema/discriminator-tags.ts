/** The values of a discriminator's property that name a schema. */
import { pointerKeys, resolve, type Document, type Schema } from '../document/openapi.ts';
import { propertiesOf, referenceOf, valuesOf, wholeOf } from './model.ts';

/** The discriminator values that name a schema; none, if the property has an `enum` without them: a discriminator does not change what is valid (3.1.1, section 4.8.25). */
export function tagsOf(document: Document, property: string, mapping: Readonly<Record<string, string>>, part: Schema): string[] {
  const mapped = Object.entries(mapping).flatMap(([tag, target]) => (isTarget(target, part) ? [tag] : []));
  const name = componentNameOf(part);
  // Its name is a value beside those that are mapped, unless that value is mapped to another schema (3.0.4, Discriminator Object).
  const tags = name === undefined || Object.hasOwn(mapping, name) ? mapped : [...mapped, name];
  const isAllowed = (schema: Schema, tag: string): boolean => {
    const own = propertiesOf(schema)[property];
    return own === undefined || valuesOf(resolve<Schema>(document, own))?.includes(tag) !== false;
  };
  const whole = [...wholeOf(document, part)];
  return tags.filter((tag) => whole.every((schema) => isAllowed(schema, tag)));
}

/** Whether a value of `mapping` names or refers to a schema. */
export const isTarget = (target: string, part: Schema): boolean => target === referenceOf(part) || target === componentNameOf(part);

/** The name of a schema in `components`, to which a part refers. */
function componentNameOf(part: Schema): string | undefined {
  const [root, section, name, ...below] = pointerKeys(referenceOf(part) ?? '');
  return root === 'components' && section === 'schemas' && below.length === 0 ? name : undefined;
}
