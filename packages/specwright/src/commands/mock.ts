/** `specwright mock` */
import { existsSync } from 'node:fs';
import { readProject } from '../project-config.ts';
import { CONTRACT_OPTION, OUTSIDE_OPTION, selectContract } from '../select-contracts.ts';
import { defineCommand, UsageError, printText } from '@specwright/server/command';

export const command = defineCommand({
  description:
    'Serves an OpenAPI document before there is code: the pipeline of a service,\nwhich validates requests and responses, with examples of the document or\ngenerated values. Clients choose with the header\n"Prefer: code=404, example=NAME, dynamic=true, delay=200".',
  options: {
    spec: { type: 'string', value: 'FILE', description: "an OpenAPI document (default: the project's)" },
    'allow-outside': OUTSIDE_OPTION,
    contract: { ...CONTRACT_OPTION, description: 'one of specwright.specs in package.json' },
    port: { type: 'string', value: 'N', description: 'where it listens (default: PORT, or 3000)' },
    stateful: { type: 'boolean', description: 'remembers what is created, changed and deleted' },
  },
  examples: ['specwright mock --spec openapi.yaml', 'specwright mock --stateful --port 4010'],
  failure: 'the document cannot be served, or the port is in use',
  async run({ values }) {
    const { runService, serverOptions, listen, close, workTimeout } = await import('@specwright/server');
    const { readEnvironment, SERVER_VARIABLES } = await import('@specwright/server/environment');
    const { createMockServer, formatMockTable } = await import('../mock/mock-server.ts');
    if (values.spec === undefined && !existsSync('package.json'))
      throw new UsageError('missing --spec FILE: this folder is no project, which would have a document');
    const file = values.spec ?? selectContract(readProject(), values).spec;
    if (!existsSync(file)) throw new Error(`${file} does not exist: name an OpenAPI document with --spec FILE`);
    // One process: another one would not know what this one remembers.
    const readConfig = () => ({
      ...readEnvironment(SERVER_VARIABLES, { ...process.env, ...(values.port !== undefined && { PORT: values.port }) }),
      workers: 1,
    });
    runService(async ({ config, log, greet }) => {
      const { cors, docs, maxBodyBytes } = serverOptions(config);
      const { server, contract, mock } = await createMockServer(file, {
        log,
        stateful: values.stateful,
        allowOutside: values['allow-outside'],
        server: { cors, docs, maxBodyBytes },
      });
      const port = await listen(server, config.port, config.host, values.port === undefined ? 'PORT' : '--port');
      if (values.stateful) printText(formatMockTable(mock.explain()));
      const facts = [['mock', `of ${file}; every response has X-Mock: true`]] as const;
      greet({ title: contract.title, version: contract.version, port, facts });
      return () => close(server, workTimeout(config.shutdownTimeout));
    }, readConfig);
  },
});
