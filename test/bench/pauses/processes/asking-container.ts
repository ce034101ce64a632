import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Metadata, Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { InvokeRequestSchema, NodeMessageSchema } from '../../../../service/nodes/container/protocol.ts';
import {
  decodeCalls,
  encodeReplies,
  type SessionReply,
} from '../../../../service/nodes/container/session-codec.ts';
import { createTurnWriter } from '../../../../service/nodes/container/turn-writer.ts';
import { readTime, timeText } from '../sent-time.ts';

/**
 * A node container of sessions. The node placed as `ask` pauses for a decision. Called with the decision, it responds
 * with the milliseconds since the time in the decision. Other nodes respond with their input. Prints its endpoint.
 */
const server = new Server();

const question = toBinary(
  NodeMessageSchema,
  create(NodeMessageSchema, { kind: { case: 'pause', value: { interruptPayloadJson: '"go?"' } } }),
);

function answer(request: Uint8Array): Uint8Array {
  const { input, context } = fromBinary(InvokeRequestSchema, request);
  if (context?.placementId === 'ask' && context.resumedPauseId === '') return question;
  const sent = context?.placementId === 'ask' ? readTime(input) : undefined;
  const value = sent === undefined ? input : timeText(performance.timeOrigin + performance.now() - sent);
  return toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind: { case: 'output', value } }));
}

const session = (stream: ServerDuplexStream<Buffer, Uint8Array>): void => {
  const writer = createTurnWriter<SessionReply>(stream, { encode: encodeReplies });
  stream.sendMetadata(new Metadata());
  stream.on('data', (bytes: Buffer) => {
    for (const { id, request } of decodeCalls(bytes)) {
      if (!request) continue;
      const body = answer(request);
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
