/** `specwright generate` */
import { createProgress, defineCommand, print } from '@specwright/server/command';
import { displayPath, readProject } from '../project-config.ts';
import { CONTRACTS_OPTION, OUTSIDE_OPTION, forEachContract, selectContract, selectContracts } from '../select-contracts.ts';

export const command = defineCommand({
  description:
    'Checks the spec, and writes openapi.ts (types), operations.ts (operation table), contract.ts (types of handlers) and\ndocument.json (the spec that is served); outgoing.ts, if it has webhooks or callbacks; client.ts, if\n`specwright client` has made one; and digests.json, by which edits of these are noticed.\nWith --js they are JavaScript with declarations beside, as ES modules, from then on without the option.\nWith --typecheck it then does what `tsc --noEmit` does, with the TypeScript 5.9 that is a part of this tool.\nOf a project with several specs it does so for each.\nWith --check it writes nothing, and fails if the committed files differ.\nIn a repository of git it adds `merge=generated` for the folder to .gitattributes:\ndocs/how-to/changing-the-spec.md.',
  options: {
    check: { type: 'boolean', description: 'compares only' },
    typecheck: { type: 'boolean', description: 'then reports type errors, for a project without a compiler' },
    js: { type: 'boolean', description: 'JavaScript and declarations, which a project without a compiler imports' },
    contract: CONTRACTS_OPTION,
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
    out: { type: 'string', value: 'FOLDER', description: 'where the files go (default: generated)' },
  },
  examples: ['specwright generate', 'specwright generate --check', 'specwright generate --js'],
  failure: 'the spec has problems, with --check a file differs, or with --typecheck there are type errors',
  async run({ values }) {
    const { groupUnsupported, listUnsupported, readDocument } = await import('@specwright/contract/document');
    const { fitLines } = await import('@specwright/server');
    const { generate, generatedForm } = await import('../generate/generate.ts');
    const { rootOfArgument } = await import('../files/write-files.ts');
    const { findObsolete, findStale, formatFirstDifference, generatedFolders, writeGenerated } =
      await import('../generate/generated-files.ts');
    const { writeMergeDriver } = await import('../generate/merge-driver.ts');
    const project = readProject();
    // One folder is for one contract.
    const contracts = values.out === undefined ? selectContracts(project, values) : [selectContract(project, values)];
    await forEachContract(contracts, async (contract) => {
      const spec = displayPath(contract.spec);
      const out = values.out ?? contract.generated;
      const form = generatedForm(out);
      const progress = createProgress();
      progress.show(`reading ${spec}`);
      const source = readDocument(spec, contract);
      const files = await generate(source, { ...form, js: form.js || values.js, progress }).finally(() => progress.clear());
      for (const line of groupUnsupported(
        listUnsupported(source).filter(({ isUnreached, isReported = false }) => isUnreached || isReported),
      ))
        print(fitLines(line));
      if (!values.check) {
        const root = values.out === undefined ? project.root : rootOfArgument(out, 'folder');
        for (const path of writeGenerated(root, files, out)) print(`wrote ${path}`);
        return;
      }
      const stale = findStale(out, files).map((file) =>
        file.committed === undefined
          ? `${file.path} is missing`
          : `${file.path} differs from what ${spec} gives, first at ${formatFirstDifference(file)}`,
      );
      stale.push(...findObsolete(out, files).map((path) => `${path} is not generated any more`));
      if (stale.length > 0) throw new Error(`${stale.join('\n')}\nRun \`npm run generate\` and commit the result.`);
      print(`${out}/ is what ${spec} gives`);
    });
    if (!values.check && values.out === undefined) {
      const folders = generatedFolders(project).map(({ generated }) => generated);
      const attributes = writeMergeDriver(project.root, folders);
      if (attributes !== undefined) print(`wrote ${attributes}`);
    }
    if (values.typecheck) (await import('../generate/check-types.ts')).checkTypes(project.root);
  },
});
