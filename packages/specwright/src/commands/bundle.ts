/** `specwright bundle` */
import { resolve } from 'node:path';
import { defineCommand, printError, printText } from '@specwright/server/command';
import { OUTSIDE_OPTION } from '../select-contracts.ts';

export const command = defineCommand({
  description:
    'Reads an OpenAPI document that is YAML or JSON, in one file or split by $ref, and writes it as one YAML file for any tool:\nwith its x-operation-defaults applied.',
  positionals: ['FILE'],
  options: {
    out: { type: 'string', value: 'FILE', description: 'where the document goes (default: standard output)' },
    'allow-outside': OUTSIDE_OPTION,
  },
  examples: ['specwright bundle spec/openapi.yaml --out openapi.yaml'],
  failure: 'the document is not OpenAPI, or a reference cannot be resolved',
  async run({ values, positionals: [file = ''] }) {
    const { fitLines } = await import('@specwright/server');
    const { rootOfArgument, writeFile } = await import('../files/write-files.ts');
    const { applyDefaults, bundleSpec } = await import('../bundle/bundle-spec.ts');
    const { text, notes } = applyDefaults(bundleSpec(file, { allowOutside: values['allow-outside'] }));
    for (const note of notes) printError(fitLines(note));
    if (values.out === undefined) printText((await import('../output/print-yaml.ts')).printableYaml(text));
    else writeFile(rootOfArgument(values.out, 'file'), resolve(values.out), text);
  },
});
