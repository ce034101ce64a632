import { BoundedCache } from '../bounded-cache.ts';
import { graphOfRun } from '../engine/events/graph-of-run.ts';
import type { RunEvent } from '../engine/events/run-event.ts';
import type { Sized } from '../engine/follow/event-ring.ts';
import type { FollowForm } from '../engine/follow/feeds.ts';
import type { GraphLoader } from '../engine/graph/load/load-graph.ts';
import type { LoadedGraph } from '../engine/graph/loaded-graph.ts';
import type { GraphMutations } from '../engine/graph/mutation/graph-mutations.ts';
import type { Payload } from '../engine/journal/entry.ts';
import type { MessageWorkers } from '../messages/convert/message-workers.ts';
import type { BlobStore } from '../objects/blob-store.ts';
import type { Database } from '../store/database.ts';
import { findExecution } from '../store/executions.ts';
import { RawJson } from './answer/raw-json.ts';
import { presentEvent } from './present/event.ts';
import type { ShownPayload } from './present/payload.ts';
import { createPayloadView, typesOfGraph } from './run-payloads.ts';

interface FollowedEventsOptions {
  db: Database;
  blobs: BlobStore;
  graphs: GraphLoader;
  mutations: Pick<GraphMutations, 'apply'>;
  messages: MessageWorkers;
}

/**
 * Maximum number of cached graphs of followed runs. A miss reads a row, or the journal of a run that mutates
 * its graph.
 */
const keptGraphs = 100;

/**
 * Returns a function that converts an event to a message. All followers with the same form receive the same
 * message.
 */
export function createFollowedEvents(
  options: FollowedEventsOptions,
): (event: RunEvent, form: FollowForm) => Promise<Sized<RawJson>> {
  const { db, blobs, messages } = options;
  const graphs = new BoundedCache<string, Promise<LoadedGraph | undefined>>(keptGraphs);

  const findGraph = async (tenantId: string, executionId: string): Promise<LoadedGraph | undefined> => {
    const { graphId = null, mutationEnabled = false } =
      (await findExecution(db, tenantId, executionId)) ?? {};
    return graphId === null
      ? undefined
      : graphOfRun(options, { tenantId, executionId, graphId, mutationEnabled });
  };

  const graphOf = (tenantId: string, executionId: string): Promise<LoadedGraph | undefined> =>
    graphs.getOrMake(executionId, () => {
      const found = findGraph(tenantId, executionId);
      found.catch(() => graphs.delete(executionId));
      return found;
    });

  return async (event, { tenantId, decode }) => {
    const { type, executionId, nodeId, input, output, frame } = event;
    // The cached graph does not contain the added nodes.
    if (type === 'GRAPH_MUTATED') graphs.delete(executionId);
    const hasMessages = (input ?? output ?? frame) !== undefined;
    const graph = decode && hasMessages ? await graphOf(tenantId, executionId) : undefined;
    const show = createPayloadView({
      blobs,
      messages,
      tenantId,
      executionId,
      decodeBy: graph && typesOfGraph(graph),
    });
    // Events of the flow itself carry the output of its terminal node.
    const node = nodeId ?? graph?.graph.terminal ?? '';
    const shown = async (
      payload: Payload | undefined,
      side: 'input' | 'output',
    ): Promise<ShownPayload | undefined> => payload && show(payload, { node, side });
    const presented = presentEvent(event, {
      input: await shown(input, 'input'),
      output: await shown(output, 'output'),
      frame: await shown(frame, type === 'NODE_INPUT_FRAME' ? 'input' : 'output'),
    });
    const content = Buffer.from(presented.text);
    return { message: new RawJson(content), bytes: content.length };
  };
}
