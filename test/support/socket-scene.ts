import { z } from 'zod';
import type { AnyAnswer } from '../../service/http/answer/answer.ts';
import { bind } from '../../service/http/bind.ts';
import type { ClientSocket } from '../../service/http/upgrade/client-socket.ts';
import { ApiError } from '../../service/errors/api-error.ts';
import { managementError } from '../../specs/operations/error-shapes.ts';
import { defineOperation } from '../../specs/operations/operation.ts';
import { type RouteServer, serveRoutes } from './route-server.ts';

const message = z.strictObject({ n: z.int(), text: z.string().optional() });
const common = { method: 'get', family: 'invocation', caller: 'any-key', summary: 'Test' } as const;

/** Maximum message size of `/echo`, in bytes. */
export const echoBytes = 100_000;

const echo = defineOperation({
  ...common,
  id: 'echo',
  path: '/invocations/echo',
  responses: {
    101: {
      description: 'Sends each message back, with its number.',
      socket: { sends: message, receives: { maxBytes: echoBytes, shape: z.looseObject({}) } },
    },
  },
});

const watch = defineOperation({
  ...common,
  id: 'watch',
  path: '/invocations/watch/{name}',
  params: z.object({ name: z.string().max(5) }),
  responses: {
    101: { description: 'Sends what the test sends.', socket: { sends: message } },
    404: { description: 'Unknown.', shape: managementError },
  },
});

const deaf = defineOperation({
  ...common,
  id: 'deaf',
  path: '/invocations/deaf',
  responses: {
    101: {
      description: 'Takes messages, and never uses them.',
      socket: { sends: message, receives: { maxBytes: echoBytes, shape: z.looseObject({}) } },
    },
  },
});

const plain = defineOperation({
  ...common,
  id: 'plain',
  path: '/invocations/plain',
  responses: { 200: { description: 'An ordinary answer.', shape: z.object({ plain: z.literal(true) }) } },
});

type Message = z.infer<typeof message>;
type Watched = ClientSocket<Message>;

/** A server with `/invocations/echo`, `/invocations/deaf`, `/invocations/watch/{name}` and `/invocations/plain`. */
export interface SocketScene {
  server: RouteServer;
  /** Number of sockets of `deaf` that have closed. */
  left: () => number;
  /** Sockets of `watch`, in order. Each stays open until its client or the test closes it, or `fail` is called. */
  watched: { socket: Watched; end: () => void; fail: (error: Error) => void; signal: AbortSignal }[];
}

export async function socketScene(
  options: Parameters<typeof serveRoutes>[1] & {
    onShutdown?: (AnyAnswer & { kind: 'socket' })['onShutdown'];
  },
): Promise<SocketScene> {
  const { onShutdown = 'close' } = options;
  const watched: SocketScene['watched'] = [];
  let left = 0;
  const server = await serveRoutes(
    [
      bind(echo).to(() => ({
        status: 101,
        kind: 'socket',
        onShutdown,
        serve: async (socket) => {
          let n = 0;
          for await (const text of socket.messages) {
            if (!(await socket.send({ n, text }))) return;
            n += 1;
          }
        },
      })),
      bind(watch).to(({ params, signal }) => {
        if (params.name === 'none') throw new ApiError(404, 'not_found', { error: 'unknown' });
        return {
          status: 101,
          kind: 'socket',
          onShutdown,
          serve: (socket) =>
            new Promise((resolve, reject) => {
              watched.push({ socket, end: resolve, fail: reject, signal });
              socket.closed.addEventListener('abort', () => resolve());
            }),
        };
      }),
      bind(deaf).to(() => ({
        status: 101,
        kind: 'socket',
        onShutdown,
        serve: (socket) =>
          new Promise((resolve) => {
            socket.closed.addEventListener('abort', () => {
              left += 1;
              resolve();
            });
          }),
      })),
      bind(plain).to(() => ({ status: 200, body: { plain: true } })),
    ],
    options,
  );
  return { server, watched, left: () => left };
}
