import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  InterceptingCall,
  type Interceptor,
  Metadata,
} from '@grpc/grpc-js';
import { limits } from '../../../specs/limits.ts';
import { systemClock } from '../../clock.ts';
import { encodeInvocation, type NodeCallContext, type NodeInvocation } from './call-context.ts';
import { callDescribe, type Description } from './call-describe.ts';
import { callInvoke, type CallSetting } from './call-invoke.ts';
import { type NodeStream, openNodeStream } from './call-stream.ts';
import { callTooLarge, maxCallBytes } from './call-size.ts';
import { callWarm, type WarmCall, type WarmOutcome } from './call-warm.ts';
import { endedBeforeStart } from './channel-call.ts';
import {
  callExpired,
  callFailed,
  type InvokeOutcome,
  type NodeUnreachable,
  notConnected,
  type StreamOutcome,
} from './invoke-outcome.ts';
import { createPacedResets } from './paced-resets.ts';
import { createServedVersions, type PackageReference } from './served-versions.ts';
import { openSession, type Session } from './session.ts';
import { turnMessageBytes } from './turn-writer.ts';

/** The connection to one container. It opens with the first call, and reopens after it breaks. */
export interface Connection {
  call: (invocation: NodeInvocation, setting: ConnectionCall) => Promise<InvokeOutcome>;
  /**
   * Opens the stream of a pipeline node, unless the container does not report what it serves, or serves
   * something else.
   */
  stream: (context: NodeCallContext, setting: ConnectionStream) => Promise<NodeStream | NodeUnreachable>;
  warm: (call: WarmCall, setting: ConnectionWarm) => Promise<WarmOutcome>;
  /** Closes the connection once its open calls have ended. */
  close(): void;
}

/** How a container is reached. */
export interface ConnectionOptions {
  /** Absent: without TLS. */
  tls?: ChannelCredentials | undefined;
  /** Sent with every call, so that the container can verify that the call comes from its own service. */
  token?: string | undefined;
}

interface ServedOptions {
  /** Compares what the container serves with the publication. Absent: the container is not asked. */
  check?:
    ((reference: PackageReference, description: Description) => Promise<string | undefined>) | undefined;
}

interface ServedBy {
  /** The package version that the container must serve, as far as it describes itself. */
  package?: PackageReference | undefined;
}

/** The setting of one call on a connection, and what the container must serve. */
export type ConnectionCall = CallSetting & ServedBy;

interface ConnectionStream extends ConnectionCall {
  /** Called once, when an opened stream has ended. */
  onEnd: (outcome: StreamOutcome) => void;
}

type ConnectionWarm = Omit<CallSetting, 'listener'> & ServedBy;

/** Larger inputs, and calls with a large context, use Invoke, because they would delay the other calls of a session. */
const maxSessionInputBytes = 65_536;

const channelOptions: ChannelOptions = {
  'grpc.max_send_message_length': maxCallBytes,
  // The largest response may share its message with others of the same event loop turn.
  'grpc.max_receive_message_length': maxCallBytes + 2 * turnMessageBytes,
  // A restarted container is called again soon, instead of after gRPC's default backoff of up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // Only allowed hosts are called: no proxy from the environment, no service config from DNS.
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  // With a local pool, `close` also closes the connections. Keepalive pings stay off: Go servers answer frequent ones with GOAWAY.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
  // gRPC would retry a refused call on the next connection, where the container has not been verified.
  'grpc.enable_retries': 0,
  // gRPC would still keep 1 MiB of each call for retries, and would accept messages until that is full:
  // 200,000 small ones on a call without a connection.
  'grpc.per_rpc_retry_buffer_size': 0,
};

/**
 * Maximum number of attempts of `Describe`, and of a call that the container has not received because the
 * connection was closing.
 */
const maxAttempts = 3;

const closing = callFailed('call', 'UNAVAILABLE: the container closes its connections');

