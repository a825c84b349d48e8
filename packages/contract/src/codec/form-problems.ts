/** Finds what the encoding of a form says and no form can be written by. */
import { isObject, type Document, type Encoding, type MediaType } from '../document/openapi.ts';
import { isExplodedObject, type FieldEncoding } from './field-encoding.ts';
import { fieldEncoding } from './form-encoding.ts';
import { createValueShape, type ValueShape } from './typed-values.ts';

export interface FormProblem {
  readonly name: string;
  readonly message: string;
  readonly fix: string;
  readonly isUnwritable: boolean;
}

const AS_JSON = 'Remove style, explode and allowReserved, and write contentType: application/json.';

export function* formProblems(document: Document, { schema = {}, encoding }: MediaType): Generator<FormProblem> {
  if (!isObject(encoding)) return;
  const shape = createValueShape(document, schema);
  for (const [name, given] of Object.entries(encoding as Record<string, unknown>)) {
    if (!isObject(given)) continue;
    if (!shape.propertyNames.includes(name)) {
      const fix = 'Name a property of the schema, or remove the encoding.';
      yield { name, message: `the encoding of ${name}, which the form does not have`, fix, isUnwritable: false };
      continue;
    }
    const property = shape.property(name);
    for (const [message, fix, isUnwritable = false] of fieldProblems(name, property, given, fieldEncoding(encoding, name)))
      yield { name, message, fix, isUnwritable };
  }
  yield* nameProblems(shape, encoding);
}

type Found = readonly [message: string, fix: string, isUnwritable?: boolean];

function* fieldProblems(name: string, shape: ValueShape, given: Encoding, { style, explode }: FieldEncoding): Generator<Found> {
  const { contentType } = given;
  if (style === 'json' || style === 'content') return;
  if (style === 'text') {
    if (isComposite(shape.types.has('array') ? shape.item() : shape))
      yield [`${name} is no text, and ${String(contentType)} is no JSON`, 'Write contentType: application/json.', true];
    return;
  }
  if (contentType !== undefined && !/^text\/plain/i.test(contentType))
    yield [`contentType of ${name} means nothing beside style, explode or allowReserved`, `Remove it. For JSON: ${AS_JSON}`];
  if (style === 'deepObject') {
    if (shape.types.size > 0 && !shape.types.has('object') && !shape.types.has('array'))
      yield [`style: deepObject is for objects, and ${name} is none`, 'Remove style.'];
    else if (given.explode === false) yield [`explode: false of ${name} means nothing in style: deepObject`, 'Write explode: true.'];
    return;
  }
  if (shape.types.has('array') && isComposite(shape.item()))
    yield [`style: ${style} has no text for the lists or objects in the list ${name}`, AS_JSON, true];
  if (!shape.types.has('object')) return;
  const parts = [...shape.propertyNames, ...(shape.isOpen ? [''] : [])].map((part) => [part, shape.property(part)] as const);
  // Where properties are fields, a list repeats its field.
  const nested = parts.find(([, part]) => isComposite(part) && !(explode && part.types.has('array') && !isComposite(part.item())));
  if (nested === undefined) return;
  const part = nested[0] === '' ? 'properties' : `the property ${nested[0]}`;
  const fix = `Write style: deepObject. For JSON: ${AS_JSON}`;
  yield [`style: ${style}${explode ? '' : ' without explode'} has no text for ${part} of ${name}, a list or an object`, fix, true];
}

/** Whether its values are lists or objects, and none is a text, a number or a boolean. */
const isComposite = ({ types }: ValueShape): boolean => types.size > 0 && [...types].every((type) => type === 'array' || type === 'object');

function* nameProblems(shape: ValueShape, encoding: Readonly<Record<string, Encoding>>): Generator<FormProblem> {
  const owners = new Map(shape.propertyNames.map((name) => [name, 'the form']));
  let open = shape.isOpen ? 'the form' : undefined;
  for (const name of shape.propertyNames) {
    const property = shape.property(name);
    if (!property.types.has('object') || !isExplodedObject(fieldEncoding(encoding, name))) continue;
    const fix = 'Rename one of them, or write style: deepObject.';
    for (const part of property.propertyNames) {
      const owner = owners.get(part);
      if (owner === undefined) owners.set(part, name);
      else yield { name, message: `the field ${part} would be a property of ${name} and of ${owner}`, fix, isUnwritable: true };
    }
    if (!property.isOpen) continue;
    if (open !== undefined)
      yield {
        name,
        message: `other fields would be properties of ${name} and of ${open}`,
        fix: 'Set additionalProperties: false in one of them, or write style: deepObject.',
        isUnwritable: true,
      };
    open ??= name;
  }
}
