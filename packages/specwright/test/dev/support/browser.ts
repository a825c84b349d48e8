/** A browser that logs in: keeps cookies, follows redirects to the provider, and chooses a test user. */

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

/** @returns where the browser is sent with a code. */
export async function logInAs(user: string, authorizationUrl: string, visit: Visit): Promise<URL> {
  const { url } = await visit(authorizationUrl);
  const chosen = await visit(url, { method: 'POST', body: new URLSearchParams({ user }) });
  const html = await chosen.response.text();
  // A user who was logged in is logged out first, by a form that a browser submits by itself.
  const [, action] = /action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) return new URL(chosen.url);
  const fields = [...html.matchAll(/name="([^"]+)" value="([^"]+)"/g)].map(([, name = '', value = '']): [string, string] => [name, value]);
  return new URL((await visit(action, { method: 'POST', body: new URLSearchParams(fields) })).url);
}
