import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServerWritableStream, type StatusObject } from '@grpc/grpc-js';
import {
  type InvokeRequest,
  InvokeRequestSchema,
  NodeMessageSchema,
} from '../../service/nodes/container/protocol.ts';

type Kind = NonNullable<MessageInitShape<typeof NodeMessageSchema>['kind']>;
type RawCall = ServerWritableStream<InvokeRequest, Uint8Array>;

/** A gRPC server that answers `Invoke` as a test says, right or wrong. */
export interface ScriptedContainer {
  endpoint: string;
  port: number;
  /** Requests so far. */
  requests: InvokeRequest[];
  /** Kills connections and port at once, like a crash. */
  kill(): void;
}

export interface Answer {
  say(kind: Kind): void;
  sayBytes(bytes: Uint8Array): void;
  end(): void;
  fail(status: Partial<StatusObject>): void;
  /** The raw call, to see it cancelled. */
  call: RawCall;
}

/** @param port one to take again after a kill; any free one when left out */
export async function startScriptedContainer(
  script: (answer: Answer, request: InvokeRequest) => void,
  port = 0,
): Promise<ScriptedContainer> {
  const server = new Server({
    'grpc.max_receive_message_length': -1,
    'grpc.max_send_message_length': -1,
  });
  const requests: InvokeRequest[] = [];
  const invoke = (call: RawCall): void => {
    requests.push(call.request);
    script(
      {
        say: (kind) => call.write(toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind }))),
        sayBytes: (bytes) => call.write(bytes),
        end: () => call.end(),
        fail: (status) => call.emit('error', status),
        call,
      },
      call.request,
    );
  };
  const method = {
    path: '/svc.node.v1.NodeContainer/Invoke',
    requestStream: false,
    responseStream: true,
    requestSerialize: (): Buffer => Buffer.of(),
    requestDeserialize: (bytes: Buffer) => fromBinary(InvokeRequestSchema, new Uint8Array(bytes)),
    responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  server.addService({ invoke: method }, { invoke });
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, taken) =>
      error ? reject(error) : resolve(taken),
    );
  });
  return {
    endpoint: `grpc://127.0.0.1:${bound}`,
    port: bound,
    requests,
    kill: () => server.forceShutdown(),
  };
}
