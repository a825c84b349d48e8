/** Cases made of JSON-Schema-Test-Suite: an operation for each schema, whose body is the data of its tests. */
import { readFileSync } from 'node:fs';
import type { Case, Group, Source } from './case.ts';
import { parseExactly } from './exact-json.ts';
import { document, echo, echoId } from './operations.ts';
import { requestWith } from './request.ts';

export interface SuiteGroup {
  /** `schemas-3.1`. */
  readonly name: string;
  readonly version: '3.0.4' | '3.1.2';
  /** The folder of the draft in the suite. */
  readonly draft: 'draft2020-12' | 'draft4';
  /** Where the keyword of a file is defined: the standard, its section, and the sentence. */
  readonly keywords: Readonly<Record<string, readonly [standard: string, section: string, sentence: string]>>;
  /** How many tests of a file are taken, at most. */
  readonly limit: number;
  /** The schema for a document, with references to the components that it adds; `undefined` if the document cannot say it. */
  readonly adapt: (schema: unknown, name: string) => Adapted | undefined;
  /** Tests that are left out. */
  readonly omits: (test: SuiteTest) => boolean;
}

interface Adapted {
  readonly schema: unknown;
  readonly components?: Readonly<Record<string, unknown>>;
}

interface SuiteTest {
  readonly file: string;
  /** Of the schema. */
  readonly group: string;
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

interface Tests {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** A schema of a file, and those of its tests that are sent. */
interface Chosen {
  readonly file: string;
  readonly number: number;
  readonly adapted: Adapted;
  readonly tests: readonly SuiteTest[];
}

export function suiteGroup(group: SuiteGroup): Group {
  const chosen = Object.keys(group.keywords).flatMap((file) => choose(group, file));
  const components = Object.assign({}, ...chosen.map(({ adapted }) => adapted.components)) as Record<string, unknown>;
  return {
    name: group.name,
    document: document(group.version, `Schemas of OpenAPI ${group.version}`, {
      paths: Object.fromEntries(
        chosen.map((each) => {
          const content = { 'application/json': { schema: each.adapted.schema } };
          return [pathOf(group, each), { post: echo(operationOf(group, each), { requestBody: { required: true, content } }) }];
        }),
      ),
      ...(Object.keys(components).length === 0 ? {} : { components: { schemas: components } }),
    }),
    cases: chosen.flatMap((each) => casesOf(group, each)),
  };
}

const operationOf = ({ name }: SuiteGroup, { file, number }: Chosen): string => `${name}-${file}-${number}`;
const pathOf = ({ name }: SuiteGroup, { file, number }: Chosen): string => `/${name}/${file}/${number}`;

function casesOf(group: SuiteGroup, chosen: Chosen): Case[] {
  const [standard, section, sentence] = group.keywords[chosen.file] as [string, string, string];
  const names = new Set<string>();
  return chosen.tests.map((test, at): Case => {
    const description = slug(test.description);
    const name = names.has(description) ? `${description}-${at}` : description;
    names.add(name);
    const text = writeNumbers(test.data);
    const from = `JSON-Schema-Test-Suite, tests/${group.draft}/${test.file}.json: ${test.group}: ${test.description}`;
    const source: Source = { standard, section, sentence, from };
    // A default may be filled in: the handler then has more than was sent.
    const received = chosen.file === 'default' ? ('anything' as const) : { body: parseExactly(text) };
    return {
      id: `${group.name}/${chosen.file}-${chosen.number}/${name}`,
      operationId: echoId(operationOf(group, chosen)),
      request: requestWith('POST', pathOf(group, chosen), 'application/json', text),
      accepts: [test.valid ? { kind: 'received', received } : { kind: 'refused', statuses: [400, 422] }],
      source,
    };
  });
}

/** Of each schema a valid and an invalid test, then the next ones, until the limit of the file is reached. */
function choose(group: SuiteGroup, file: string): Chosen[] {
  const schemas = readTests(group.draft, file).flatMap(({ schema, description, tests }, at) => {
    const number = at + 1;
    const adapted = group.adapt(JSON.parse(writeNumbers(schema)), `${group.name}-${file}-${number}`);
    if (adapted === undefined) return [];
    const sent = tests.map((test): SuiteTest => ({ file, group: description, ...test })).filter((test) => !group.omits(test));
    return [{ file, number, adapted, tests: inPairs(sent) }];
  });
  const counts = schemas.map(() => 0);
  let left = group.limit;
  for (let round = 0; left > 0 && schemas.some(({ tests }) => tests.length > 2 * round); round++) {
    for (const [at, { tests }] of schemas.entries()) {
      const taken = Math.max(0, Math.min(2, tests.length - 2 * round, left));
      counts[at] = (counts[at] ?? 0) + taken;
      left -= taken;
    }
  }
  return schemas.map((schema, at) => ({ ...schema, tests: schema.tests.slice(0, counts[at]) })).filter(({ tests }) => tests.length > 0);
}

/** Valid and invalid tests in turn. */
function inPairs(tests: readonly SuiteTest[]): SuiteTest[] {
  const valid = tests.filter((test) => test.valid);
  const invalid = tests.filter((test) => !test.valid);
  return Array.from({ length: Math.max(valid.length, invalid.length) }, (_, at) => [valid[at], invalid[at]])
    .flat()
    .filter((test) => test !== undefined);
}

/** Below an `$id` references begin at that schema, and values of `const` and `enum` are no schemas. */
export function mapReferences(value: unknown, map: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, map));
  if (typeof value !== 'object' || value === null || typeof (value as { $id?: unknown }).$id === 'string') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      if (key === '$ref' && typeof each === 'string') return [key, map(each)];
      return [key, key === 'const' || key === 'enum' ? each : mapReferences(each, map)];
    }),
  );
}

/** The suite names the draft in each schema; a document of OpenAPI has its own. */
export const withoutDialect = (schema: object): object => Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));

const slug = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '')
    .toLowerCase();

const NUMBER = '\u0000number:';

/** A value of the suite in which numbers are texts as they were written: `1.0` is not `1`. */
function readTests(draft: string, file: string): readonly Tests[] {
  const text = readFileSync(new URL(`../suites/json-schema/${draft}/${file}.json`, import.meta.url), 'utf8');
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gu, (token) => (token.startsWith('"') ? token : JSON.stringify(NUMBER + token))),
  ) as readonly Tests[];
}

const writeNumbers = (value: unknown): string => JSON.stringify(value).replace(/"\\u0000number:([^"]*)"/gu, '$1');
