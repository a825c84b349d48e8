/** Makes types of the schemas of a document that `typesDocument` has prepared. */
import {
  type Document,
  type Schema,
  additionalOf,
  branchesOf,
  isBigInteger,
  isDateObject,
  isReadOnly,
  isWriteOnly,
  itemsOf,
  limitsOf,
  pointerKeys,
  prefixItemsOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  resolve,
  typesOf,
  valuesOf,
} from '@specwright/contract/document';
import * as types from './type-text.ts';
import type { TypeText } from './type-text.ts';

/** Types that those of schemas refer to, by name. */
const HELPERS = {
  /** Not every value of T has the properties: null, undefined and branches of a union need not. */
  WithRequired: 'type WithRequired<T, K extends PropertyKey> = T extends object ? T & Required<Pick<T, K & keyof T>> : T;',
  /** An index signature has to allow the properties that are named, too. */
  WithAdditional: 'type WithAdditional<T, V> = T & {\n    [key: string]: T[keyof T] | V;\n};',
};

/** `#/components/schemas/Pet` -> `components["schemas"]["Pet"]` */
export function typeOfReference($ref: string): TypeText {
  const [root = '', ...keys] = pointerKeys($ref);
  return types.accessOf(root, ...keys.filter((key, i) => key !== 'properties' || i < 2));
}

const SCALARS: Readonly<Record<string, TypeText>> = {
  string: types.STRING,
  number: types.NUMBER,
  integer: types.NUMBER,
  boolean: types.BOOLEAN,
  null: types.NULL,
  never: types.NEVER,
};

/** How types say what only requests or responses have, and what references are to. */
export interface SchemaView {
  readonly typeOfReference: (reference: string) => TypeText;
  /** Of a property; `undefined` if objects do not have it. */
  readonly typeOfProperty: (property: Schema, type: TypeText) => TypeText | undefined;
}

export class SchemaTypes {
  readonly #document: Document;
  readonly #view: SchemaView;
  readonly #helpers = new Set<keyof typeof HELPERS>();
  #hasDates = false;

  constructor(document: Document, view: SchemaView = { typeOfReference, typeOfProperty: marked }) {
    this.#document = document;
    this.#view = view;
  }

  /** Whether a type so far is `Date`. */
  get hasDates(): boolean {
    return this.#hasDates;
  }

  /** The declarations that the types so far need. */
  helpers(): string[] {
    return [...this.#helpers].map((name) => HELPERS[name]);
  }

  /** @param schema `undefined`: any value. */
  typeOf(schema: Schema | undefined, required: readonly string[] = []): TypeText {
    if (schema === undefined) return types.UNKNOWN;
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.#view.typeOfReference(reference);
    const values = valuesOf(schema);
    if (values !== undefined && !isBigInteger(schema)) return types.unionOf(values.map(types.literalOf));
    return this.#composed(schema, [...requiredOf(schema), ...required]);
  }

  #composed(schema: Schema, required: readonly string[]): TypeText {
    const { allOf, anyOf, oneOf } = branchesOf(schema);
    const own = this.#own(schema, required);
    const all = [
      ...(own === undefined ? [] : [own]),
      ...(allOf.length > 0 ? [types.intersectionOf(allOf.map((part) => this.#part(part, required)))] : []),
    ];
    let type = all.length > 0 ? types.intersectionOf(all) : undefined;
    if (anyOf.length > 0) type = types.unionOf([...(type === undefined ? [] : [type]), ...anyOf.map((part) => this.typeOf(part))]);
    if (oneOf.length > 0) {
      const parts = oneOf.map((part) => this.typeOf(part));
      const isOfKeywords = parts.every(({ kind }) => kind === 'keyword');
      const before = type === undefined ? [] : [type];
      type = isOfKeywords ? types.unionOf([...before, ...parts]) : types.intersectionOf([...before, types.unionOf(parts)]);
    }
    return type ?? (typesOf(schema).length > 0 ? types.recordOf(types.UNKNOWN) : types.UNKNOWN);
  }

  /** A part of `allOf`, whose properties the whole schema may require. */
  #part(part: Schema, required: readonly string[]): TypeText {
    const reference = referenceOf(part);
    if (reference === undefined) return this.typeOf(part, required);
    const properties = propertiesOf(resolve<Schema>(this.#document, part));
    const keys = required.filter((key) => Object.hasOwn(properties, key));
    const type = this.#view.typeOfReference(reference);
    return keys.length === 0 ? type : this.#helper('WithRequired', type, types.unionOf(keys.map(types.literalOf)));
  }

  #helper(name: keyof typeof HELPERS, ...given: readonly TypeText[]): TypeText {
    this.#helpers.add(name);
    return types.generic(name, ...given);
  }

  /** What a schema says beside its compositions; `undefined` if that is nothing. */
  #own(schema: Schema, required: readonly string[]): TypeText | undefined {
    if (isBigInteger(schema)) return bigIntegerType(schema);
    if (isDateObject(schema)) {
      this.#hasDates = true;
      return types.unionOf([types.one('Date'), ...(typesOf(schema).includes('null') ? [types.NULL] : [])]);
    }
    const named = typesOf(schema);
    if (named.length === 0) return this.#objectType(schema, required);
    const found = named.map((type) => SCALARS[type] ?? (type === 'array' ? this.#arrayType(schema) : this.#objectType(schema, required)));
    return named.length === 1 ? found[0] : types.unionOf(found.map((type) => type ?? types.recordOf(types.UNKNOWN)));
  }

  /** Items are optional from `minItems` on, and there may be more than those that are named. */
  #arrayType(schema: Schema): TypeText {
    const rest = this.typeOf(itemsOf(schema));
    const first = prefixItemsOf(schema).map((item) => this.typeOf(item));
    if (first.length === 0) return types.arrayOf(rest);
    return types.tupleOf(first, limitsOf(schema).minItems ?? 0, rest === types.NEVER ? undefined : rest);
  }

  #objectType(schema: Schema, required: readonly string[]): TypeText | undefined {
    const properties = Object.entries(propertiesOf(schema));
    const additional = additionalOf(schema);
    const named = types.objectOf(
      properties.flatMap(([key, property]) => {
        const type = this.#view.typeOfProperty(property, this.typeOf(property));
        return type === undefined ? [] : [{ key, isOptional: !required.includes(key), type, comment: types.commentOf(property) }];
      }),
    );
    if (additional === undefined || additional === false) {
      if (properties.length > 0) return named;
      return additional === false ? types.recordOf(types.NEVER) : undefined;
    }
    const values = this.typeOf(additional === true ? undefined : additional);
    if (properties.length === 0) return types.indexOf('key', values);
    // Whatever the properties are, they are unknown too.
    if (values === types.UNKNOWN) return types.intersectionOf([named, types.indexOf('key', values)]);
    return this.#helper('WithAdditional', named, values);
  }
}

/** `readOnly` and `writeOnly` stay visible, so that `Input` and `Reply` can tell requests from responses. */
function marked(property: Schema, type: TypeText): TypeText {
  if (isReadOnly(property) === isWriteOnly(property)) return type;
  return types.generic(isReadOnly(property) ? '$Read' : '$Write', type);
}

function bigIntegerType(schema: Schema): TypeText {
  const integers = valuesOf(schema)
    ?.filter((value) => Number.isInteger(value))
    .map((value) => types.literalOf(BigInt(value as number)));
  const isNullable = typesOf(schema).includes('null');
  return types.unionOf([...(integers ?? [types.one('bigint')]), ...(isNullable ? [types.NULL] : [])]);
}
