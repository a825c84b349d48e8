/** Prism's validation proxy as a process: one proxy for each upstream URL in the arguments. It ends when its standard input does. */
import { createRequire } from 'node:module';

const [document, ...upstreams] = process.argv.slice(2);

// The parts that `prism proxy --errors` is made of: the command itself cannot leave requests that are meant to be wrong alone.
const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
const require = createRequire(cli);
const { createLogger } = require('@stoplight/prism-core');
const { getHttpOperationsFromSpec } = require('@stoplight/prism-http');
const { createServer } = require('@stoplight/prism-http-server');

const operations = await getHttpOperationsFromSpec(document);
const logger = createLogger('prism', { level: 'silent' });
const urls = [];
for (const upstream of upstreams) {
  const config = {
    isProxy: true,
    upstream: new URL(upstream),
    errors: true,
    validateRequest: false,
    validateResponse: true,
    checkSecurity: false,
    mock: { dynamic: false },
  };
  urls.push(await createServer(operations, { components: { logger }, config, cors: false }).listen(0, '127.0.0.1'));
}
process.stdout.write(JSON.stringify(urls));
process.stdin.on('end', () => process.exit(0)).resume();
