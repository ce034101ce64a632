import { create, toBinary } from '@bufbuild/protobuf';
import { Client, type ClientDuplexStream, credentials } from '@grpc/grpc-js';
import { StreamRequestSchema } from '../../../service/nodes/container/protocol.ts';
import { askForFrames } from './made-frames.ts';
import type { ReadFrames } from './stream-load.ts';

const path = '/svc.node.v1.NodeContainer/Stream';
const asIs = (bytes: Buffer): Buffer => bytes;

const start = Buffer.from(
  toBinary(
    StreamRequestSchema,
    create(StreamRequestSchema, { kind: { case: 'start', value: { node: 'Make' } } }),
  ),
);

/** Connects to a container. Each call of the result opens a stream with this number of frames. */
export function connectTo(endpoint: string): (frames: number) => ClientDuplexStream<Buffer, Buffer> {
  const client = new Client(endpoint.replace('grpc://', ''), credentials.createInsecure());
  return (frames) => {
    const call = client.makeBidiStreamRequest(path, asIs, asIs);
    const value = askForFrames(frames);
    call.write(start);
    call.end(
      Buffer.from(
        toBinary(StreamRequestSchema, create(StreamRequestSchema, { kind: { case: 'frame', value } })),
      ),
    );
    return call;
  };
}

/** Reads streams of a container with a gRPC client, in sequence over one connection, without parsing messages. */
export function bareStream(endpoint: string): ReadFrames {
  const open = connectTo(endpoint);
  return (frames) =>
    new Promise((resolve, reject) => {
      const begin = performance.now();
      let messages = 0;
      let firstMs = Number.NaN;
      const call = open(frames);
      call.on('data', () => {
        if (messages === 0) firstMs = performance.now() - begin;
        messages += 1;
      });
      call.on('error', reject);
      call.on('end', () => {
        // The last message is not a frame, but reports the end of the node.
        if (messages === frames + 1) resolve({ firstMs });
        else reject(new Error(`${messages} messages instead of ${frames} frames and an end`));
      });
    });
}
