import type { z } from 'zod';
import { type executionEvent, getCheckpoint, listEvents } from '../../../specs/operations/executions.ts';
import { limits } from '../../../specs/limits.ts';
import type { Clock } from '../../clock.ts';
import { checkpointSeq } from '../../engine/events/checkpoint-id.ts';
import { readCheckpoint } from '../../engine/events/read-checkpoint.ts';
import { graphOfRun } from '../../engine/events/graph-of-run.ts';
import { mayFollow } from '../../engine/events/may-follow.ts';
import { type EventPosition, readEvents } from '../../engine/events/read-events.ts';
import type { EventType, RunEvent } from '../../engine/events/run-event.ts';
import type { GraphMutations } from '../../engine/graph/mutation/graph-mutations.ts';
import type { GraphLoader } from '../../engine/graph/load/load-graph.ts';
import { isBlob } from '../../engine/journal/payload.ts';
import { ApiError } from '../../errors/api-error.ts';
import { checkpointNotFound, executionNotFound, malformedCursor } from '../../errors/execution-errors.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { PublishedNodes } from '../../nodes/published-nodes.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { Database } from '../../store/database.ts';
import { findExecution } from '../../store/executions.ts';
import { loopTurns } from '../../work/turn-budget.ts';
import type { AnswerBody } from '../answer/answer.ts';
import { PartlyRaw } from '../answer/partly-raw.ts';
import { bind, type Route } from '../bind.ts';
import { pageCursors } from '../page-cursor.ts';
import { presentCheckpoint } from '../present/checkpoint.ts';
import { presentEvent } from '../present/event.ts';
import { shownBytes, type ShownPayload } from '../present/payload.ts';
import { createPayloadView, type TypeOfPort, typesOfGraph, typesOfNode } from '../run-payloads.ts';

interface HistoryRouteOptions {
  db: Database;
  clock: Clock;
  blobs: BlobStore;
  graphs: GraphLoader;
  mutations: Pick<GraphMutations, 'apply'>;
  messages: MessageWorkers;
  published: PublishedNodes;
}

const checkpointRetentionMs = limits.checkpointRetentionDays * 86_400_000;

/** Maximum total size of the outputs of a checkpoint, in bytes or as JSON. Further outputs are omitted. */
const checkpointBytes = 8_388_608;

/** Events and checkpoints of runs. */
export function historyRoutes(options: HistoryRouteOptions): Route[] {
  const { db, clock, blobs, messages } = options;
  return [
    bind(listEvents).to(async ({ principal, params, query }) => {
      const tenantId = principal.tenant.id;
      const executionId = params.execution_id;
      if (!(await mayFollow(db, principal, executionId))) throw executionNotFound();
      // An unknown type matches no event. It may be a type of a later release.
      const filter = {
        nodeName: query.node_name,
        eventTypes: [...new Set(query.event_type)].sort() as EventType[],
      };
      const cursors = pageCursors(['events', tenantId, executionId, filter]);
      const after = query.cursor === undefined ? undefined : readPosition(cursors.read(query.cursor));
      const page = await readEvents(
        { db, blobs, clock },
        { tenantId, executionId },
        { ...filter, after, limit: query.limit },
      );
      if (!page) throw executionNotFound();
      const { root, next } = page;
      const graph =
        query.decode && root.graphId !== null
          ? await graphOfRun(options, { tenantId, ...root, graphId: root.graphId })
          : undefined;
      const decodeBy = graph
        ? typesOfGraph(graph)
        : query.decode
          ? await typesOfCall(options, tenantId, root)
          : undefined;
      const show = createPayloadView({ ...root, blobs, messages, tenantId, decodeBy });
      const events: PartlyRaw<z.input<typeof executionEvent>>[] = [];
      for (const event of page.events) {
        // Many small messages are converted here.
        await loopTurns.yieldIfSpent();
        // Events of the flow itself carry the output of its terminal node.
        const node = event.nodeId ?? graph?.graph.terminal ?? '';
        events.push(
          presentEvent(event, {
            input: event.input && (await show(event.input, { node, side: 'input' })),
            output: event.output && (await show(event.output, { node, side: 'output' })),
            frame: event.frame && (await show(event.frame, { node, side: frameSide(event) })),
          }),
        );
      }
      const cursor = next && cursors.write(`${next.seq}-${next.index}`);
      const body = new PartlyRaw<AnswerBody<typeof listEvents, 200>>({
        events,
        ...(cursor !== undefined && { next_cursor: cursor }),
      });
      return { status: 200, body };
    }),
    bind(getCheckpoint).to(async ({ principal, params, query }) => {
      const tenantId = principal.tenant.id;
      const executionId = params.execution_id;
      const missing = checkpointNotFound(limits.checkpointRetentionDays);
      if (!(await mayFollow(db, principal, executionId))) throw missing;
      const seq = checkpointSeq(executionId, params.checkpoint_id);
      const execution = await findExecution(db, tenantId, executionId);
      const graphId = execution?.graphId ?? null;
      if (seq === undefined || graphId === null) throw missing;
      const mutationEnabled = execution?.mutationEnabled ?? false;
      const graph = await graphOfRun(options, { tenantId, executionId, graphId, mutationEnabled });
      const checkpoint = graph && (await readCheckpoint(db, graph, { tenantId, executionId, seq }));
      if (!checkpoint || checkpoint.at + checkpointRetentionMs <= clock.now()) throw missing;
      const decodeBy = query.decode ? typesOfGraph(graph) : undefined;
      const show = createPayloadView({ blobs, messages, tenantId, executionId, decodeBy });
      const outputs: (ShownPayload | undefined)[] = [];
      let left = checkpointBytes;
      for (const { node, output } of checkpoint.completed) {
        await loopTurns.yieldIfSpent();
        const size = isBlob(output) ? output.size : output.length;
        const shown = size <= left ? await show(output, { node, side: 'output' }) : undefined;
        // A message of many small values is several times larger as JSON.
        left = shown ? left - Math.max(size, shownBytes(shown)) : -1;
        outputs.push(shown);
      }
      return {
        status: 200,
        body: presentCheckpoint(checkpoint, { graphId, retentionMs: checkpointRetentionMs, outputs }),
      };
    }),
  ];
}

/** Returns the types of a direct call. They are unknown after the version of the node is deleted. */
async function typesOfCall(
  { published }: HistoryRouteOptions,
  tenantId: string,
  { nodeId }: { nodeId: string | null },
): Promise<TypeOfPort | undefined> {
  if (nodeId === null) return undefined;
  const node = await published.find(tenantId, { ulid: nodeId }).catch((error: unknown) => {
    if (error instanceof ApiError) return undefined;
    throw error;
  });
  return node && typesOfNode(node);
}

function frameSide({ type }: RunEvent): 'input' | 'output' {
  return type === 'NODE_INPUT_FRAME' ? 'input' : 'output';
}

function readPosition(text: string): EventPosition {
  const [, seq, index] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  if (seq === undefined || index === undefined) throw malformedCursor();
  return { seq: Number(seq), index: Number(index) };
}
