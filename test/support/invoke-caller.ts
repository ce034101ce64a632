import { type Client, Metadata } from '@grpc/grpc-js';
import { encodeInvocation } from '../../service/nodes/container/call-context.ts';
import { callInvoke } from '../../service/nodes/container/call-invoke.ts';
import { createPacedResets } from '../../service/nodes/container/paced-resets.ts';
import { createClient } from '../../service/nodes/container/connection.ts';
import { notConnected } from '../../service/nodes/container/invoke-outcome.ts';
import type { ContainerPool } from '../../service/nodes/container/container-pool.ts';

/** Calls containers with the method `Invoke` only, even those that support sessions. */
export function createInvokeCaller(): Omit<ContainerPool, 'stream'> {
  const clients = new Map<string, Client>();
  return {
    invoke: async (endpoint, invocation, { deadlineMs, signal, listener = {} }) => {
      const client = clients.get(endpoint) ?? createClient(endpoint.replace('grpc://', ''));
      clients.set(endpoint, client);
      const timeoutMs = deadlineMs - Date.now();
      const outcome = await callInvoke(
        { client, resets: createPacedResets(), metadata: new Metadata() },
        encodeInvocation(invocation),
        {
          deadline: deadlineMs,
          timeoutMs,
          signal,
          listener,
        },
      );
      return outcome ?? notConnected;
    },
    warm: () => Promise.resolve({ kind: 'not_offered' }),
    describe: () => Promise.resolve({ kind: 'not_offered' }),
    close: () => {
      for (const client of clients.values()) client.close();
    },
  };
}
