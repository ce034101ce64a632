import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import {
  type handleBidiStreamingCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
} from '@grpc/grpc-js';
import {
  NodeMessageSchema,
  type StreamRequest,
  StreamRequestSchema,
} from '../../service/nodes/container/protocol.ts';

type Kind = NonNullable<MessageInitShape<typeof NodeMessageSchema>['kind']>;

/** One stream of a pipeline node that a test responds to. */
export interface ScriptedStream {
  call: ServerDuplexStream<StreamRequest, Uint8Array>;
  say: (kind: Kind) => void;
  sayBytes: (bytes: Uint8Array) => void;
}

/** A gRPC server whose only method is `Stream`, implemented by a test, correctly or not. */
export interface StreamContainer {
  endpoint: string;
  /** Closes connections and port immediately, like a crash. */
  kill: () => void;
}

/**
 * Starts a server.
 * @param answer receives each stream right after it has opened
 */
export function startStreamContainer(answer: (stream: ScriptedStream) => void): Promise<StreamContainer> {
  const server = new Server();
  const stream: handleBidiStreamingCall<StreamRequest, Uint8Array> = (call) => {
    // A killed server reports cancelled calls here.
    call.on('error', () => undefined);
    const sayBytes = (bytes: Uint8Array): void => void call.write(bytes);
    answer({
      call,
      sayBytes,
      say: (kind) => sayBytes(toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind }))),
    });
  };
  const definition = {
    stream: {
      path: '/svc.node.v1.NodeContainer/Stream',
      requestStream: true,
      responseStream: true,
      requestSerialize: () => Buffer.alloc(0),
      requestDeserialize: (bytes: Buffer) => fromBinary(StreamRequestSchema, bytes),
      responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
      responseDeserialize: (bytes: Buffer) => bytes,
    },
  };
  server.addService(definition, { stream });
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error);
      else resolve({ endpoint: `grpc://127.0.0.1:${port}`, kill: () => server.forceShutdown() });
    });
  });
}
