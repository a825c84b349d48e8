/** What Redocly's types of OpenAPI 3.2 lack. */
import type { Plugin } from '../libraries/redocly.ts';

type ExtendTypes = NonNullable<NonNullable<Plugin['typeExtension']>['oas3']>;

/** Scopes of a device flow are a map of texts, as in the other flows: a type named `string` does not exist. Cookies have a style of their own. */
const extendTypes: ExtendTypes = (types, version) => {
  const { DeviceAuthorization, ClientCredentials, Parameter } = types;
  if (version !== 'oas3_2' || DeviceAuthorization === undefined || Parameter === undefined) return types;
  const { style } = Parameter.properties;
  const styles = typeof style === 'object' && style !== null && 'enum' in style ? (style.enum ?? []) : [];
  return {
    ...types,
    DeviceAuthorization: {
      ...DeviceAuthorization,
      properties: { ...DeviceAuthorization.properties, scopes: ClientCredentials?.properties['scopes'] },
    },
    Parameter: { ...Parameter, properties: { ...Parameter.properties, style: { ...(style as object), enum: [...styles, 'cookie'] } } },
  };
};

const plugin: Plugin = { id: 'openapi-types', typeExtension: { oas3: extendTypes } };

/** A plugin of Redocly. Its type names nothing of the library, which nobody has installed: declarations are published. */
export const OPENAPI_TYPES: { readonly id: string } = plugin;
