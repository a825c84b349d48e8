/** The first ten minutes with a project with accounts. */
import { expect } from '@jest/globals';
import { testFirstSteps } from '../support/first-steps.ts';
import { copyNewProject } from '../support/new-project.ts';

testFirstSteps(async () => {
  const made = await copyNewProject('accounts');
  expect(made.output).toContain('Try it, in another terminal:\n  curl -i ');
  return made;
}, true);
