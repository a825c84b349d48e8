/** The contract walk of a noun that `add-resource` makes for the pet store reports each mutant of its handlers and its store. */
import { afterAll, expect } from '@jest/globals';
import { copyProject, type Project } from '../../support/projects/project.ts';
import { NOUN, PROPERTIES } from '../../support/edits/resource-mutants.ts';
import { testMutants } from '../../support/edits/test-mutants.ts';

let project: Project | undefined;
afterAll(() => project?.remove());

testMutants({
  make: async () => {
    project = await copyProject({ otherTests: false });
    expect(await project.run('add-resource', NOUN, ...PROPERTIES, '--allow-dirty')).toMatchObject({ code: 0 });
    return project.folder;
  },
  walk: 'test/contract/walk.test.ts',
  nodeArgs: ['--conditions=@specwright/source'],
});
