import type { Command } from 'commander';
import { systemClock } from '../../clock.ts';
import { createIds } from '../../ids.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { unknownExecution } from '../event-pages.ts';
import { printResult, type Terminal } from '../output.ts';
import { readJsonFlag } from '../read-json-flag.ts';

interface ForkFlags {
  checkpoint?: string;
  input?: string;
  config?: string;
  idempotencyKey?: string;
  url?: string;
  key?: string;
  json?: boolean;
}

/** `svc execution fork <execution_id>`: continues a run from a checkpoint as a new run, and prints its id. */
export function forkCommand(terminal: Terminal): Command {
  return apiCommand('fork', 'invoke')
    .description('Continue a run from a checkpoint as a new run, and print its id')
    .argument('<execution_id>', 'id of the execution')
    .option(
      '--checkpoint <id>',
      'checkpoint to continue from, as svc execution checkpoints prints it (default: the latest)',
    )
    .option(
      '--input <json>',
      'new input for the pending node as JSON, @<file> to read a file, or - to read stdin (default: the input that it had)',
    )
    .option('--config <id>', 'config profile to use (default: that of the execution)')
    .option('--idempotency-key <key>', 'start at most one run per key (default: a new key for every call)')
    .action((executionId: string, flags: ForkFlags) => fork(terminal, executionId, flags));
}

async function fork(terminal: Terminal, executionId: string, flags: ForkFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const settings = {
    ...(flags.checkpoint !== undefined && { checkpoint_id: flags.checkpoint }),
    ...(flags.config !== undefined && { config_id: flags.config }),
    // Without a key, identical requests within five minutes would start one run.
    idempotency_key: flags.idempotencyKey ?? createIds(systemClock).ulid(),
  };
  const input = flags.input === undefined ? 'null' : await readJsonFlag(terminal, '--input', flags.input);
  // The input is sent as written, so that numbers beyond 2^53 stay exact.
  const request = `{"input":${input},${JSON.stringify(settings).slice(1)}`;
  const answer = await askApi<{ execution_id: string }>(target, {
    method: 'POST',
    path: apiPath('/invocations/v1/executions/{}/fork', executionId),
    body: request,
    ...unknownExecution(executionId),
    advice: {
      CHECKPOINT_NOT_FOUND: `run svc execution checkpoints ${executionId} to list those that exist`,
    },
  });
  printResult(terminal, flags, answer, answer.execution_id);
}
