import type { AddressInfo } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { Client, credentials } from '@grpc/grpc-js';
import Koa from 'koa';
import { InvokeRequestSchema } from '../../../service/nodes/container/protocol.ts';

/**
 * Makes the same gRPC call without the service: a Koa handler that reads the body, calls the container and returns the
 * response. It has no keys, limits, messages or records. `bare-peer.ts <host:port>`; prints its URL.
 */
const client = new Client(process.argv[2] ?? '', credentials.createInsecure());
const bytesAsTheyAre = (bytes: Uint8Array): Buffer => Buffer.from(bytes);

function call(input: Uint8Array): Promise<Buffer> {
  const request = toBinary(
    InvokeRequestSchema,
    create(InvokeRequestSchema, { context: { node: 'Echo', attempt: 1 }, input }),
  );
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    client
      .makeServerStreamRequest(
        '/svc.node.v1.NodeContainer/Invoke',
        bytesAsTheyAre,
        (bytes: Buffer) => bytes,
        request,
      )
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('end', () => resolve(Buffer.concat(chunks)));
  });
}

const app = new Koa();
app.use(async (ctx) => {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req as AsyncIterable<Buffer>) chunks.push(chunk);
  ctx.body = await call(Buffer.concat(chunks));
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
