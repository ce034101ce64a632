import { type Agent, request } from 'node:http';

/** Sends JSON over a persistent connection, and returns the text of the response. */
export function jsonCall(
  { agent, key }: { agent: Agent; key?: string },
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) > 299) reject(new Error(`${url}: ${response.statusCode} ${text}`));
        else resolve(text);
      });
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
