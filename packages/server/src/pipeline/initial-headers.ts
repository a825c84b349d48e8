/** The headers of every response, of requests that Node cannot parse too. */
import { HeaderFields } from '@specwright/contract';

/** `nosniff`: a browser takes a body for what Content-Type says. @param id of the request. */
export const initialHeaders = (id: string): HeaderFields => new HeaderFields(['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff']);
