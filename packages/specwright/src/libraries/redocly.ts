/** Redocly with the project's configuration. `@specwright/contract` has a copy without that. */
import { BaseResolver, ResolveError } from '@redocly/openapi-core';

export { lintFromString, loadConfig, type Plugin } from '@redocly/openapi-core';

/** Reads nothing: a document is in one piece once it is read, and what then still looks like a reference to a file or a URL is data. */
export class NoFilesResolver extends BaseResolver {
  override loadExternalRef(absoluteRef: string): Promise<never> {
    return Promise.reject(new ResolveError(new Error(`${absoluteRef} is not read here`)));
  }
}
