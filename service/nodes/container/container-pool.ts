import { type Clock, systemClock } from '../../clock.ts';
import type { NodeInvocation } from './call-context.ts';
import { checkEndpoint } from './check-endpoint.ts';
import type { WarmCall, WarmOutcome } from './call-warm.ts';
import { type Connection, createConnection } from './connection.ts';
import { callCancelled, callExpired, callFailed, type InvokeOutcome } from './invoke-outcome.ts';
import type { CallListener } from './read-answer.ts';

export interface ContainerPoolOptions {
  /** Hosts that may be called (`SVC_NODE_HOSTS`), held against every call: what was deployed may be older than the list. */
  allowedHosts: readonly string[];
  clock?: Clock;
}

export interface InvokeOptions extends CallListener {
  /** Epoch milliseconds of the pool's clock: the call ends by then, here and in the container. */
  deadlineMs: number;
  /** Cancels the call, here and in the container. */
  signal?: AbortSignal;
}

/** Connections to node containers, one per endpoint, kept and shared by all calls. */
export interface ContainerPool {
  /**
   * Calls a unary node once, by `Session` or `Invoke` of node_container.proto: the outcome is the same. Never rejects for anything that the container or the network
   * does: that is an outcome.
   *
   * @param endpoint `grpc://host:port`
   */
  invoke(endpoint: string, invocation: NodeInvocation, options: InvokeOptions): Promise<InvokeOutcome>;
  /** Asks a container to get ready, and runs nothing. Never rejects: nobody depends on the outcome. */
  warm(
    endpoint: string,
    call: WarmCall,
    options: Pick<InvokeOptions, 'deadlineMs' | 'signal'>,
  ): Promise<WarmOutcome>;
  /** Ends all connections; calls after this one are `unreachable`. */
  close(): void;
}

export function createContainerPool({
  allowedHosts,
  clock = systemClock,
}: ContainerPoolOptions): ContainerPool {
  const connections = new Map<string, Connection>();
  let closed = false;

  const connectionTo = (target: string): Connection => {
    const known = connections.get(target);
    if (known) return known;
    const connection = createConnection(target);
    connections.set(target, connection);
    return connection;
  };
  const refuse = (outcome: InvokeOutcome): Promise<InvokeOutcome> => Promise.resolve(outcome);

  return {
    invoke: (endpoint, invocation, { deadlineMs, signal, ...listener }) => {
      if (closed) return refuse(callFailed('call', 'the service is shutting down'));
      const checked = checkEndpoint(endpoint, allowedHosts);
      if ('error' in checked) return refuse(callFailed('connect', checked.error));
      if (signal?.aborted) return refuse(callCancelled);
      const timeoutMs = Math.max(0, deadlineMs - clock.now());
      if (timeoutMs === 0) return refuse(callExpired(0));
      const deadline = systemClock.now() + timeoutMs;
      return connectionTo(checked.target).call(invocation, { deadline, timeoutMs, signal, listener });
    },
    warm: (endpoint, call, { deadlineMs, signal }) => {
      const failed = (message: string): Promise<WarmOutcome> => Promise.resolve({ kind: 'failed', message });
      if (closed) return failed('the service is shutting down');
      const checked = checkEndpoint(endpoint, allowedHosts);
      if ('error' in checked) return failed(checked.error);
      const deadline = systemClock.now() + Math.max(0, deadlineMs - clock.now());
      return connectionTo(checked.target).warm(call, { deadline, signal });
    },
    close: () => {
      closed = true;
      for (const connection of connections.values()) connection.close();
      connections.clear();
    },
  };
}
