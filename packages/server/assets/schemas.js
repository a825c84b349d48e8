/* What a schema says to a reader: its type, constraints, properties and alternatives. Plain JavaScript of a browser. */
import { resolve } from './references.js';

const NAMED = /#\/components\/schemas\/([^/]+)$/;

/** The name of the schema that is referred to; Swagger UI keeps the reference as `$$ref` when it resolves one. */
export function nameOf(schema) {
  const reference =
    schema?.$ref ?? schema?.$$ref ?? (schema?.allOf?.length === 1 ? (schema.allOf[0].$ref ?? schema.allOf[0].$$ref) : undefined);
  const name = NAMED.exec(reference ?? '')?.[1];
  return name === undefined ? undefined : decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The schema as the contract has it, before Swagger UI resolved and merged its parts. */
export function sourceOf(spec, schema) {
  const reference = schema?.$$ref?.slice(schema.$$ref.indexOf('#'));
  return reference !== undefined && resolve(spec, { $ref: reference }) !== undefined ? { $ref: reference } : schema;
}

const merge = (a, b) => ({
  ...a,
  ...b,
  ...((a.properties ?? b.properties) && { properties: { ...a.properties, ...b.properties } }),
  ...((a.required ?? b.required) && { required: [...(a.required ?? []), ...(b.required ?? [])] }),
});

/** A schema with the parts of its `allOf` in it. */
export function expand(spec, schema, within = []) {
  const found = resolve(spec, schema);
  if (found === null || typeof found !== 'object' || within.includes(found)) return {};
  const { allOf = [], ...own } = found;
  const { $ref: _, ...beside } = schema;
  const parts = allOf.map((part) => expand(spec, part, [...within, found]));
  // A discriminator is that of the schema whose children these are.
  for (const part of parts) delete part.discriminator;
  return [...parts, own, beside].reduce(merge, {});
}

const isNull = (schema) => schema?.type === 'null';

/** `string (date-time) | null`, `array of Pet`. */
export function typeOf(spec, schema) {
  if (typeof schema !== 'object' || schema === null) return 'any';
  const expanded = expand(spec, schema);
  const { type, format, items, properties, enum: values, nullable } = expanded;
  const either = expanded.oneOf ?? expanded.anyOf;
  const types = [type ?? (properties ? 'object' : items ? 'array' : values ? typeof values[0] : [])].flat();
  const format1 = (one) => {
    if (one === 'array' && items !== undefined) return `array of ${typeOf(spec, items)}`;
    if (one === 'object') return nameOf(schema) ?? 'object';
    return format !== undefined && one !== 'null' ? `${one} (${format})` : one;
  };
  const names =
    either === undefined ? types.map(format1) : [nameOf(schema) ?? either.map((one) => nameOf(one) ?? typeOf(spec, one)).join(' | ')];
  if (nullable) names.push('null');
  return names.length === 0 ? (nameOf(schema) ?? 'any') : names.join(' | ');
}

/** A bound that says only what a number is. */
const isPlain = (bound) => bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER;

function range(low, high, unit = '') {
  if (isPlain(low) && isPlain(high)) return [];
  if (isPlain(high)) return [`at least ${low}${unit}`];
  if (isPlain(low)) return [`at most ${high}${unit}`];
  return [low === high ? `${low}${unit}` : `${low} to ${high}${unit}`];
}

const asCode = (value) => ({ code: typeof value === 'string' ? value : JSON.stringify(value) });

/** @returns parts of a line: each is a list of texts, and of `{ code }`. */
export function constraintsOf(schema) {
  const exclusive = (bound, flag) => (flag === true ? bound : typeof flag === 'number' ? flag : undefined);
  const above = exclusive(schema.minimum, schema.exclusiveMinimum);
  const below = exclusive(schema.maximum, schema.exclusiveMaximum);
  const texts = [
    ...range(above === undefined ? schema.minimum : undefined, below === undefined ? schema.maximum : undefined),
    ...(above === undefined ? [] : [`more than ${above}`]),
    ...(below === undefined ? [] : [`less than ${below}`]),
    ...range(schema.minLength || undefined, schema.maxLength, ' characters'),
    ...range(schema.minItems || undefined, schema.maxItems, ' items'),
    ...range(schema.minProperties || undefined, schema.maxProperties, ' properties'),
    ...(schema.multipleOf === undefined ? [] : [`a multiple of ${schema.multipleOf}`]),
    ...(schema.uniqueItems ? ['no item twice'] : []),
    ...(schema.readOnly ? ['read only'] : []),
    ...(schema.writeOnly ? ['write only'] : []),
  ].map((text) => [text]);
  const values = schema.const === undefined ? (schema.enum ?? schema.items?.enum) : [schema.const];
  if (values !== undefined) texts.push(values.flatMap((value, index) => [index === 0 ? '' : ', ', asCode(value)]));
  if (schema.pattern !== undefined) texts.push(['pattern ', asCode(schema.pattern)]);
  if (schema.default !== undefined) texts.push(['default ', asCode(schema.default)]);
  return texts;
}

/** Those that a response, or a request, has. @param hidden `readOnly` or `writeOnly`. */
export function propertiesOf(
  spec,
  { properties = {}, required = [], patternProperties = {}, additionalProperties, prefixItems = [] },
  hidden,
) {
  return [
    ...Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) })),
    ...Object.entries(patternProperties).map(([name, schema]) => ({ name: `/${name}/`, schema })),
    ...prefixItems.map((schema, index) => ({ name: `[${index}]`, schema })),
    ...(typeof additionalProperties === 'object' ? [{ name: 'any other name', schema: additionalProperties }] : []),
  ].filter(({ schema }) => expand(spec, schema)[hidden] !== true);
}

