import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { Metrics } from '../../metrics.ts';
import type { TenantLogTokens } from '../../nodes/call/log-tokens.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import type { RunWriter } from '../../store/commit/run-writer.ts';
import type { EventHub } from '../events/event-hub.ts';
import type { GraphMutations } from '../graph/mutation/graph-mutations.ts';
import type { StepCall } from './call-step.ts';
import type { EngineProbe } from './engine-probe.ts';
import type { StepOutcome } from './step-failure.ts';

/** Dependencies shared by all runs of a process. */
export interface RunParts {
  writer: RunWriter;
  /** Reads the body of a journal row. */
  bodyOf: (tenantId: string, executionId: string, seq: number) => Promise<string | undefined>;
  blobs: BlobStore;
  callStep: (call: StepCall) => Promise<StepOutcome>;
  messages: Pick<MessageWorkers, 'convert'>;
  mutations: GraphMutations;
  logTokens: TenantLogTokens;
  events: EventHub;
  clock: Clock;
  ids: Pick<Ids, 'ulid' | 'executionId'>;
  logger: Logger;
  /** Counts ended runs. */
  metrics: Pick<Metrics, 'countRun'>;
  /** Runs that only wait leave memory if the wait is longer than this, in milliseconds. */
  parkAfterMs: number;
  /** Reports whether nothing more can be written, because the process is about to exit. */
  isClosed: () => boolean;
  probe?: EngineProbe | undefined;
}
