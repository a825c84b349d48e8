/** The repository that the packages say they are of: npm refuses provenance of another one. */
import { join } from 'node:path';
import { readJson } from './packages.mjs';

/** @returns {string} `owner/name` */
const ownRepository = (root) => /github\.com\/([^/]+\/[^/]+?)(\.git)?$/.exec(readJson(join(root, 'package.json')).repository.url)?.[1];

/** @param {string} name `owner/name`, as in GITHUB_REPOSITORY @throws Error that says what to do */
export function checkRepository(root, name) {
  const own = ownRepository(root);
  if (own === name) return [`the packages are of ${name}`];
  throw new Error(
    `npm would refuse the provenance of these packages: package.json says that they are of ${own}, and this is ${name}.\n` +
      `Replace ${own} by ${name} in repository, homepage and bugs of package.json and packages/*/package.json, or unset PUBLISH_PACKAGES`,
  );
}
