/** What `add-resource` makes: a noun with its names, and its properties. */
import type { Schema } from '@specwright/contract/document';
import { camel, kebab, singular } from '../stubs/typescript-source.ts';

/** A record that each record of the noun refers to. */
export interface ResourceReference {
  readonly names: ResourceNames;
  /** What it is to the record: `category`. */
  readonly role: string;
}

export interface ResourceProperty {
  readonly name: string;
  /** As it is written, for what is read; it may be a reference. */
  readonly schema: SchemaSource;
  readonly required: boolean;
  /** Whether clients give it. */
  readonly isGiven: boolean;
  /** All that it can be: a list can be restricted to some of them. */
  readonly values?: readonly unknown[];
  readonly reference?: ResourceReference;
  readonly example: unknown;
}

export interface Resource {
  readonly names: ResourceNames;
  /** All but `id`. */
  readonly properties: readonly ResourceProperty[];
  /** The column with the account that a record belongs to; `undefined` in a project without accounts. */
  readonly owner: string | undefined;
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const without = <T extends object>(object: T, ...names: readonly string[]): T =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))) as T;

/** `openedAt` -> `opened at` */
export const wordsOf = (name: string): string => kebab(name).replaceAll('-', ' ');

/** How the name of a reference ends: `categoryId`, `category_id`. */
export const ID = /_id$|Id$/;
/** `categoryId` -> `category` */
export const roleOf = (name: string): string => name.replace(ID, '');

export type ResourceNames = ReturnType<typeof namesOf>;

/** @param type what one of them is called, as a type; that of the noun's singular by default. */
export function namesOf(noun: string, type?: string) {
  const one = camel(type === undefined ? singular(noun) : kebab(type));
  const many = camel(noun);
  const [word, words] = [wordsOf(one), wordsOf(many)];
  // As it sounds: a user, an hour.
  const article = /^(?!uni|use|usa|eu|one)[aeiou]|^hour|^honou?r/.test(word) ? 'an' : 'a';
  return {
    /** `pet-toys`: of its path and its files. */
    noun,
    /** `pet_toys` */
    table: noun.replaceAll('-', '_'),
    /** `petToys`, `petToy` */
    many,
    one,
    /** `PetToys`, `PetToy`: of its types, schemas and operations. */
    Many: capitalized(many),
    One: type ?? capitalized(one),
    /** `pet toys`, `pet toy`, `a pet toy`, and as a sentence begins. */
    words,
    word,
    aWord: `${article} ${word}`,
    Words: capitalized(words),
    AWord: `${capitalized(article)} ${word}`,
    /** `petToyId` */
    id: `${one}Id`,
  };
}

export const givenOf = ({ properties }: Resource): ResourceProperty[] => properties.filter(({ isGiven }) => isGiven);

/** Those by which a list is filtered. */
export const filtersOf = (resource: Resource): ResourceProperty[] =>
  givenOf(resource).filter(({ values, reference }) => values !== undefined || reference !== undefined);

export const operationIds = ({ Many, One }: ResourceNames) => ({
  list: `list${Many}`,
  create: `create${One}`,
  get: `get${One}`,
  replace: `replace${One}`,
  update: `update${One}`,
  delete: `delete${One}`,
});

/** What is composed or copied; it is read by the functions of a schema alone. */
export interface SchemaSource extends Schema {
  readonly [keyword: string]: unknown;
}

/** The example that the author gave: `example` of OpenAPI 3.0, or the first of `examples`. */
export const writtenExample = ({ example, examples }: SchemaSource): unknown =>
  example ?? (Array.isArray(examples) ? (examples as unknown[])[0] : undefined);
