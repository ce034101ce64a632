import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { InvokeRequestSchema, NodeMessageSchema } from '../../../service/nodes/container/protocol.ts';

/** A node container whose nodes return their input, the minimal work of a container. Prints its endpoint. */
const server = new Server();
const invoke = (call: ServerWritableStream<Buffer, Uint8Array>): void => {
  const { input } = fromBinary(InvokeRequestSchema, call.request);
  const kind = { case: 'output' as const, value: input };
  call.write(toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind })));
  call.end();
};
const method = {
  path: '/svc.node.v1.NodeContainer/Invoke',
  requestStream: false,
  responseStream: true,
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  responseDeserialize: (bytes: Buffer) => bytes,
};
server.addService({ invoke: method }, { invoke });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`grpc://127.0.0.1:${port}\n`);
});
