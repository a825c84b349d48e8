/** Makes validators of the named schemas for forms: a module beside the client, of which bundlers keep the schemas that are imported. */
import addFormats from 'ajv-formats';
import {
  type Document,
  type Schema,
  additionalOf,
  branchesOf,
  compilePattern,
  formatOf,
  hasUniqueItems,
  isBigInteger,
  isDateObject,
  isReadOnly,
  itemsOf,
  limitsOf,
  patternOf,
  patternPropertiesOf,
  pointerKeys,
  prefixItemsOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  typesOf,
  valuesOf,
} from '@specwright/contract/document';
import ts from '../libraries/typescript.ts';
import { identifiersIn } from './body-types.ts';
import { readRuntime } from './runtime-parts.ts';

/** @param client the module of the client, as imported. */
export function schemasModule(document: Document, client = './client.ts'): string {
  const names = new Map<string, string>();
  for (const name of Object.keys(document.components?.schemas ?? {})) names.set(name, constantName(name, new Set(names.values())));
  const declared = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      `export const ${names.get(name) ?? ''}: ValueSchema<Schemas[${JSON.stringify(name)}]> = /* @__PURE__ */ createSchema(() => ${checkOf(schema, names)});\n`,
  );
  return `/**
 * The named schemas, as Standard Schema: for forms, routers and what else checks a value before it is sent. Generated from the spec by
 * \`npx specwright client\`. Do not edit: change the spec.
 *
 * \`withTexts(schema, { required: 'Please fill this in' })\` has texts for people. They accept all that the server does; conditions,
 * \`not\`, patterns of names and formats that are no expressions are for the server to check.
 */
import type { Schemas } from '${client}';

${declared.join('')}
${usedOf(`${readRuntime('date-formats')}\n${readRuntime('schemas')}`, declared.join(''))}`;
}

/** The declarations that are used: a compiler may refuse others. */
function usedOf(runtime: string, by: string): string {
  const { statements } = ts.createSourceFile('schemas.ts', runtime, ts.ScriptTarget.ES2022);
  const parts = statements.map((statement) => {
    const [declaration] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
    const name = declaration?.name ?? (ts.isFunctionDeclaration(statement) ? statement.name : undefined);
    const text = runtime.slice(statement.pos, statement.end);
    // What is exported stays.
    return { text, name: name && ts.isIdentifier(name) && !/^export /m.test(text) ? name.text : undefined };
  });
  const kept = new Set(parts.filter(({ name }) => name === undefined));
  const named = identifiersIn(by);
  for (let size = -1; size !== kept.size;) {
    size = kept.size;
    for (const part of parts) if (part.name !== undefined && named.has(part.name)) kept.add(part);
    for (const { text } of kept) for (const name of identifiersIn(text)) named.add(name);
  }
  return parts
    .filter((part) => kept.has(part))
    .map(({ text }) => text)
    .join('');
}

/** `new-pet` -> `newPetSchema` */
function constantName(name: string, taken: ReadonlySet<string>): string {
  const camel = name.replace(/[^\w$]+(.?)/g, (_, next: string) => next.toUpperCase()).replace(/^(?=\d|$)/, '_');
  let constant = `${camel.charAt(0).toLowerCase()}${camel.slice(1)}Schema`;
  while (taken.has(constant)) constant += '_';
  return constant;
}

type Names = ReadonlyMap<string, string>;

