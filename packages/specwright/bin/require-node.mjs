/**
 * Refuses a Node.js that is older than `engines.node`, and Bun, before anything else is imported. In syntax that old versions parse: a newer
 * one, or a name that their modules do not export, would be a SyntaxError before this runs.
 */
var REQUIRED = [20, 19];
var version = process.versions.node.split('.').map(Number);

if (process.versions.bun !== undefined) {
  console.error('error: Bun ' + process.versions.bun + ' cannot run this: start it by `node` or `npx`');
  process.exit(1);
}
if (version[0] < REQUIRED[0] || (version[0] === REQUIRED[0] && version[1] < REQUIRED[1])) {
  console.error('error: Node ' + REQUIRED.join('.') + ' or later is required, this is ' + version[0] + '.' + version[1]);
  console.error('  it is ' + process.execPath);
  console.error('  install a newer one and start again: https://nodejs.org/en/download, or `nvm install --lts`');
  process.exit(1);
}
