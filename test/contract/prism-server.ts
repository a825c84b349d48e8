/** Prism's validation proxy as a program: one proxy for each upstream URL in its arguments. It ends when its standard input does. */
import { createRequire } from 'node:module';

/** What this program uses of Prism. Its packages are dependencies of its command, so they are found from there. */
interface Prism {
  createLogger(name: string, options: { level: string }): unknown;
  getHttpOperationsFromSpec(document: string): Promise<unknown[]>;
  createServer(operations: unknown[], options: object): { listen(port: number, host: string): Promise<string> };
}

const [document = '', ...upstreams] = process.argv.slice(2);
const require = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'));
const packages = ['@stoplight/prism-core', '@stoplight/prism-http', '@stoplight/prism-http-server'];
const prism = Object.assign({}, ...packages.map((name) => require(name) as object)) as Prism;

// The parts that `prism proxy --errors` is made of: the command itself cannot pass on requests that are meant to be wrong.
const operations = await prism.getHttpOperationsFromSpec(document);
const logger = prism.createLogger('prism', { level: 'silent' });
const urls: string[] = [];
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
  urls.push(await prism.createServer(operations, { components: { logger }, config, cors: false }).listen(0, '127.0.0.1'));
}
process.stdout.write(JSON.stringify(urls));
process.stdin.on('end', () => process.exit(0)).resume();
