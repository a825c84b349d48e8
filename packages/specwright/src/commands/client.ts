/** `specwright client` */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defineCommand, UsageError, print } from '@specwright/server/command';
import { displayPath, readProject } from '../project-config.ts';
import { CONTRACTS_OPTION, OUTSIDE_OPTION, forEachContract, selectContract, selectContracts } from '../select-contracts.ts';

export const command = defineCommand({
  description:
    'Writes a typed client without dependencies, for Node and browsers.\n' +
    'Without options: generated/client.ts, which `generate` keeps up to date from then on and `generate --check` compares.\n' +
    'With --out: a package in that folder (JavaScript, types, package.json, README.md), to publish or to copy.\n' +
    'Of a project with several specs a package is of the one that --contract names.',
  options: {
    out: { type: 'string', value: 'DIR', description: 'writes a package into this folder' },
    package: {
      type: 'string',
      value: 'NAME',
      description: "its name (default: the one that it has, or the project's with -client); without --out in .cache/client",
    },
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
  },
  examples: ['specwright client', 'specwright client --out ../pets-client --package @acme/pets-client'],
  failure: 'the spec has problems',
  async run({ values }) {
    const { quotedPath, readDocument } = await import('@specwright/contract/document');
    const { generate, generatedForm } = await import('../generate/generate.ts');
    const { writeGenerated } = await import('../generate/generated-files.ts');
    const { rootOfArgument } = await import('../files/write-files.ts');
    const { isPackageName, clientPackage } = await import('../client/client-package.ts');
    const project = readProject();
    const isPackage = values.out !== undefined || values.package !== undefined;
    const contracts = isPackage ? [selectContract(project, values)] : selectContracts(project, values);
    await forEachContract(contracts, async ({ contractName, spec, generated, allowOutside }) => {
      const source = readDocument(displayPath(spec), { allowOutside });
      const out = isPackage ? (values.out ?? join('.cache/client', contractName ?? '')) : generated;
      const name = values.package ?? packageName(out, project.name, contractName);
      if (isPackage && !isPackageName(name))
        throw new UsageError(`${name} is no name of an npm package: use lower-case letters, digits and hyphens`);
      const js = !isPackage && generatedForm(generated).js;
      const files = await generate(source, { client: true, js });
      const root = values.out === undefined ? project.root : rootOfArgument(out, 'folder');
      const written = writeGenerated(root, isPackage ? clientPackage(source, files.get('openapi.ts') ?? '', name) : files, out);
      for (const path of written) print(`wrote ${path}`);
      if (written.length === 0) print(`${out}/ is up to date`);
      if (isPackage) print(`${name}: \`npm publish ${quotedPath(resolve(out))}\`; to try it, \`npm install ${quotedPath(resolve(out))}\``);
    });
  },
});

/** The name that a package in the folder has already, by which its users import it; else one of the project. */
function packageName(folder: string, project: string, contract: string | undefined): string {
  const file = join(folder, 'package.json');
  const { name } = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as { name?: string };
  return name ?? [project.replaceAll('_', '-'), contract ?? [], 'client'].flat().join('-');
}
