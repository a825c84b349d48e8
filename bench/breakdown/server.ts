/** One of the servers of the breakdown, with the parts that the environment names. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { accountSubject, openCallerCache, openCounterStore, type Caller } from '@specwright/accounts';
import { openDatabase } from '@specwright/postgres';
import { createLogger, createServer as createContractServer } from '@specwright/server';
import type { ContractTypes } from '../../generated/contract.ts';
import { NAME, readConfig } from '../../src/config.ts';
import { createSecurity, logCaller } from '../../src/security.ts';
import { loadPetStoreContract, unmeasuredHandlers } from '../requests/servers/petstore-contract.ts';
import { FIND_PET, type FindPet } from './find-pet.ts';
import type { Variant } from './variants.ts';

export async function createServer(): Promise<Server> {
  const { SPEC: spec = '', VARIANT = '{}', ACCOUNT_ID, CATEGORY_ID } = process.env;
  const { server, parts } = JSON.parse(VARIANT) as Variant;
  const config = readConfig();
  const { db, url } = await openDatabase({ ...config, name: NAME });
  const findPet = FIND_PET[parts.pet]({ db, url, accountId: Number(ACCOUNT_ID), categoryId: Number(CATEGORY_ID) });
  if (server === 'bare') return createBareServer(findPet);

  const { apiKey = false, limits = false, log: logs = false, validateResponses = false } = parts;
  const contract = await loadPetStoreContract(spec, { limits, security: apiKey });
  const log = createLogger(logs ? 'info' : 'silent');
  return createContractServer<ContractTypes, Caller>({
    contract,
    handlers: {
      ...unmeasuredHandlers<Caller>(contract),
      getStorePet: async ({ path }, reply) => {
        const { pet, etag } = await findPet(path.petId);
        return reply(200, { headers: { ETag: etag }, body: pet });
      },
    },
    security: createSecurity(openCallerCache(db).find),
    realm: NAME,
    rateLimit: limits ? { store: openCounterStore({ url }), subject: accountSubject } : undefined,
    errors: { type: 'application/json', body: (error) => error },
    responseValidation: validateResponses ? 'strict' : 'off',
    log,
    logCaller,
  });
}

function createBareServer(findPet: FindPet): Server {
  return createHttpServer(async (req, res) => {
    const { pet, etag } = await findPet(Number(req.url?.slice('/store/pets/'.length)));
    const json = JSON.stringify(pet);
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json), ETag: etag });
    res.end(json);
  });
}
