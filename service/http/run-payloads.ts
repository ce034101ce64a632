import type { LoadedGraph } from '../engine/graph/loaded-graph.ts';
import type { Payload } from '../engine/journal/entry.ts';
import { isBlob } from '../engine/journal/payload.ts';
import type { Json } from '../errors/api-error.ts';
import type { MessageWorkers } from '../messages/convert/message-workers.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import type { ShownPayload } from './present/payload.ts';

/** Where a message stands in a flow, which says of what type it is. */
interface Port {
  /** Node id. */
  node: string;
  side: 'input' | 'output';
}

interface RunPayloadOptions {
  blobs: BlobStore;
  messages: MessageWorkers;
  tenantId: string;
  /** The run's own id. */
  executionId: string;
  /** Shows messages as JSON by the types of this flow; absent: as bytes. */
  decodeBy: LoadedGraph | undefined;
}

/** Shows messages of one run. What cannot be decoded is shown as bytes. */
export function createPayloadView({ blobs, messages, tenantId, executionId, decodeBy }: RunPayloadOptions) {
  return async (payload: Payload, { node, side }: Port): Promise<ShownPayload> => {
    const bytes = isBlob(payload) ? await blobs.read(tenantId, executionId, payload.blob) : payload;
    if (!decodeBy) return { bytes };
    const loaded = decodeBy.node(node);
    const { typeName } = loaded[side];
    const decoded = await messages.convert('bytes-to-json', {
      registry: loaded.registry,
      typeName,
      input: bytes,
      tenantId,
    });
    return decoded.ok ? { json: JSON.parse(decoded.value) as Json } : { bytes };
  };
}
