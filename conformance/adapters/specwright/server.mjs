/** This project's server, as its README says: the contract is loaded, and each operation has a handler. */
import { createLogger, createServer, listen, openContract } from '@specwright/server';
