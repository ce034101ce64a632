import { z } from 'zod';
import { bind } from '../../service/http/bind.ts';
import type { ConnectionOptions } from '../../service/http/server.ts';
import { defineOperation } from '../../specs/operations/operation.ts';
import { type RouteServer, serveRoutes } from './route-server.ts';

const common = { family: 'management', caller: 'public', summary: 'Test' } as const;

const echo = defineOperation({
  ...common,
  id: 'echo',
  method: 'post',
  path: '/echo',
  body: { kind: 'json', maxBytes: 100_000, shape: z.looseObject({}) },
  responses: { 200: { description: 'The body.', shape: z.looseObject({}) } },
});

const hold = defineOperation({
  ...common,
  id: 'hold',
  method: 'get',
  path: '/hold',
  responses: { 200: { description: 'The number of the request.', shape: z.object({ n: z.int() }) } },
});

const holdBody = defineOperation({
  ...common,
  id: 'holdBody',
  method: 'post',
  path: '/hold-body',
  body: { kind: 'json', maxBytes: 100_000, shape: z.looseObject({}) },
  responses: { 200: { description: 'The number of the request.', shape: z.object({ n: z.int() }) } },
});

const upload = defineOperation({
  ...common,
  id: 'upload',
  method: 'post',
  path: '/upload',
  body: { kind: 'lines', maxBytes: 100_000, maxLineBytes: 1_000, shape: z.looseObject({}) },
  responses: { 200: { description: 'The lines.', shape: z.array(z.string()) } },
});

const large = defineOperation({
  ...common,
  id: 'large',
  method: 'get',
  path: '/large',
  responses: { 200: { description: 'More than the system buffers.', contentType: 'text/plain' } },
});

/** Size of the response of `/large`. */
export const largeBytes = 64 * 1024 * 1024;

/** A server for tests that send HTTP by hand: `POST /echo`, `GET /hold`, `POST /hold-body`, `POST /upload` and `GET /large`. */
export interface ConnectionScene {
  url: string;
  /** Returns the number of requests of `/hold` and `/hold-body` so far. */
  held(): number;
  /** Responds to all of them. */
  release(): void;
  /** Lines of `/upload` so far. */
  lines: string[];
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function connectionScene(
  connections: Partial<ConnectionOptions>,
  host = '127.0.0.1',
): Promise<ConnectionScene> {
  let held = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const lines: string[] = [];
  const answerLater = async (): Promise<{ status: 200; body: { n: number } }> => {
    const n = (held += 1);
    await released;
    return { status: 200, body: { n } };
  };
  const server: RouteServer = await serveRoutes(
    [
      bind(echo).to(({ body }) => ({ status: 200, body })),
      bind(hold).to(answerLater),
      bind(holdBody).to(answerLater),
      bind(large).to(() => ({
        status: 200,
        kind: 'bytes',
        body: Buffer.alloc(largeBytes, 'a'),
        contentType: 'text/plain',
      })),
      bind(upload).to(async ({ body }) => {
        for await (const line of body) lines.push(line);
        return { status: 200, body: lines };
      }),
    ],
    { connections, host },
  );
  return {
    url: server.url,
    held: () => held,
    release,
    lines,
    connections: () => server.connections(),
    close: () => {
      release();
      return server.close();
    },
  };
}

/** Returns the head of a request with a body of `length` bytes, or with a chunked body. */
export function postHead(path: string, length: number | 'chunked', headers = ''): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return `POST ${path} HTTP/1.1\r\nHost: svc\r\n${framing}\r\n${headers}\r\n`;
}