/** @param target `host:port` */
export function createConnection(
  target: string,
  { check, ...options }: ConnectionOptions & ServedOptions = {},
): Connection {
  const client = createClient(target, options);
  const channel = client.getChannel();
  const connection = { client, resets: createPacedResets(), metadata: metadataWith(options.token) };
  let session: Session | undefined;
  let sessionsOffered = true;

  const usableSession = (): Session => {
    if (session?.usable) return session;
    const opened = openSession(client, () => {
      if (opened === session) sessionsOffered = false;
    });
    if (channel.getConnectivityState(false) === connectivityState.READY) opened.connected();
    session = opened;
    return opened;
  };
  const served =
    check &&
    createServedVersions({
      check,
      expired: (timeoutMs) =>
        channel.getConnectivityState(false) === connectivityState.READY
          ? callExpired(timeoutMs)
          : notConnected,
      describe: () => {
        const timeoutMs = limits.describeMs;
        const deadline = systemClock.now() + timeoutMs;
        return callDescribe(client, { deadline, timeoutMs, signal: undefined });
      },
    });
  /** Asks the container what it serves, unless the verdict is known. Returns why there is no verdict. */
  const described = async (
    reference: PackageReference,
    waiting: Omit<CallSetting, 'listener'>,
  ): Promise<NodeUnreachable | undefined> => {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      if (!served || served.verdict(reference)) return undefined;
      const failure = await served.ask(reference, waiting);
      if (failure) return failure;
    }
    // A container that closes each connection after describing itself must not be asked forever.
    return served?.verdict(reference) ? undefined : closing;
  };
  watchConnection(client, {
    onConnect: () => session?.connected(),
    // Another container may be reached after a reconnect, so sessions are tried again. A stopping container
    // finishes the open calls of its session and receives no new ones.
    onDisconnect: () => {
      served?.forget();
      sessionsOffered = true;
      session?.retire();
      session = undefined;
    },
  });

  return {
    call: async (invocation, setting) => {
      const request = encodeInvocation(invocation);
      if (request.length > maxCallBytes) {
        return { kind: 'unreachable', cause: 'send', message: callTooLarge(request.length) };
      }
      const small = invocation.input.length <= maxSessionInputBytes && request.length <= turnMessageBytes;
      const { package: reference } = setting;
      for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
        // Read right before the call is sent, because the connection may be lost while the container is
        // asked.
        if (served && reference && !served.verdict(reference)) {
          const failure = await described(reference, setting);
          if (failure) return failure;
        }
        const difference = reference && served?.verdict(reference)?.difference;
        if (difference !== undefined) return callFailed('call', difference);
        const outcome =
          small && sessionsOffered
            ? await usableSession().invoke(request, setting)
            : await callInvoke(connection, request, setting);
        if (outcome) return outcome;
      }
      return closing;
    },
    stream: async (context, { package: reference, ...setting }) => {
      const failure = reference && (await described(reference, setting));
      if (failure) return failure;
      const difference = reference && served?.verdict(reference)?.difference;
      if (difference !== undefined) return callFailed('call', difference);
      return endedBeforeStart(setting) ?? openNodeStream(connection, context, setting);
    },
    warm: async (call, { package: reference, ...setting }) => {
      const failure = reference && (await described(reference, setting));
      if (failure) return { kind: 'failed', message: failure.message };
      const difference = reference && served?.verdict(reference)?.difference;
      if (difference !== undefined) return { kind: 'failed', message: difference };
      return callWarm(client, call, setting);
    },
    close: () => {
      session?.retire();
      client.close();
    },
  };
}

/**
 * Creates a gRPC client for a container.
 *
 * @param target `host:port`
 */
export function createClient(target: string, { tls, token }: ConnectionOptions = {}): Client {
  // Without the scheme, gRPC would interpret a host such as `unix` or `dns` as one.
  return new Client(`dns:${target}`, tls ?? credentials.createInsecure(), {
    ...channelOptions,
    ...(token !== undefined && { interceptors: [withToken(token)] }),
  });
}

/** Adds the token to calls of every method. The metadata of a call may be shared with other connections, so it is copied. */
function withToken(token: string): Interceptor {
  return (options, next) =>
    new InterceptingCall(next(options), {
      start: (metadata, listener, start) => {
        start(metadataWith(token, metadata.clone()), listener);
      },
    });
}

function metadataWith(token: string | undefined, metadata = new Metadata()): Metadata {
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  return metadata;
}

/**
 * Calls `onConnect` when the connection opens, and `onDisconnect` when it is lost or the container closes it.
 */
function watchConnection(
  client: Client,
  { onConnect, onDisconnect }: { onConnect: () => void; onDisconnect: () => void },
): void {
  const channel = client.getChannel();
  const watch = (): void => {
    const before = channel.getConnectivityState(false);
    if (before === connectivityState.SHUTDOWN) return;
    channel.watchConnectivityState(before, Infinity, () => {
      if (before === connectivityState.READY) onDisconnect();
      if (channel.getConnectivityState(false) === connectivityState.READY) onConnect();
      watch();
    });
  };
  watch();
}
