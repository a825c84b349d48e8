/** A browser that logs in: keeps cookies, follows redirects to the provider, and fills in the forms of examples/jwt/provider.ts. */

export type Visit = (url: string, init?: RequestInit) => Promise<{ readonly response: Response; readonly url: string }>;

/** @param providerUrl redirects to it are followed, and no other. */
export function openBrowser(providerUrl: string): Visit {
  const cookies = new Map<string, string>();
  const visit: Visit = async (url, init = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { Cookie: cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) return { response, url };
    const target = new URL(next, url).href;
    return target.startsWith(providerUrl) ? visit(target) : { response, url: target };
  };
  return visit;
}

/** Submits the forms of the provider: the name, any password, and the consent where it asks for one. @returns where it sends the browser. */
export async function logInAs(user: string, authorizationUrl: string, visit: Visit): Promise<URL> {
  for (let page = await visit(authorizationUrl); ;) {
    const html = page.response.headers.get('content-type')?.startsWith('text/html') ? await page.response.text() : '';
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
    if (action === undefined) return new URL(page.url);
    const hidden = [...html.matchAll(/name="([^"]+)" value="([^"]+)"/g)].map(([, name = '', value = '']): [string, string] => [
      name,
      value,
    ]);
    const fields = [...hidden, ['login', user], ['password', 'any']] as [string, string][];
    page = await visit(action, { method: 'POST', body: new URLSearchParams(fields) });
  }
}
