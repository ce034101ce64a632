import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { BlobStore } from '../../store/blob-store.ts';
import type { RunWriter } from '../../store/hot/run-writer.ts';
import type { LiveEvents } from '../events/live-events.ts';
import type { GraphGrowth } from '../graph/graph-growth.ts';
import type { EngineProbe } from './engine-probe.ts';
import type { StepCaller } from './step-caller.ts';

/** What all runs of a process share. */
export interface RunParts {
  writer: RunWriter;
  /** The body of a journal's row, to tell one's own from another's. */
  bodyOf: (tenantId: string, executionId: string, seq: number) => Promise<string | undefined>;
  blobs: BlobStore;
  callStep: StepCaller;
  growth: GraphGrowth;
  live: LiveEvents;
  clock: Clock;
  ids: Pick<Ids, 'ulid' | 'executionId'>;
  logger: Logger;
  /** How far off a retry must be for the run to leave memory until then, milliseconds. */
  parkAfterMs: number;
  probe?: EngineProbe | undefined;
}
