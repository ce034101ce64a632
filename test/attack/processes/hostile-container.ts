import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import { InvokeRequestSchema, NodeMessageSchema } from '../../../service/nodes/container/protocol.ts';

/** A node container of an attacker: `Echo` answers with its input, `Hang` never answers, `Chatty` logs and never ends. Prints its endpoint. */
const server = new Server({
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
});
const logLine = toBinary(
  NodeMessageSchema,
  create(NodeMessageSchema, {
    kind: { case: 'log', value: { level: 'info', message: 'x'.repeat(1_000) } },
  }),
);

type Call = ServerWritableStream<Buffer, Uint8Array>;

function logWithoutEnd(call: Call): void {
  const timer = setInterval(() => {
    for (let n = 0; n < 200 && call.writable && !call.writableNeedDrain; n += 1) call.write(logLine);
  }, 5);
  call.on('cancelled', () => clearInterval(timer));
}

const invoke = (call: Call): void => {
  const { context, input } = fromBinary(InvokeRequestSchema, call.request);
  if (context?.node === 'Hang') return;
  if (context?.node === 'Chatty') {
    logWithoutEnd(call);
    return;
  }
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
