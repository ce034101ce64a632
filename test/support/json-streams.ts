import { bytesFromJson } from '../../service/messages/json/message-from-json.ts';
import { jsonFromBytes } from '../../service/messages/json/message-to-json.ts';
import type { ContainerPool } from '../../service/nodes/container/container-pool.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { nodeInvocation, within } from './node-invocation.ts';
import { compiledRegistry } from './compiled-protos.ts';

/** Streams ProtoJSON frames through a pipeline node. Resolves with its output frames, or rejects with its error. */
export type JsonStream = (node: string, frames: object[]) => Promise<unknown[]>;

/** Opens streams of the pipeline nodes of a package's container. */
export async function jsonStreams(
  pool: ContainerPool,
  folder: string,
  endpoint: string,
): Promise<JsonStream> {
  const body = await readPackageFolder(folder);
  const registry = await compiledRegistry(body.protos);
  return async (node, frames) => {
    const { input = '', output = '' } = body.nodes.find(({ name }) => name === node) ?? {};
    const { context } = nodeInvocation(node, new Uint8Array(), {
      packageName: body.name,
      packageVersion: body.version,
    });
    const stream = await pool.stream(endpoint, context, within(30_000));
    if ('kind' in stream) throw new Error(stream.message);
    const sending = (async () => {
      for (const frame of frames) {
        const bytes = bytesFromJson(registry, input, JSON.stringify(frame));
        if (!bytes.ok) throw new Error(bytes.error.message);
        await stream.send(bytes.value);
      }
      stream.endInput();
    })();
    const answered: unknown[] = [];
    for (;;) {
      const event = await stream.next();
      if (event.kind !== 'frame') {
        await sending;
        if (event.kind === 'done') return answered;
        throw new Error(event.message);
      }
      const json = jsonFromBytes(registry, output, event.bytes);
      if (!json.ok) throw new Error(json.error.message);
      answered.push(JSON.parse(json.value));
    }
  };
}
