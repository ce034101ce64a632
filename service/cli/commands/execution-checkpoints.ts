import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import { limits } from '../../../specs/limits.ts';
import type { checkpoint, executionRecord } from '../../../specs/operations/executions.ts';
import { checkpointId, checkpointSeq } from '../../engine/events/checkpoint-id.ts';
import { ApiFailure, type ApiTarget, apiTarget, callApi } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { unknownExecution } from '../event-pages.ts';
import { note, printResult, table, type Terminal } from '../output.ts';

interface CheckpointFlags extends ApiFlags {
  limit: number;
}

type Checkpoint = z.infer<typeof checkpoint>;
type Execution = z.infer<typeof executionRecord>;

/** `svc execution checkpoints <execution_id>`: lists the checkpoints from which a run can be forked. */
export function checkpointsCommand(terminal: Terminal): Command {
  return apiCommand('checkpoints', 'read')
    .description('List the checkpoints of a run, newest first, with the nodes that a fork calls again')
    .argument('<execution_id>', 'id of the execution')
    .option('--limit <n>', 'maximum number of checkpoints; each takes one request', count, 5)
    .action((id: string, flags: CheckpointFlags) => checkpoints(terminal, id, flags));
}

async function checkpoints(terminal: Terminal, id: string, flags: CheckpointFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const { latest_checkpoint_id: latest } = await askApi<Execution>(target, {
    method: 'GET',
    path: apiPath('/invocations/v1/executions/{}', id),
    ...unknownExecution(id),
  });
  const newest = latest === undefined ? -1 : (checkpointSeq(id, latest) ?? -1);
  const found: Checkpoint[] = [];
  for (let seq = newest; seq >= 0 && found.length < flags.limit; seq -= 1) {
    const one = await readCheckpoint(target, id, seq);
    // Older checkpoints have been evicted as well.
    if (!one) break;
    found.push(one);
  }
  const rows = found.map((one) => [
    one.checkpoint_id,
    one.created_at,
    one.reason,
    one.node_id ?? null,
    one.pending.join(', ') || null,
  ]);
  const headings = ['CHECKPOINT', 'CREATED', 'REASON', 'NODE', 'PENDING'];
  printResult(terminal, flags, { checkpoints: found }, table(headings, rows));
  if (found.length === 0) {
    note(terminal, `no checkpoints: runs of flows have them, for ${limits.checkpointRetentionDays} days`);
  }
  const older = newest + 1 - found.length;
  if (found.length === flags.limit && older > 0) {
    note(terminal, `${older} older: --limit ${newest + 1} lists all, with one request each`);
  }
}

async function readCheckpoint(target: ApiTarget, id: string, seq: number): Promise<Checkpoint | undefined> {
  const path = apiPath('/invocations/v1/executions/{}/checkpoints/{}', id, checkpointId(id, seq));
  try {
    return (await callApi(target, 'GET', path)).body as Checkpoint;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  }
}

function count(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
