import type { Command } from 'commander';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { unknownExecution } from '../event-pages.ts';
import { printResult, type Terminal } from '../output.ts';
import { readJsonFlag } from '../read-json-flag.ts';
import { runRequest } from '../run-request.ts';

interface ForkFlags extends ApiFlags {
  checkpoint?: string;
  input?: string;
  config?: string;
  idempotencyKey?: string;
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
  const input = flags.input === undefined ? 'null' : await readJsonFlag(terminal, '--input', flags.input);
  const settings = { checkpoint_id: flags.checkpoint, config_id: flags.config };
  const answer = await askApi<{ execution_id: string }>(target, {
    method: 'POST',
    path: apiPath('/invocations/v1/executions/{}/fork', executionId),
    body: runRequest(input, settings, flags.idempotencyKey),
    ...unknownExecution(executionId),
    advice: {
      CHECKPOINT_NOT_FOUND: `run svc execution checkpoints ${executionId} to list those that exist`,
    },
  });
  printResult(terminal, flags, answer, answer.execution_id);
}
