import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { fromBinary } from '@bufbuild/protobuf';
import Koa from 'koa';
import { NodeMessageSchema } from '../../../../service/nodes/container/protocol.ts';
import { connectTo } from '../bare-stream.ts';

/**
 * Forwards the frames of a container as Server-Sent Events, with Koa and a gRPC client. It does nothing else: it has no
 * keys, messages or records. `gateway.ts <endpoint>`; prints its URL.
 */
const [endpoint = ''] = process.argv.slice(2);
const open = connectTo(endpoint);

const toEvent = (bytes: Buffer): string => {
  const { kind } = fromBinary(NodeMessageSchema, bytes);
  const frame =
    kind.case === 'frame'
      ? { payload: Buffer.from(kind.value).toString('base64') }
      : { is_final: true, success: true };
  return `data: ${JSON.stringify(frame)}\n\n`;
};

const app = new Koa();
app.use(async (context) => {
  const chunks: Buffer[] = [];
  for await (const chunk of context.req) chunks.push(chunk as Buffer);
  const { text } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string };
  const events = new Transform({
    writableObjectMode: true,
    transform: (bytes: Buffer, _, done) => done(null, toEvent(bytes)),
  });
  pipeline(open(Number(text)), events, () => undefined);
  context.type = 'text/event-stream';
  context.body = events;
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
