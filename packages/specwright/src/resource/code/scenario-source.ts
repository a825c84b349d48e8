/** The calls that the contract tests make of a resource. */
import ts from '../../libraries/typescript.ts';
import { filtersOf, givenOf, operationIds, type Resource, type ResourceReference } from '../resource.ts';
import { exampleOf } from '../spec/resource-schemas.ts';

export interface ScenarioOptions {
  readonly resource: Resource;
  readonly file: ts.SourceFile;
  /** The interface `World`, wherever it is. */
  readonly world: ts.InterfaceDeclaration | undefined;
  /** Whether `createX` takes an `Idempotency-Key`, and the statuses that each contract test provokes by itself are not listed. */
  readonly isIdempotent: boolean;
  /** Whether PATCH takes a second media type. */
  readonly mergePatch: boolean;
}

/** @returns what a reference lacks, as an error, if there is nothing in the tests that makes the record that is referred to. */
export function scenarioSource({ resource, file, world, isIdempotent, mergePatch }: ScenarioOptions) {
  const { names } = resource;
  const { One, id } = names;
  const ids = operationIds(names);
  const make = `make${One}`;
  const constants = new Set(
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations.map(({ name }) => name.getText(file))),
  );
  const functions = new Set(file.statements.filter(ts.isFunctionDeclaration).map(({ name }) => name?.text));
  const has = (name: string) => constants.has(name) || functions.has(name);
  const references = givenOf(resource).filter(({ reference }) => reference !== undefined);
  const referred = (reference: ResourceReference): string => {
    const { one, One: type, words } = reference.names;
    if (world?.members.some(({ name }) => name?.getText() === one)) return `await world.${one}()`;
    if (has(`make${type}`)) return `await make${type}(world)`;
    throw new Error(`nothing in it makes one of the ${words}: add ${one}(): Promise<number> to World, which returns the id of a new one`);
  };
  const call = (parts: string) => (parts === '' ? '{}' : `{ ${parts} }`);
  const withReferences = references.length > 0;
  const body = withReferences ? `body: await new${One}(world)` : '';
  const path = `path: { ${id}: await ${make}(world) }`;

  const filters = filtersOf(resource).map(({ name, reference, example }) =>
    reference === undefined
      ? `{ query: '${encodeURIComponent(name)}=${encodeURIComponent(String(example))}' }`
      : `{ query: \`${encodeURIComponent(name)}=\${${referred(reference)}}\` }`,
  );
  const created = isIdempotent && has('retried') ? `[${call(body)}, ...retried(${call(body)})]` : `[${call(body)}]`;
  const parameter = withReferences ? 'world' : '';
  const update = [
    '{ path }',
    ...references.flatMap(({ name, reference }) =>
      reference === undefined ? [] : [`{ path, body: { ${name}: ${referred(reference)} } }`],
    ),
    ...(mergePatch && has('MERGE_PATCH') ? ['{ path, body: {}, headers: MERGE_PATCH }'] : []),
  ];
  return {
    helper: `${withReferences ? `\n\nconst new${One} = async (world: World) => (${bodyOf(resource, referred)});` : ''}

/** @returns the id of a new ${names.word}. */
const ${make} = async (world: World) => {
  const response = await world.send('${ids.create}'${withReferences ? `, { ${body} }` : ''});
  return (JSON.parse(response.text) as { id: number }).id;
};`,
    rows: [
      [
        `${ids.list}: {`,
        `200: async (world) => {`,
        `await ${make}(world);`,
        `await ${make}(world);`,
        `return [{}, { query: 'limit=1' }${filters.map((filter) => `, ${filter}`).join('')}];`,
        `},`,
        `},`,
      ],
      [
        `${ids.create}: {`,
        `201: async (${parameter}) => ${created},`,
        ...(isIdempotent && has('inUse') ? [`409: async () => [inUse()],`] : []),
        `},`,
      ],
      [`${ids.get}: { 200: async (world) => [{ ${path} }] },`],
      [`${ids.replace}: { 200: async (world) => [{ ${path}${body === '' ? '' : `, ${body}`} }] },`],
      [
        `${ids.update}: {`,
        `200: async (world) => {`,
        `const path = { ${id}: await ${make}(world) };`,
        `return [${update.join(', ')}];`,
        `},`,
        `},`,
      ],
      [`${ids.delete}: { 204: async (world) => [{ ${path} }] },`],
    ],
  };
}

/** The body of a new record, with what is required and what it refers to, as source. */
function bodyOf(resource: Resource, referred: (reference: ResourceReference) => string): string {
  const example = exampleOf(resource, 'new');
  const needed = givenOf(resource).filter(({ required, reference }) => required || reference !== undefined);
  const members = needed.map(
    ({ name, reference }) => `${name}: ${reference === undefined ? JSON.stringify(example[name]) : referred(reference)}`,
  );
  return `{ ${members.join(', ')} }`;
}

/** Where a constant is inserted before the table. */
export function insertionPoint(file: ts.SourceFile, table: string): number {
  const statement = file.statements.find(
    (one) => ts.isVariableStatement(one) && one.declarationList.declarations.some(({ name }) => name.getText(file) === table),
  );
  return statement?.getFullStart() ?? file.getEnd();
}
