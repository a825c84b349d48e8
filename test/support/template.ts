/** The template of all test databases: one with the schema of the service. A gate compares it with the contract. */
import { startTestServer, type TestServer } from 'specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';

export const startTemplate = (): Promise<TestServer> => startTestServer({ schema });
