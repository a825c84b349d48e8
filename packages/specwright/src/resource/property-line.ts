/** Reads the properties of a resource from the command line: `name:string email:email? status:active|closed category:categories`. */
import { didYouMean } from '@specwright/server/command';
import { UsageError } from '@specwright/server/command';

export const PROPERTY_TYPES = ['string', 'integer', 'number', 'boolean', 'date', 'date-time', 'email', 'uri', 'uuid'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

export interface PropertyLine {
  readonly name: string;
  readonly required: boolean;
  readonly kind: { readonly type: PropertyType } | { readonly values: readonly string[] } | { readonly noun: string };
}

/** Every row has these. */
const OWN = ['id', 'version'];

/**
 * @param nouns those that a property can refer to.
 * @throws UsageError that says what is wrong with a property, and how it is written.
 */
export function parsePropertyLine(text: string, nouns: readonly string[]): PropertyLine {
  const [, name, type = '', optional] = /^([^:?]+):([^?]*)(\?)?$/.exec(text) ?? [];
  const fail = (problem: string): never => {
    throw new UsageError(`${text}: ${problem}`);
  };
  if (name === undefined || type === '') return fail('a property is name:type, or name:type? if it is optional');
  if (!/^[a-z][A-Za-z0-9]*$/.test(name)) return fail(`${name} must be letters and digits in camel case, as in openedAt`);
  if (OWN.includes(name)) return fail(`every record has ${name}: leave it out`);
  const required = optional === undefined;
  if (type.includes('|')) {
    const values = type.split('|');
    const invalid = values.find((value) => !/^[A-Za-z0-9][\w.-]*$/.test(value));
    if (invalid !== undefined) return fail(`the value "${invalid}" must be letters, digits, "_", "." and "-"`);
    if (new Set(values).size < values.length) return fail('a value is given twice');
    return { name, required, kind: { values } };
  }
  const known = PROPERTY_TYPES.find((one) => one === type);
  if (known !== undefined) return { name, required, kind: { type: known } };
  if (nouns.includes(type)) return { name, required, kind: { noun: type } };
  const types = [...PROPERTY_TYPES, 'active|closed', ...(nouns.length > 0 ? [`a noun (${nouns.join(', ')})`] : [])];
  const hint = didYouMean(type, [...PROPERTY_TYPES, ...nouns]);
  return fail(`there is no type ${type}${hint === '' ? '.' : hint} Types: ${types.join(', ')}`);
}

/** @throws UsageError for the first property that is not valid, or is given twice. */
export function parsePropertyLines(texts: readonly string[], nouns: readonly string[]): PropertyLine[] {
  const lines = texts.map((text) => parsePropertyLine(text, nouns));
  const names = lines.map(propertyNameOf);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new UsageError(`the property ${twice} is given twice`);
  return lines;
}

/** `category:categories` is the property `categoryId`. */
export const propertyNameOf = ({ name, kind }: PropertyLine): string => ('noun' in kind && !name.endsWith('Id') ? `${name}Id` : name);
