/** The headers of every response, of requests that Node cannot parse too. */
import type { HeaderList } from '../http/header-list.ts';

/** `nosniff`: a browser takes a body for what Content-Type says. @param id of the request. */
export const initialHeaders = (id: string): HeaderList => ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'];
