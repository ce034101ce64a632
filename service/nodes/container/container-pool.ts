import type { ChannelCredentials } from '@grpc/grpc-js';
import { limits } from '../../../specs/limits.ts';
import { type Clock, systemClock } from '../../clock.ts';
import type { NodeHost } from '../../node-hosts.ts';
import type { NodeCallContext, NodeInvocation } from './call-context.ts';
import type { NodeStream } from './call-stream.ts';
import { checkEndpoint, type EndpointTarget } from './check-endpoint.ts';
import type { WarmCall, WarmOutcome } from './call-warm.ts';
import { callDescribe, type DescribeOutcome } from './call-describe.ts';
import {
  type Connection,
  type ConnectionCall,
  type ConnectionOptions,
  createClient,
  createConnection,
} from './connection.ts';
import { containerCredentials } from './container-credentials.ts';
import {
  callCancelled,
  callExpired,
  callFailed,
  type InvokeOutcome,
  type NodeUnreachable,
  type StreamOutcome,
} from './invoke-outcome.ts';
import type { CallListener } from './read-answer.ts';
import type { CheckServed, PackageReference } from './served-versions.ts';

interface ContainerPoolOptions {
  /**
   * Allowed hosts (`SVC_NODE_HOSTS`). Checked before each connection, because the list may be newer than a
   * deployment.
   */
  allowedHosts: readonly NodeHost[];
  /** For `grpcs` endpoints, created with the first one. Default: the authorities of the system. */
  tls?: () => ChannelCredentials;
  clock?: Clock;
  /** Time in milliseconds after which a connection without calls is closed. */
  idleMs?: number;
  /** Verifies the container of each new connection. Default: containers are trusted to serve any package. */
  checkServed?: CheckServed;
}

/** The owner of the containers, and the token that authenticates the service to them. */
export interface ContainerAccess {
  /** Handle of the tenant that deployed them. Absent: hosts that are allowed for only one tenant are refused. */
  owner?: string | undefined;
  /** Token of the deployment. */
  token?: string | undefined;
}

/** Options of one call, with the access to its container. */
export interface InvokeOptions extends ContainerAccess {
  /** The package version that the container must serve. Absent: the container is not asked. */
  package?: PackageReference;
  /** Deadline of the call, here and in the container, in epoch milliseconds of the pool's clock. */
  deadlineMs: number;
  /** Cancels the call, here and in the container. */
  signal?: AbortSignal;
  /** Receives the messages that precede the answer. */
  listener?: CallListener | undefined;
}

/**
 * Connections to node containers, one per endpoint, owner and token, kept and shared by all calls. A changed
 * token takes effect with the next call. Open calls end on their own connection.
 */
export interface ContainerPool {
  /**
   * Calls a unary node once, with the method `Session` or `Invoke` of node_container.proto. Both have the
   * same outcomes. Container and network failures are outcomes, not rejections.
   *
   * @param endpoint `grpc://host:port` or `grpcs://host:port`
   */
  invoke(endpoint: string, invocation: NodeInvocation, options: InvokeOptions): Promise<InvokeOutcome>;
  /**
   * Opens the stream of a pipeline node with `Stream` of node_container.proto. `onEnd` is called once an opened stream has ended.
   * Never rejects.
   */
  stream(
    endpoint: string,
    context: NodeCallContext,
    options: InvokeOptions & { onEnd?: (outcome: StreamOutcome) => void },
  ): Promise<NodeStream | NodeUnreachable>;
  /** Makes a container prepare for calls, without running a node. Asks it first what it serves, like a call. Never rejects. */
  warm(
    endpoint: string,
    call: WarmCall,
    options: Pick<InvokeOptions, 'package' | 'deadlineMs' | 'signal' | keyof ContainerAccess>,
  ): Promise<WarmOutcome>;
  /** Asks a container what it serves, on a separate connection. Never rejects. */
  describe(endpoint: string, options?: ContainerAccess & { signal?: AbortSignal }): Promise<DescribeOutcome>;
  /** Closes all connections. Later calls are `unreachable`. */
  close(): void;
}

interface PooledConnection {
  connection: Connection;
  /** Whether a call has used the connection since the last check for idle connections. */
  used: boolean;
  /** Calls that have not ended. */
  open: number;
}

const notAllowed =
  'the endpoint of this deployment is not in SVC_NODE_HOSTS: its publisher deploys it again on a host that the operator allows';

/**
 * Creates a pool without connections. Each connection opens with its first call. Calls that are open when the
 * pool closes may finish.
 */
