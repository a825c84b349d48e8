/** Which readiness a server answers probes with. */
import type { Server } from 'node:http';
import type { Readiness } from '../endpoints/probes.ts';

const readinessOfServers = new WeakMap<Server, Readiness>();

export const setReadiness = (server: Server, readiness: Readiness): void => void readinessOfServers.set(server, readiness);

/** @returns why the server is not ready; `undefined` if it is, or if it has no readiness. */
export const checkReadiness = async (server: Server): Promise<string | undefined> => readinessOfServers.get(server)?.check();
