import type { LoadedGraph } from '../engine/graph/loaded-graph.ts';
import type { Payload } from '../engine/journal/entry.ts';
import { isBlob } from '../engine/journal/payload.ts';
import type { MessageWorkers } from '../messages/convert/message-workers.ts';
import type { MessageRegistry } from '../messages/registry.ts';
import type { PublishedNode } from '../nodes/published-nodes.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import { RawJson } from './answer/raw-json.ts';
import type { ShownPayload } from './present/payload.ts';

/** A message's place in a flow or a call, which determines its type. */
interface Port {
  /** Node id. */
  node: string;
  side: 'input' | 'output';
}

/** Returns the type of the messages at a port; `undefined` if it is unknown. */
export type TypeOfPort = (port: Port) => { registry: MessageRegistry; typeName: string } | undefined;

interface RunPayloadOptions {
  blobs: BlobStore;
  messages: MessageWorkers;
  tenantId: string;
  /** The run's own id. */
  executionId: string;
  /** The types that decode messages to JSON; absent: messages are shown as bytes. */
  decodeBy: TypeOfPort | undefined;
}

/** Shows messages of one run. Messages that cannot be decoded are shown as bytes. */
export function createPayloadView({ blobs, messages, tenantId, executionId, decodeBy }: RunPayloadOptions) {
  return async (payload: Payload, port: Port): Promise<ShownPayload> => {
    const bytes = isBlob(payload) ? await blobs.read(tenantId, executionId, payload.blob) : payload;
    const type = decodeBy?.(port);
    if (!type) return { bytes };
    const decoded = await messages.convert('bytes-to-json', { ...type, input: bytes, tenantId });
    return decoded.ok ? { json: new RawJson(decoded.value) } : { bytes };
  };
}

/** Returns the types of the messages of a flow. */
export function typesOfGraph(graph: Pick<LoadedGraph, 'node'>): TypeOfPort {
  return ({ node, side }) => {
    const loaded = graph.node(node);
    return { registry: loaded.registry, typeName: loaded[side].typeName };
  };
}

/** Returns the types of the messages of a direct call. */
export function typesOfNode({ node, registry }: Pick<PublishedNode, 'node' | 'registry'>): TypeOfPort {
  return ({ side }) => {
    const typeName = side === 'input' ? node.inputMessage : node.outputMessage;
    return typeName === null ? undefined : { registry, typeName };
  };
}
