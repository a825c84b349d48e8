/* Starts Swagger UI with the contract of this server, its plans, and what is deprecated or not stable yet. Plain JavaScript of a browser. */
(async () => {
  const root = document.getElementById('docs');
  const contracts = JSON.parse(root.dataset.contracts);
  const chosen = contracts.find(({ base }) => base === new URLSearchParams(location.search).get('contract')) ?? contracts[0];
  // The page is beside the paths of the server, wherever it is mounted.
  const at = (path) => new URL(`.${chosen.base}/${path}`, document.baseURI).href;
  const menus = [];
  if (contracts.length > 1) {
    const menu = document.createElement('select');
    menu.setAttribute('aria-label', 'Contract');
    menu.append(...contracts.map(({ base, name }) => new Option(`${name} (${base || '/'})`, base, false, base === chosen.base)));
    menu.addEventListener('change', () => (location.search = `?${new URLSearchParams({ contract: menu.value })}`));
    menus.push(menu);
    // It is there if the contract cannot be read, too; then the sidebar takes it.
    root.before(menu);
  }
  /** What changed in each version; none if there is no changelog. The page is complete without it. */
  const readReleases = async (path) => {
    if (path === undefined) return [];
    try {
      return await (await fetch(new URL(path, document.baseURI).href)).json();
    } catch (error) {
      console.error('The changelog could not be read:', error);
      return [];
    }
  };
  const response = await fetch(at('openapi.json'));
  const spec = await response.json();
  if (!response.ok) {
    root.textContent = `The contract could not be read: ${spec.message ?? response.status}`;
    return;
  }
  // Requests go to the server that serves this page, whatever servers the contract names.
  spec.servers = [{ url: at('').replace(/\/$/, '') }];
  for (const item of Object.values(spec.paths)) {
    delete item.servers;
    for (const operation of Object.values(item)) delete operation?.servers;
  }

  const [
    { repairNames, withoutLink },
    { removeUnsentHeaders, sendOnlyRequired, setAcceptedTypes, showItems, takeCommonHeaders },
    { codePlugin },
    { createdPlugin },
    { eventsPlugin },
    { foldPlugin },
    { guidesPlugin, parseProse, readGuides },
    { isKeyKept, keyPlugin },
    { resultPlugin },
    { schemasPlugin },
    { listSections, sectionsPlugin, takeProse },
    { sidebarPlugin },
    { restoreValues, valuesPlugin },
  ] = await Promise.all(
    [
      'accessibility',
      'contract',
      'code',
      'created',
      'events',
      'fold',
      'guides',
      'key',
      'result',
      'schema-view',
      'sections',
      'sidebar',
      'values',
    ].map((name) => import(`./${name}.js`)),
  );
  const guides = await readGuides(chosen.guides);
  sendOnlyRequired(spec);
  removeUnsentHeaders(spec);
  setAcceptedTypes(spec);
  showItems(spec);
  const releases = await readReleases(chosen.changelog);
  const prose = parseProse(takeProse(spec));
  const tables = { commonHeaders: takeCommonHeaders(spec), releases };
  const sidebar = sidebarPlugin(spec, { prose, guides, sections: listSections(spec, tables) }, root, menus);

  // Swagger UI would offer every grant and every scope that a provider knows. What the contract needs of it is a code, with its scopes.
  const { issuer, clientId, scopes } = JSON.parse(root.dataset.oauth);
  const schemes = spec.components?.securitySchemes ?? {};
  const requirements = [spec, ...Object.values(spec.paths).flatMap((item) => Object.values(item))].flatMap((part) => part?.security ?? []);
  const discoveryUrl = ({ type, flows, bearerFormat, openIdConnectUrl }) => {
    if (issuer === undefined) return openIdConnectUrl;
    const logsIn = type === 'openIdConnect' || flows?.authorizationCode || bearerFormat === 'JWT';
    return logsIn ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` : undefined;
  };
  for (const [name, scheme] of Object.entries(schemes)) {
    const url = discoveryUrl(scheme);
    if (url === undefined) continue;
    try {
      const metadata = await (await fetch(url)).json();
      const required = requirements.flatMap((requirement) => requirement[name] ?? []);
      const offered = Object.fromEntries([...(scheme.type === 'openIdConnect' ? ['openid'] : []), ...required].map((scope) => [scope, '']));
      const { authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl } = metadata;
      const authorizationCode = { authorizationUrl, tokenUrl, scopes: scheme.flows?.authorizationCode?.scopes ?? offered };
      schemes[name] = { type: 'oauth2', description: scheme.description, flows: { ...scheme.flows, authorizationCode } };
    } catch (error) {
      console.error(`The identity provider could not be read at ${url}:`, error);
    }
  }

  const plugin = ({ React }) => {
    const element = React.createElement;
    const badges = (operation) => {
      const stability = operation['x-stability'];
      const sunset = operation['x-deprecated-sunset'];
      return [
        stability && ['docs-' + stability, stability],
        operation.deprecated && ['docs-deprecated', sunset ? `deprecated, ends on ${sunset}` : 'deprecated'],
      ].filter(Boolean);
    };
    // The form is always there: there is nothing to cancel.
    const TryItOutButton = ({ hasUserEditedBody, onResetClick }) =>
      hasUserEditedBody && element('button', { type: 'button', className: 'btn docs-reset', onClick: onResetClick }, 'Reset');
    return {
      components: { TryItOutButton },
      wrapComponents: {
        OperationSummaryPath: (Original) => {
          const Path = withoutLink(Original, React);
          return (props) => {
            const path = props.operationProps.get('path');
            const operation = spec.paths[path]?.[props.operationProps.get('method')] ?? {};
            const all = badges(operation).map(([name, text]) => element('span', { key: text, className: `docs-badge ${name}` }, text));
            return element(React.Fragment, null, element(Path, props), ...all);
          };
        },
      },
    };
  };

  repairNames(root);
  window.ui = SwaggerUIBundle({
    spec,
    dom_id: '#docs',
    plugins: [
      plugin,
      createdPlugin(spec, at('')),
      valuesPlugin(spec, root, chosen.base),
      keyPlugin,
      resultPlugin,
      eventsPlugin,
      codePlugin(spec),
      foldPlugin(spec),
      schemasPlugin(spec),
      sectionsPlugin(spec, tables),
      guidesPlugin(prose, guides),
      sidebar,
    ],
    deepLinking: true,
    docExpansion: 'list',
    // The default's numbers are too dark to be read.
    syntaxHighlight: { theme: 'tomorrow-night' },
    // A key is in memory, unless its reader asks this browser to keep it.
    persistAuthorization: isKeyKept(),
    oauth2RedirectUrl: new URL('docs/oauth2-redirect', document.baseURI).href,
    tryItOutEnabled: true,
    // Otherwise the contract would be sent to a server of somebody else's.
    validatorUrl: null,
  });
  restoreValues(spec, chosen.base, window.ui);
  window.ui.initOAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
})();
