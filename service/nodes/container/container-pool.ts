import { limits } from '../../../specs/limits.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { NodeInvocation } from './call-context.ts';
import { checkEndpoint } from './check-endpoint.ts';
import type { WarmCall, WarmOutcome } from './call-warm.ts';
import { callDescribe, type DescribeOutcome } from './call-describe.ts';
import { type Connection, createClient, createConnection } from './connection.ts';
import { callCancelled, callExpired, callFailed, type InvokeOutcome } from './invoke-outcome.ts';
import type { CallListener } from './read-answer.ts';
import type { CheckServed, PackageReference } from './served-versions.ts';

interface ContainerPoolOptions {
  /** Allowed hosts (`SVC_NODE_HOSTS`). Checked on every call, because a deployment may be older than the list. */
  allowedHosts: readonly string[];
  clock?: Clock;
  /** Checks what each new connection reaches. By default containers answer for any package. */
  checkServed?: CheckServed;
}

export interface InvokeOptions extends CallListener {
  /** The package version that the container must serve. Without one, the container is not asked. */
  package?: PackageReference;
  /** The call ends by then, here and in the container. Epoch milliseconds of the pool's clock. */
  deadlineMs: number;
  /** Cancels the call, here and in the container. */
  signal?: AbortSignal;
}

/** Connections to node containers, one per endpoint, kept and shared by all calls. */
export interface ContainerPool {
  /**
   * Calls a unary node once, by `Session` or `Invoke` of node_container.proto, with the same outcome. Failures of the container and of
   * the network are outcomes, not rejections.
   *
   * @param endpoint `grpc://host:port`
   */
  invoke(endpoint: string, invocation: NodeInvocation, options: InvokeOptions): Promise<InvokeOutcome>;
  /** Makes a container prepare for calls, without running a node. Never rejects. */
  warm(
    endpoint: string,
    call: WarmCall,
    options: Pick<InvokeOptions, 'deadlineMs' | 'signal'>,
  ): Promise<WarmOutcome>;
  /** Asks a container what it serves, on a connection of its own. Never rejects. */
  describe(endpoint: string, options?: { signal?: AbortSignal }): Promise<DescribeOutcome>;
  /** Closes all connections. Later calls are `unreachable`. */
  close(): void;
}

export function createContainerPool({
  allowedHosts,
  clock = systemClock,
  checkServed,
}: ContainerPoolOptions): ContainerPool {
  const connections = new Map<string, Connection>();
  let closed = false;

  const connectionTo = (target: string, endpoint: string): Connection => {
    const known = connections.get(target);
    if (known) return known;
    const connection = createConnection(
      target,
      checkServed && ((reference, description) => checkServed(reference, endpoint, description)),
    );
    connections.set(target, connection);
    return connection;
  };
  const refuse = (outcome: InvokeOutcome): Promise<InvokeOutcome> => Promise.resolve(outcome);

  return {
    invoke: (endpoint, invocation, { package: reference, deadlineMs, signal, ...listener }) => {
      if (closed) return refuse(callFailed('call', 'the service is shutting down'));
      const checked = checkEndpoint(endpoint, allowedHosts);
      if ('error' in checked) return refuse(callFailed('connect', checked.error));
      if (signal?.aborted) return refuse(callCancelled);
      const timeoutMs = Math.max(0, deadlineMs - clock.now());
      if (timeoutMs === 0) return refuse(callExpired(0));
      const deadline = systemClock.now() + timeoutMs;
      const setting = { package: reference, deadline, timeoutMs, signal, listener };
      return connectionTo(checked.target, endpoint).call(invocation, setting);
    },
    warm: (endpoint, call, { deadlineMs, signal }) => {
      const failed = (message: string): Promise<WarmOutcome> => Promise.resolve({ kind: 'failed', message });
      if (closed) return failed('the service is shutting down');
      const checked = checkEndpoint(endpoint, allowedHosts);
      if ('error' in checked) return failed(checked.error);
      const deadline = systemClock.now() + Math.max(0, deadlineMs - clock.now());
      return connectionTo(checked.target, endpoint).warm(call, { deadline, signal });
    },
    describe: async (endpoint, { signal } = {}) => {
      if (closed) return callFailed('call', 'the service is shutting down');
      const checked = checkEndpoint(endpoint, allowedHosts);
      if ('error' in checked) return callFailed('connect', checked.error);
      const client = createClient(checked.target);
      const timeoutMs = limits.describeMs;
      const deadline = systemClock.now() + timeoutMs;
      return callDescribe(client, { deadline, timeoutMs, signal }).finally(() => client.close());
    },
    close: () => {
      closed = true;
      for (const connection of connections.values()) connection.close();
      connections.clear();
    },
  };
}
