/** How orval's functions send: what its client leaves to the page. */
interface Sender {
  baseUrl: string;
  key: string;
  renew: () => Promise<string>;
}
export const sender: Sender = { baseUrl: '', key: '', renew: () => Promise.resolve('') };

export function authorized(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${sender.key}`);
  return { ...init, headers };
}

export async function send<T>(url: string, init?: RequestInit): Promise<T> {
  let response = await fetch(sender.baseUrl + url, authorized(init));
  if (response.status === 401) {
    sender.key = await sender.renew();
    response = await fetch(sender.baseUrl + url, authorized(init));
  }
  const text = await response.text();
  return { data: text === '' ? undefined : JSON.parse(text), status: response.status, headers: response.headers } as T;
}
