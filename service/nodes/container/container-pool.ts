import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { type ChannelOptions, Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { limits } from '../../../specs/limits.ts';
import { type Clock, systemClock } from '../../clock.ts';
import { encodeContext, type NodeCallContext } from './call-context.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { callFailed, type InvokeOutcome } from './invoke-outcome.ts';
import { InvokeRequestSchema, type NodeMessage, NodeMessageSchema } from './protocol.ts';
import { type CallListener, createAnswerReader } from './read-answer.ts';
import { transportFailure } from './transport-failure.ts';

export interface ContainerPoolOptions {
  /** Hosts that may be called (`SVC_NODE_HOSTS`), held against every call: what was deployed may be older than the list. */
  allowedHosts: readonly string[];
  clock?: Clock;
}

/** One call of a unary node. */
export interface NodeInvocation {
  context: NodeCallContext;
  /** Serialized input message. */
  input: Uint8Array;
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
   * Calls a unary node once (`Invoke` of node_container.proto). Never rejects for anything that the container or the network
   * does: that is an outcome.
   *
   * @param endpoint `grpc://host:port`
   */
  invoke(endpoint: string, invocation: NodeInvocation, options: InvokeOptions): Promise<InvokeOutcome>;
  /** Ends all connections; calls after this one are `unreachable`. */
  close(): void;
}

/** The service's cap on inputs and room for the call's context: secrets, config, descriptors of a binding. */
const maxMessageBytes = limits.inputBytes + 4_194_304;

const channelOptions: ChannelOptions = {
  'grpc.max_send_message_length': maxMessageBytes,
  'grpc.max_receive_message_length': maxMessageBytes,
  // A container that comes back is called again at once, not after gRPC's two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // Only what the operator allowed: no proxy out of the environment, no service config out of DNS.
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  // `close` closes the connections too. No keepalive pings: Go servers answer frequent ones with GOAWAY.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_channelz': 0,
};

const invokePath = '/svc.node.v1.NodeContainer/Invoke';
const noMetadata = new Metadata();

export function createContainerPool({
  allowedHosts,
  clock = systemClock,
}: ContainerPoolOptions): ContainerPool {
  const clients = new Map<string, Client>();
  let closed = false;

  const clientOf = (target: string): Client => {
    const known = clients.get(target);
    if (known) return known;
    const client = new Client(target, credentials.createInsecure(), channelOptions);
    clients.set(target, client);
    return client;
  };

  return {
    invoke: (endpoint, { context, input }, { deadlineMs, signal, ...listener }) => {
      if (closed) return Promise.resolve(callFailed('call', 'the service is shutting down'));
      const checked = checkEndpoint(endpoint, allowedHosts);
      if ('error' in checked) return Promise.resolve(callFailed('connect', checked.error));
      const timeoutMs = Math.max(0, deadlineMs - clock.now());
      if (signal?.aborted) return Promise.resolve(callFailed('cancelled', 'the call was cancelled'));
      const request = toBinary(
        InvokeRequestSchema,
        create(InvokeRequestSchema, { context: encodeContext(context), input }),
      );
      if (request.length > maxMessageBytes) {
        const message = `sending to node: the call has ${request.length} bytes, at most ${maxMessageBytes} can be sent`;
        return Promise.resolve({ kind: 'unreachable', cause: 'send', message });
      }
      return callInvoke(clientOf(checked.target), request, { timeoutMs, signal, listener });
    },
    close: () => {
      closed = true;
      for (const client of clients.values()) client.close();
      clients.clear();
    },
  };
}

interface CallSetting {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  listener: CallListener;
}

function callInvoke(
  client: Client,
  request: Uint8Array,
  { timeoutMs, signal, listener }: CallSetting,
): Promise<InvokeOutcome> {
  return new Promise((resolve) => {
    const answer = createAnswerReader(listener);
    // gRPC counts by the machine's clock, whatever clock the service runs on.
    const deadline = systemClock.now() + timeoutMs;
    const call = client.makeServerStreamRequest(invokePath, sendBytes, readMessage, request, noMetadata, {
      deadline,
    });
    const cancel = (): void => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    let broken = false;
    call.on('data', (message: NodeMessage) => {
      if (broken || answer.take(message)) return;
      broken = true;
      call.cancel();
    });
    const settle = (outcome: InvokeOutcome): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(outcome);
    };
    // The last messages may still be on their way when the status is known; `end` comes behind them.
    call.on('end', () => settle(answer.finish()));
    // The status tells the same; without a listener the error would be thrown.
    call.on('error', () => undefined);
    call.on('status', (ended) => {
      if (broken) settle(answer.finish());
      if (broken || ended.code === status.OK) return;
      const cancelled = signal?.aborted === true;
      settle(transportFailure(ended, { cancelled, expired: systemClock.now() >= deadline, timeoutMs }));
    });
  });
}

function sendBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Out of a plain view, because the bytes of its fields are views of the same kind, and a Buffer's `slice` is another one. */
function readMessage({ buffer, byteOffset, byteLength }: Buffer): NodeMessage {
  return fromBinary(NodeMessageSchema, new Uint8Array(buffer, byteOffset, byteLength));
}
