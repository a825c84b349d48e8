/** What agents look for at well-known paths: where tokens of this API are issued (RFC 9728), and which contracts it serves (RFC 9727). */
import type { UntypedService } from '../options.ts';
import { metadataUrlOf } from '../pipeline/authentication/protected-resource.ts';
import type { Step } from '../pipeline/step.ts';
import { type Endpoints, type ServedContract, serveWritten } from './endpoints.ts';

/** RFC 9727, section 4.1: a set of links (RFC 9264) of that profile. */
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** RFC 9728, section 2. */
interface ResourceMetadata {
  readonly resource: string;
  readonly resource_name: string;
  readonly authorization_servers: string[];
  readonly scopes_supported: string[];
  readonly bearer_methods_supported: readonly ['header'];
  readonly resource_documentation?: string;
}

export function catalogStep(path: string, contracts: readonly ServedContract[], hasDocs: boolean): Step {
  const serve = serveWritten(CATALOG_TYPE, (mount) => JSON.stringify(catalogOf(contracts, hasDocs, mount)));
  return (exchange) => {
    exchange.headers.set('Link', `<${path}>; rel="api-catalog"`);
    return serve(exchange);
  };
}

export const resourceEndpoints = (services: readonly UntypedService[], hasDocs: boolean): Endpoints =>
  new Map(
    [...resourcesOf(services, hasDocs)].map(([path, metadata]) => [path, serveWritten('application/json', () => JSON.stringify(metadata))]),
  );

/** References are relative to the URL of the catalog (RFC 9264, section 4.2.2), because a server does not know its public name. */
function catalogOf(contracts: readonly ServedContract[], hasDocs: boolean, mount: string): object {
  return {
    linkset: contracts.map(({ base, title, version }) => ({
      anchor: `${mount}${base}/`,
      'service-desc': [
        { href: `${mount}${base}/openapi.json`, type: 'application/json', title: `${title} ${version}` },
        { href: `${mount}${base}/openapi.yaml`, type: 'application/yaml', title: `${title} ${version}` },
      ],
      ...(hasDocs && { 'service-doc': [{ href: `${mount}/docs`, type: 'text/html' }] }),
      status: [{ href: `${mount}/readyz`, type: 'application/json' }],
    })),
  };
}

function resourcesOf(services: readonly UntypedService[], hasDocs: boolean): Map<string, ResourceMetadata> {
  const resources = new Map<string, ResourceMetadata>();
  for (const { contract, security } of services)
    for (const { name, definition, scopes } of contract.operations.flatMap(({ requirements }) => requirements.flat())) {
      const resource = security[name]?.resource;
      const issuer = resource?.issuerOf(definition);
      if (resource === undefined || issuer === undefined) continue;
      const { pathname, origin } = metadataUrlOf(resource.identifier);
      const metadata = resources.get(pathname) ?? {
        resource: resource.identifier,
        resource_name: contract.title,
        authorization_servers: [],
        scopes_supported: [],
        bearer_methods_supported: ['header'],
        ...(hasDocs && { resource_documentation: `${origin}/docs` }),
      };
      addMissing(metadata.authorization_servers, [issuer]);
      addMissing(metadata.scopes_supported, scopes);
      resources.set(pathname, metadata);
    }
  return resources;
}

const addMissing = (list: string[], names: readonly string[]): void => void list.push(...names.filter((name) => !list.includes(name)));