export function createContainerPool({
  allowedHosts,
  tls = () => containerCredentials(null),
  clock = systemClock,
  idleMs = 300_000,
  checkServed,
}: ContainerPoolOptions): ContainerPool {
  const connections = new Map<string, PooledConnection>();
  let secure: ChannelCredentials | undefined;
  let closed = false;

  const optionsFor = ({ tls: isSecure }: EndpointTarget, token: string | undefined): ConnectionOptions => ({
    tls: isSecure ? (secure ??= tls()) : undefined,
    token,
  });
  /** @returns undefined if its owner may not use the endpoint */
  const connectionTo = (
    endpoint: string,
    { owner, token }: ContainerAccess,
  ): PooledConnection | undefined => {
    const key = `${owner ?? ''} ${token ?? ''} ${endpoint}`;
    const known = connections.get(key);
    if (known) {
      known.used = true;
      return known;
    }
    const to = checkEndpoint(endpoint, { hosts: allowedHosts, tenant: owner });
    if ('error' in to) return undefined;
    const connection = createConnection(to.target, {
      ...optionsFor(to, token),
      check: checkServed && ((reference, description) => checkServed(reference, endpoint, description)),
    });
    const pooled = { connection, used: true, open: 0 };
    connections.set(key, pooled);
    return pooled;
  };
  // Endpoints and tokens change, so unused connections would accumulate.
  const idle = setInterval(() => {
    for (const [key, pooled] of connections) {
      if (!pooled.used && pooled.open === 0) {
        connections.delete(key);
        pooled.connection.close();
      }
      pooled.used = false;
    }
  }, idleMs).unref();
  /** Finds the connection for a call and the setting of the call, or why it cannot be made. */
  const prepare = (
    endpoint: string,
    options: InvokeOptions,
  ): NodeUnreachable | { pooled: PooledConnection; setting: ConnectionCall } => {
    const { package: reference, deadlineMs, signal, listener = {} } = options;
    if (closed) return callFailed('call', 'the service is shutting down');
    const pooled = connectionTo(endpoint, options);
    if (!pooled) return callFailed('connect', notAllowed);
    if (signal?.aborted) return callCancelled;
    const timeoutMs = Math.max(0, deadlineMs - clock.now());
    if (timeoutMs === 0) return callExpired(0);
    const deadline = systemClock.now() + timeoutMs;
    const setting = { package: reference, deadline, timeoutMs, signal, listener };
    return { pooled, setting };
  };

  return {
    invoke: (endpoint, invocation, options) => {
      const prepared = prepare(endpoint, options);
      if ('kind' in prepared) return Promise.resolve(prepared);
      const { pooled, setting } = prepared;
      return during(pooled, ({ call }) => call(invocation, setting));
    },
    stream: async (endpoint, context, { onEnd, ...options }) => {
      const prepared = prepare(endpoint, options);
      if ('kind' in prepared) return prepared;
      const { pooled, setting } = prepared;
      // Keeps the connection from being closed as idle while the stream is open.
      pooled.open += 1;
      const release = (outcome: StreamOutcome): void => {
        pooled.open -= 1;
        onEnd?.(outcome);
      };
      const opened = await pooled.connection.stream(context, { ...setting, onEnd: release });
      if ('kind' in opened) pooled.open -= 1;
      return opened;
    },
    warm: (endpoint, call, options) => {
      const { package: reference, deadlineMs, signal } = options;
      const failed = (message: string): Promise<WarmOutcome> => Promise.resolve({ kind: 'failed', message });
      if (closed) return failed('the service is shutting down');
      const pooled = connectionTo(endpoint, options);
      if (!pooled) return failed(notAllowed);
      const timeoutMs = Math.max(0, deadlineMs - clock.now());
      const setting = { package: reference, deadline: systemClock.now() + timeoutMs, timeoutMs, signal };
      return during(pooled, ({ warm }) => warm(call, setting));
    },
    describe: async (endpoint, { signal, owner, token } = {}) => {
      if (closed) return callFailed('call', 'the service is shutting down');
      const checked = checkEndpoint(endpoint, { hosts: allowedHosts, tenant: owner });
      if ('error' in checked) return callFailed('connect', checked.error);
      const client = createClient(checked.target, optionsFor(checked, token));
      const timeoutMs = limits.describeMs;
      const deadline = systemClock.now() + timeoutMs;
      return callDescribe(client, { deadline, timeoutMs, signal }).finally(() => client.close());
    },
    close: () => {
      closed = true;
      clearInterval(idle);
      for (const { connection } of connections.values()) connection.close();
      connections.clear();
    },
  };
}

/** Keeps a connection from being closed as idle while a call is open, or waits for the connection. */
function during<T>(pooled: PooledConnection, work: (connection: Connection) => Promise<T>): Promise<T> {
  const ended = (): void => {
    pooled.open -= 1;
  };
  pooled.open += 1;
  const working = work(pooled.connection);
  working.then(ended, ended);
  return working;
}
