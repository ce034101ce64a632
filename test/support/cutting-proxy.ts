import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose connections tests can break, like a failing network. */
export interface CuttingProxy {
  url: string;
  /** Returns the number of connections so far. */
  count(): number;
  /** Resets all open connections. */
  cut(): void;
  /** Drops every new connection immediately, or forwards connections again. */
  refuse(refused: boolean): void;
  /** Keeps all open connections, but forwards no more data to their clients. Later connections work. */
  silence(): void;
  /** Withholds all data in both directions, like a network that loses packets. Delivers it when called with `false`. */
  hold(held: boolean): void;
  stop(): Promise<void>;
}

/**
 * Starts a proxy on a loopback port.
 * @param target `http://host:port`
 */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const answering = new Set<[far: Socket, near: Socket]>();
  let count = 0;
  let refused = false;
  let held = false;
  const server = createServer((near) => {
    count += 1;
    if (refused) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname);
    const pair: [Socket, Socket] = [far, near];
    answering.add(pair);
    near.on('close', () => answering.delete(pair));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (!held) one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    silence: () => {
      for (const [from, to] of answering) {
        from.unpipe(to);
        from.resume();
      }
    },
    hold: (given) => {
      if (held === given) return;
      held = given;
      for (const [far, near] of answering) {
        for (const [from, to] of [
          [far, near],
          [near, far],
        ] as const) {
          if (held) from.unpipe(to);
          else from.pipe(to);
        }
      }
    },
    refuse: (given) => {
      refused = given;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
