/** `specwright client` */
import { resolve } from 'node:path';
import { defineCommand, UsageError } from '@specwright/server/command';
import { displayPath, readProjectConfig } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Writes a typed client without dependencies, for Node and browsers.\n' +
    'Without options: generated/client.ts, which `generate` keeps up to date from then on and `generate --check` compares.\n' +
    'With --output: a package in that folder (JavaScript, types, package.json, README.md), to publish or to copy.',
  options: {
    output: { type: 'string', value: 'DIR', description: 'writes a package into this folder' },
    package: {
      type: 'string',
      value: 'NAME',
      description: "its name (default: the project's with -client); without --output in .cache/client",
    },
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
  },
  examples: ['specwright client', 'specwright client --output ../pets-client --package @acme/pets-client'],
  failure: 'the spec has problems',
  async run({ values }) {
    const { readDocument } = await import('@specwright/server/document');
    const { generate } = await import('../generate/generate.ts');
    const { writeGenerated } = await import('../generate/generated-files.ts');
    const { isPackageName, clientPackage } = await import('../client/client-package.ts');
    const project = readProjectConfig();
    const source = readDocument(displayPath(values.spec ?? project.spec));
    const isPackage = values.output !== undefined || values.package !== undefined;
    const name = values.package ?? `${project.name.replaceAll('_', '-')}-client`;
    if (isPackage && !isPackageName(name))
      throw new UsageError(`${name} is no name of an npm package: use lower-case letters, digits and hyphens`);
    const files = await generate(source, { client: true });
    const out = isPackage ? (values.output ?? '.cache/client') : project.generated;
    const written = writeGenerated(out, isPackage ? clientPackage(source, files.get('openapi.ts') ?? '', name) : files);
    for (const path of written) console.log(`wrote ${path}`);
    if (written.length === 0) console.log(`${out}/ is up to date`);
    if (isPackage) console.log(`${name}: \`npm publish ${resolve(out)}\`; to try it, \`npm install ${resolve(out)}\``);
  },
});
