/** The first ten minutes with a project with accounts. */
import { expect } from '@jest/globals';
import { testFirstSteps } from '../../support/projects/first-steps.ts';
import { copyNewProject, run } from '../../support/projects/new-project.ts';

testFirstSteps(async () => {
  const made = await copyNewProject('accounts');
  expect(made.output).toContain('Try it, in another terminal:\n  curl -i ');
  expect(await run('npx', ['prettier', '--check', '.'], made.folder)).toMatchObject({ code: 0 });
  return made;
}, true);
