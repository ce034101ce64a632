import { once } from 'node:events';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import { NodeMessageSchema, StreamRequestSchema } from '../../../../service/nodes/container/protocol.ts';
import { askedFrames, madeFrame } from '../made-frames.ts';

/**
 * A node container of streams. `Make` responds to each frame with the number of frames that it requests, with
 * backpressure; other nodes respond with their input. Prints its endpoint.
 */
const server = new Server();
const frame = madeFrame();
const done = Buffer.from(
  toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind: { case: 'done', value: {} } })),
);

async function answer(call: ServerDuplexStream<Buffer, Buffer>): Promise<void> {
  let node = '';
  const write = async (message: Buffer): Promise<void> => {
    if (!call.write(message)) await once(call, 'drain');
  };
  // By default, a loop that ends destroys the call, which still needs a response.
  for await (const bytes of call.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const { kind } = fromBinary(StreamRequestSchema, bytes);
    if (kind.case === 'start') {
      ({ node } = kind.value);
    } else if (kind.case === 'frame' && node === 'Make') {
      for (let count = askedFrames(kind.value); count > 0; count -= 1) await write(frame);
    } else if (kind.case === 'frame') {
      await write(Buffer.from(toBinary(NodeMessageSchema, create(NodeMessageSchema, { kind }))));
    }
  }
  await write(done);
  call.end();
}

const method = {
  path: '/svc.node.v1.NodeContainer/Stream',
  requestStream: true,
  responseStream: true,
  requestSerialize: (bytes: Buffer) => bytes,
  requestDeserialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
};
server.addService(
  { stream: method },
  {
    stream: (call: ServerDuplexStream<Buffer, Buffer>) => void answer(call),
  },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`grpc://127.0.0.1:${port}\n`);
});
