/** Mutants of bodies: forms, and requests of items. */
import type { MutatedFile } from './mutant.ts';

const FORM_TESTS = ['packages/contract/test/forms.test.ts', 'packages/contract/test/normalize-schema.test.ts'];

const CODEC_TESTS = [...FORM_TESTS, 'packages/contract/test/codec.test.ts'];

const DECODE: MutatedFile = {
  file: 'packages/contract/src/codec/decode.ts',
  tests: CODEC_TESTS,
  mutants: [
    [
      'brackets are read under every style',
      "if (encoding.style !== 'content' && encoding.style !== 'deepObject') report",
      "if (encoding.style === 'json') report",
    ],
    ['a list is written in two ways at once', 'else if (plain.length > 0) report', 'else if (plain.length > 9) report'],
    ['a property of the prototype is left out', 'if (bracketed.some(', 'if (bracketed.every(() => false) && bracketed.some('],
    ['a delimited list is given twice', 'if (plain.length > 1) report(', 'if (plain.length > 9) report('],
    ['a comma of a text divides it', "!acceptsText(shape) ? /,|%2c/i : ','", '!acceptsText(shape) ? /,|%2c/i : /,|%2c/i'],
    ['nothing is null nowhere', 'if (shape.isNullable) return null;', ''],
    ['a name of a delimited object has no value', 'pieces.length % 2 === 1) report', 'pieces.length % 2 === 3) report'],
    ['a property of a delimited object is given twice', 'if (values.has(name)) report(ONCE', 'if (values.size > 9) report(ONCE'],
    ['a plus is no space', "encoded.replaceAll('+', ' ')", 'encoded'],
    ['JSON is only the list itself', 'Array.isArray(value) && (!shape.item().types.has(', '(!shape.item().types.has('],
    ['a declared name with brackets is taken apart', "if (own !== undefined) return { field: own, kind: 'plain' };", ''],
    ['the properties of an object are not fields', '(owners.get(name) ?? open)', 'open'],
    ['an open object takes no fields', '(owners.get(name) ?? open)', 'owners.get(name)'],
    [
      'brackets of a map of numbers are taken apart',
      'const takesBrackets = outer !== undefined &&',
      'const takesBrackets = outer !== undefined ||',
    ],
    ['a list in a path is split at its name', "style === 'matrix' && explode", "style === 'matrix' && !explode"],
  ],
};

const ENCODE: MutatedFile = {
  file: 'packages/contract/src/codec/encode.ts',
  tests: CODEC_TESTS,
  mutants: [
    ['an item that has a delimiter becomes two', 'if (problem !== undefined) fail(problem);', 'void problem;'],
    [
      'a list of one empty text becomes empty',
      "texts.length === 1 && style !== 'form') fail",
      "texts.length === 9 && style !== 'form') fail",
    ],
    ['names of properties have brackets', '/^$|[[\\]]/.test(key)', '/^$/.test(key)'],
    ['blanks around a header are lost', "if (location === 'header' && /^\\s", "if (location === 'cookie' && /^\\s"],
    ['the items of an exploded list are one', 'isRepeated && isList ? prefix : ', ''],
  ],
};

const ITEM_BODY: MutatedFile = {
  file: 'packages/server/src/pipeline/body/item-body.ts',
  tests: ['packages/server/test/pipeline/item-bodies.test.ts'],
  mutants: [
    ['an item has no bound', 'if (this.#pendingBytes > this.#maxBytes) return false;', ''],
    ['what is not UTF-8 is an item', 'if (!isUtf8(bytes)) throw', 'if (bytes.length > 1e9) throw'],
    ['a byte order mark is a part of the first item', ".replace(/^\\uFEFF/, '')", ''],
    ['a blank line is an item', 'if (/^[ \\t\\r\\n]*$/.test(text)) return undefined;', ''],
    ['a record needs no separator', 'if (isBeforeFirst) throw', 'if (isBeforeFirst && text.length > 1e9) throw'],
    ['a number that was cut off is an item', 'if (isRecords && /^[', 'if (!isRecords && /^['],
    ['an invalid item is an item', 'if (problems.length > 0) throw', 'if (problems.length > 99) throw'],
    ['items have no numbers', '    count++;\n', ''],
    ['a refused item is an error of the handler', '      onRefusal(error as Error);\n', ''],
    ['the last item needs a line break', '  if (last !== undefined) yield last.item;\n', ''],
    ['the deadline is that of all items', '      onNext();\n', ''],
  ],
};

const TYPED_VALUES: MutatedFile = {
  file: 'packages/contract/src/codec/typed-values.ts',
  tests: ['packages/server/test/contract/hostile-values.test.ts'],
  mutants: [
    ['a text that no number holds is rounded', 'alterationOf(value) === undefined) return Number', 'value.length > 0) return Number'],
  ],
};

export const BODIES: readonly MutatedFile[] = [DECODE, ENCODE, TYPED_VALUES, ITEM_BODY];
