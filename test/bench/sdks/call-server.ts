import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface CallServer {
  url: string;
  stop(): Promise<void>;
}

const words = ['harbour', 'left', 'ships', 'the', 'two'];
const answer = JSON.stringify({
  counts: words.map((word) => ({ word, count: '1' })),
  total: String(words.length),
});

/** Reads every request and returns the same response of `count-words`, so that only the caller is measured. */
export async function startCallServer(): Promise<CallServer> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': answer.length,
        'x-execution-id': '0123456789abcdef0123456789abcdef',
      });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