const valueOf = (spec, schema, name) => {
  const { const: constant, enum: values } = expand(spec, expand(spec, schema).properties?.[name] ?? {});
  return constant ?? (values?.length === 1 ? values[0] : undefined);
};

/** The schemas whose `allOf` refers to this one. */
function childrenOf(spec, schema) {
  const target = resolve(spec, schema);
  return Object.entries(spec.components?.schemas ?? {})
    .filter(([, { allOf = [] }]) => allOf.some((part) => part.$ref !== undefined && resolve(spec, part) === target))
    .map(([name]) => ({ $ref: `#/components/schemas/${name}` }));
}

/** Alternatives, each labelled by the value that tells them apart, else by its name; none if there is nothing to choose. */
export function variantsOf(spec, schema) {
  const expanded = expand(spec, schema);
  const { discriminator } = expanded;
  const declared = (expanded.oneOf ?? expanded.anyOf)?.filter((one) => !isNull(resolve(spec, one)));
  const variants = declared ?? (discriminator === undefined ? [] : childrenOf(spec, schema));
  if (variants.length < 2 && declared !== undefined) return [];
  const names = Object.keys(expand(spec, variants[0] ?? {}).properties ?? {});
  const key = discriminator?.propertyName ?? names.find((name) => variants.every((one) => valueOf(spec, one, name) !== undefined));
  const mapped = (one) => Object.entries(discriminator?.mapping ?? {}).find(([, to]) => to === one.$ref || to === nameOf(one))?.[0];
  return variants.map((one) => ({
    label: String(mapped(one) ?? (key && valueOf(spec, one, key)) ?? nameOf(one) ?? expand(spec, one).title ?? typeOf(spec, one)),
    schema: one,
  }));
}

const SAMPLES = { string: 'text', integer: 1, number: 1, boolean: true, 'date-time': '2026-01-01T00:00:00Z', date: '2026-01-01' };

/** Levels of a sample that is made: a schema may refer to itself. */
const MAX_DEPTH = 3;

/** The example of a schema, else one that is made of its parts, as a response has them. */
export function sampleOf(spec, schema, depth = 0) {
  const expanded = expand(spec, schema);
  const given = [expanded.example, expanded.examples?.[0], expanded.const, expanded.default, expanded.enum?.[0]].find(
    (one) => one !== undefined,
  );
  if (given !== undefined) return given;
  const [variant] = variantsOf(spec, schema);
  if (variant !== undefined) return sampleOf(spec, variant.schema, depth + 1);
  const type = [expanded.type].flat()[0];
  if (type === 'array') return depth < MAX_DEPTH ? [sampleOf(spec, expanded.items ?? {}, depth + 1)] : [];
  if (type !== 'object' && expanded.properties === undefined) return SAMPLES[expanded.format] ?? SAMPLES[type] ?? null;
  const properties = depth < MAX_DEPTH ? propertiesOf(spec, { properties: expanded.properties }, 'writeOnly') : [];
  return Object.fromEntries(properties.map(({ name, schema: part }) => [name, sampleOf(spec, part, depth + 1)]));
}
