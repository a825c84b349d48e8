/** The first ten minutes with a project without accounts. */
import { join, resolve } from 'node:path';
import { expect } from '@jest/globals';
import { removeFolder } from 'specwright/testing';
import { testFirstSteps } from '../../support/projects/first-steps.ts';
import { linkInstalledPackages, makeFolder, runNew } from '../../support/projects/new-project.ts';

testFirstSteps(async () => {
  const parent = await makeFolder();
  const folder = join(parent, 'bookings');
  // It has other handlers than the project whose packages it gets, and the same dependencies.
  const made = await runNew(folder, '--spec', resolve('test/gates/foreign/bookings.yaml'), '--no-install');
  expect(made).toMatchObject({ code: 0 });
  await linkInstalledPackages('plain', folder);
  return { folder, output: made.output, remove: () => removeFolder(parent) };
}, false);
