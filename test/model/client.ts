/** Sends requests, reads whole answers, and leaves before them where it is told to. */
import { request as httpRequest, Agent, type IncomingHttpHeaders } from 'node:http';

export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** 0: waits for the answer. 1: leaves in the middle of the body. More: leaves after so many times 2 ms. */
  readonly leave?: number;
  /** Parts that the body is sent in, with a pause before each in ms. */
  readonly parts?: readonly { readonly bytes: Buffer; readonly pause: number }[];
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 });

  /** @returns `undefined` if there was no whole answer. */
  send({ url, method, headers = {}, body, leave = 0, parts }: SentRequest): Promise<HttpAnswer | undefined> {
    return new Promise((resolve) => {
      const length = parts === undefined ? body?.length : undefined;
      const sent = httpRequest(url, {
        method,
        agent: this.#agent,
        headers: { ...headers, ...(length !== undefined && { 'content-length': length }) },
      });
      sent.on('error', () => resolve(undefined));
      sent.on('close', () => resolve(undefined));
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => void chunks.push(chunk));
        response.on('error', () => resolve(undefined));
        response.on('end', () => {
          if (!response.complete) return resolve(undefined);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
        });
      });
      const abandon = () => void sent.destroy();
      if (leave > 1) setTimeout(abandon, (leave - 2) * 2);
      if (leave === 1 && body !== undefined && body.length > 1) {
        sent.write(body.subarray(0, body.length >> 1), () => setTimeout(abandon, 3));
        return;
      }
      if (leave === 1) setTimeout(abandon, 0);
      if (parts === undefined) return void sent.end(body);
      void (async () => {
        for (const { bytes, pause } of parts) {
          if (pause > 0) await new Promise((later) => setTimeout(later, pause));
          if (sent.destroyed) return;
          sent.write(bytes);
        }
        sent.end();
      })();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};
