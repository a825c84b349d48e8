/** `specwright add-operation` */
import { defineCommand } from '@specwright/server/command';
import { CONTRACT_OPTION, selectContract } from '../select-contracts.ts';
import { readProject } from '../project-config.ts';

export const command = defineCommand({
  description:
    'Gives each operation without a handler one that answers 501, and a test that fails until it is written. Renames the\nhandler and the test of an operation that has only another operationId, and names those of operations that are gone.',
  options: {
    contract: CONTRACT_OPTION,
    'no-tests': { type: 'boolean', description: 'leaves the table of contract tests unchanged' },
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
  },
  examples: ['specwright add-operation', 'specwright add-operation --no-tests'],
  failure: 'the spec has problems, or the handlers are not composed where they are expected',
  async run({ values }) {
    const { readDocument } = await import('@specwright/contract/document');
    const { generate, hasClient } = await import('../generate/generate.ts');
    const { writeGenerated } = await import('../generate/generated-files.ts');
    const { addStubs } = await import('../stubs/add-stubs.ts');
    const { formatStubs } = await import('../stubs/add-stubs.ts');
    const project = selectContract(readProject(), values);
    const spec = readDocument(project.spec);
    // Before they are written: the generated files of before tell a renamed operation from a removed one.
    const files = await generate(spec, { client: hasClient(project.generated) });
    const report = await addStubs({ project, spec, tests: !values['no-tests'] });
    for (const path of writeGenerated(project.generated, files)) console.log(`wrote ${path}`);
    for (const line of formatStubs(report)) console.log(line);
  },
});
