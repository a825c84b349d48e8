/** `specwright vendor` */
import { defineCommand, print } from '@specwright/server/command';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Fetches each document that a $ref of the specs names by https, and those that it refers to, into the folder vendor beside the\nspec, and makes the $refs refer to the copies. Writes their digests to vendor/digests.json; what has a copy is not fetched again.\nFetches at most 50 documents of 10 MB, each within 30 s; http only from this machine.',
  options: {
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: all of the project's)" },
    update: { type: 'boolean', description: 'fetches the copies again, and says what has changed' },
  },
  examples: ['specwright vendor', 'specwright vendor --update', 'specwright vendor --spec their.yaml'],
  failure: 'a document cannot be fetched, a copy was edited, or a reference leads nowhere',
  async run({ values: { spec, update } }) {
    const { rootOfArgument } = await import('../files/write-files.ts');
    const { vendorDocuments } = await import('../vendor/vendor-documents.ts');
    const specs = spec === undefined ? readProject().contracts.map((contract) => contract.spec) : [spec];
    const root = spec === undefined ? process.cwd() : rootOfArgument(spec, 'file');
    for (const line of await vendorDocuments(root, specs, update)) print(line);
  },
});
