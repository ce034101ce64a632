import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Metadata, Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { InvokeRequestSchema, NodeMessageSchema } from '../../../../service/nodes/container/protocol.ts';
import {
  decodeCalls,
  encodeReplies,
  type SessionReply,
} from '../../../../service/nodes/container/session-codec.ts';
import { createTurnWriter } from '../../../../service/nodes/container/turn-writer.ts';

/** A node container with sessions whose nodes return their input, the minimal work of a container. Prints its endpoint. */
const server = new Server();

const session = (stream: ServerDuplexStream<Buffer, Uint8Array>): void => {
  const writer = createTurnWriter<SessionReply>(stream, { encode: encodeReplies });
  stream.sendMetadata(new Metadata());
  stream.on('data', (bytes: Buffer) => {
    for (const { id, request } of decodeCalls(bytes)) {
      if (!request) continue;
      const { input } = fromBinary(InvokeRequestSchema, request);
      const output = { case: 'output' as const, value: input };
      const body = toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind: output }));
      writer.push({ id, body }, body.length);
    }
  });
  stream.on('end', () => writer.end());
};

const method = {
  path: '/svc.node.v1.NodeContainer/Session',
  requestStream: true,
  responseStream: true,
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Uint8Array) => Buffer.from(bytes),
  responseDeserialize: (bytes: Buffer) => bytes,
};
server.addService({ session: method }, { session });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`grpc://127.0.0.1:${port}\n`);
});
