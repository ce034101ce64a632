import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy for plain HTTP, for use as `HTTP_PROXY`. */
interface ForwardProxy {
  url: string;
  /** The hosts of the requests so far, with their ports. */
  hosts: readonly string[];
  /** Number of connections that clients have opened. */
  connections(): number;
  stop(): void;
}

/** @param target base URL that receives all requests; by default, each goes to its own host */
export async function startForwardProxy(target?: string): Promise<ForwardProxy> {
  const hosts: string[] = [];
  let connections = 0;
  const server = createServer((incoming, answer) => {
    const { url = '', method, headers } = incoming;
    const { origin, host, pathname, search } = new URL(url);
    hosts.push(host);
    const forwarded = request(`${target ?? origin}${pathname}${search}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    incoming.pipe(forwarded);
  })
    .on('connection', () => {
      connections += 1;
    })
    .listen(0, '127.0.0.1');
  // Between paced calls, connections are idle for longer than the default keep-alive timeout.
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts,
    connections: () => connections,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