/** The call of the runtime that checks values as a schema of requests says. */
function checkOf(schema: Schema, names: Names): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    const [root, section, name = '', ...below] = pointerKeys(reference);
    const target = root === 'components' && section === 'schemas' && below.length === 0 ? names.get(name) : undefined;
    return target === undefined ? 'all()' : `reference(() => ${target})`;
  }
  // A file is no text before it is sent.
  if (isBigInteger(schema) || isDateObject(schema) || formatOf(schema) === 'binary') return 'all()';
  const limits = Object.entries(limitsOf(schema)).map(([keyword, limit]) => `${keyword}(${limit})`);
  const checks = [
    ...valueChecks(schema),
    ...limits.filter((limit) => !SIZE.test(limit)),
    ...textChecks(schema),
    ...itemChecks(schema, names),
    ...propertyChecks(schema, names),
    ...branchChecks(schema, names),
  ];
  const all = checks.length === 1 ? (checks[0] ?? '') : `all(${checks.join(', ')})`;
  return limits.filter((limit) => SIZE.test(limit)).reduce((check, size) => `bounded(${size}, ${check})`, all);
}

/** Upper bounds of sizes. */
const SIZE = /^max[LIP]/;

function valueChecks(schema: Schema): string[] {
  const types = typesOf(schema);
  const values = valuesOf(schema);
  return [
    ...(types.length > 0 ? [`type(${types.map(quote).join(', ')})`] : []),
    ...(values === undefined ? [] : [`oneOfValues(${values.map(quote).join(', ')})`]),
  ];
}

function itemChecks(schema: Schema, names: Names): string[] {
  const items = prefixItemsOf(schema).length > 0 ? undefined : itemsOf(schema);
  return [...(hasUniqueItems(schema) ? ['uniqueItems()'] : []), ...(items === undefined ? [] : [`items(${checkOf(items, names)})`])];
}

function branchChecks(schema: Schema, names: Names): string[] {
  const { allOf, ...branches } = branchesOf(schema);
  const alternatives = (['anyOf', 'oneOf'] as const).filter((keyword) => branches[keyword].length > 0);
  return [
    ...allOf.map((part) => checkOf(part, names)),
    ...alternatives.map((keyword) => `alternatives('${keyword}', ${branches[keyword].map((part) => checkOf(part, names)).join(', ')})`),
  ];
}

function textChecks(schema: Schema): string[] {
  const source = patternOf(schema);
  const compiled = source === undefined ? undefined : compilePattern(source);
  const name = formatOf(schema);
  const test = name === undefined ? undefined : (DATE_FORMATS[name] ?? expressionOf(name));
  return [
    ...(compiled === undefined
      ? []
      : [`pattern(${String(compiled.expression)}${compiled.expression.source === source ? '' : `, { source: ${quote(source)} }`})`]),
    ...(test === undefined ? [] : [`format(${quote(name)}, ${test})`]),
  ];
}

const DATE_FORMATS: Readonly<Record<string, string>> = { date: 'isDate', time: 'isTime', 'date-time': 'isDateTime' };

/** Formats that are checked by a function are for the server. */
function expressionOf(name: string): string | undefined {
  if (!(EXPRESSIONS as readonly string[]).includes(name)) return undefined;
  const format = addFormats.default.get(name as (typeof EXPRESSIONS)[number]);
  return format instanceof RegExp ? String(format) : undefined;
}
const EXPRESSIONS = ['email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'duration', 'json-pointer'] as const;

function propertyChecks(schema: Schema, names: Names): string[] {
  const properties = Object.entries(propertiesOf(schema));
  const additional = additionalOf(schema);
  const required = requiredOf(schema).filter((name) => !isReadOnly(propertiesOf(schema)[name] ?? {}));
  if (properties.length === 0 && required.length === 0 && additional === undefined) return [];
  const named = properties.map(([name, property]) => `[${quote(name)}]: ${isReadOnly(property) ? 'all()' : checkOf(property, names)}`);
  const isOpen = additional === undefined || additional === true || Object.keys(patternPropertiesOf(schema)).length > 0;
  const others = isOpen ? [] : [additional === false ? 'false' : checkOf(additional, names)];
  return [`properties({ ${named.join(', ')} }, ${JSON.stringify(required)}${others.map((text) => `, ${text}`).join('')})`];
}

const quote = (value: unknown): string => JSON.stringify(value);
