import { type Ids, ulidAfter } from '../../ids.ts';
import type { RunState } from './state.ts';

/**
 * Returns the id of the next event of a run. Ids ascend in the order of events, even if the clock of the replica that
 * created the last one was ahead.
 */
export function nextRunId(state: RunState, ids: Pick<Ids, 'ulid'>): string {
  state.lastId = ulidAfter(state.lastId, ids.ulid());
  return state.lastId;
}
