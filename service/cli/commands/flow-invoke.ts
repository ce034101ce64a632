import type { Command } from 'commander';
import { noTerminalResult } from '../../engine/run/run-texts.ts';
import { ApiFailure, type ApiTarget, apiTarget, callApi, failureText } from '../api-client.ts';
import { apiCommand, type ApiFlags } from '../api-command.ts';
import { explain, openApi } from '../ask-api.ts';
import { CliError, note, printResult, type Terminal, UsageError } from '../output.ts';
import { printStream } from '../print-stream.ts';
import { readJsonFlag } from '../read-json-flag.ts';
import { readSeconds } from '../read-seconds.ts';
import { runRequest } from '../run-request.ts';

interface InvokeFlags extends ApiFlags {
  input: string;
  wait: boolean;
  timeout?: string;
  config?: string;
  idempotencyKey?: string;
}

/** The fields of a 202 that this command reads. */
interface Invocation {
  execution_id: string;
  execution_status?: string;
  error_message?: string;
  pause_id?: string;
  mocked_nodes?: string[];
  result?: { success: boolean; output?: unknown; error_message?: string };
}

const invokePath = '/invocations/v1/flows/invoke';
const streamPath = '/invocations/v1/flows/invoke/stream';

const exitCodes = `
The exit code is 0 if the output is printed, or with --no-wait the execution id. It is 1 if the run fails, pauses for a decision, or
still runs after --timeout, also with --json.`;

/**
 * `svc flow invoke <graph_id>`: runs a flow over HTTP and prints its output. For a pipeline flow, prints each message as it
 * arrives.
 */
export function invokeCommand(terminal: Terminal): Command {
  return apiCommand('invoke', 'invoke')
    .description(
      'Run a compiled flow and print its output; a pipeline flow prints each message on a line of its own, as it arrives',
    )
    .argument('<graph_id>', 'id of the flow, as svc flow compile prints it')
    .option('--input <json>', 'input as JSON, @<file> to read a file, or - to read stdin', '{}')
    .option('--no-wait', 'print the execution id without waiting for the output')
    .option(
      '--timeout <seconds>',
      'seconds to wait for the output (default: 30); a pipeline flow that takes longer fails',
    )
    .option('--config <id>', 'config profile to use')
    .option('--idempotency-key <key>', 'start at most one run per key (default: a new key for every call)')
    .addHelpText('after', exitCodes)
    .action((graphId: string, flags: InvokeFlags) => invoke(terminal, graphId, flags));
}

async function invoke(terminal: Terminal, graphId: string, flags: InvokeFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const settings = {
    graph_id: graphId,
    wait: flags.wait,
    timeout_seconds: flags.timeout === undefined ? undefined : readSeconds(flags.timeout),
    config_id: flags.config,
  };
  const input = await readJsonFlag(terminal, '--input', flags.input);
  const request = runRequest(input, settings, flags.idempotencyKey);
  const started = await callApi(target, 'POST', invokePath, request).catch(async (error: unknown) => {
    if (!isPipelineFlow(error)) throw explained(target, graphId, error);
    if (!flags.wait) throw new UsageError('--no-wait is not possible: the flow streams its output');
    const response = await openApi(target, { method: 'POST', path: streamPath, body: request });
    const id = response.headers.get('x-execution-id') ?? '';
    note(terminal, `execution ${id}`);
    await printStream(terminal, response, { json: flags.json, hint: whereItFailed(id) });
    return undefined;
  });
  if (!started) return;
  const answer = started.body as Invocation;
  noteMismatch(terminal, answer, started.headers.get('idempotency-mismatch'));
  report(terminal, flags, answer);
}

/** @param mismatch the fields in which the earlier request with the same key differs, separated by `, ` */
function noteMismatch(terminal: Terminal, { execution_id: id }: Invocation, mismatch: string | null): void {
  if (mismatch === null) return;
  const differences = mismatch.split(', ').map((field) => (field === 'graph_id' ? 'flow' : field));
  note(
    terminal,
    `the idempotency key has started execution ${id} before, with another ${differences.join(' and another ')}: this repeats it`,
  );
}

function explained(target: ApiTarget, graphId: string, error: unknown): unknown {
  if (!(error instanceof ApiFailure)) return error;
  const hint = 'run svc flow list to see the flows';
  return explain(target, { method: 'POST', path: invokePath, subject: `flow "${graphId}"`, hint }, error);
}

/** A key with only invoke scope cannot read a flow's mode, but the service's refusal has it. */
function isPipelineFlow(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.status !== 400) return false;
  const { mode } = (error.body ?? {}) as { mode?: unknown };
  return mode === 'pipeline';
}

function report(terminal: Terminal, flags: InvokeFlags, answer: Invocation): void {
  if (answer.mocked_nodes) note(terminal, `mocked nodes: ${answer.mocked_nodes.join(', ')}`);
  const { execution_id: id, result } = answer;
  if (result?.success) {
    note(terminal, `execution ${id}`);
    printResult(terminal, flags, answer, JSON.stringify(result.output ?? {}, null, 2));
  } else if (!flags.wait) {
    printResult(terminal, flags, answer, id);
    note(terminal, `run svc execution get ${id} to see the output once the run has completed`);
  } else {
    if (flags.json) printResult(terminal, flags, answer, '');
    throw new CliError(`execution ${id} ${outcomeText(answer)}`);
  }
}

function whereItFailed(id: string): string {
  return `run svc execution get ${id} for details`;
}

function outcomeText({
  execution_id: id,
  result,
  execution_status: status,
  pause_id: pauseId,
  error_message,
}: Invocation): string {
  if (result) {
    const { error_message: text } = result;
    const hint = text?.startsWith(noTerminalResult)
      ? `run svc execution events ${id} to see which were taken`
      : whereItFailed(id);
    return `failed: ${failureText(text)}: ${hint}`;
  }
  if (status === 'PAUSED') {
    return `is paused and waits for a decision on pause ${pauseId ?? ''}: run svc execution pauses ${id} to see the question; decide with svc execution resume ${id} ${pauseId ?? ''} --value <json>`;
  }
  return `is still running: ${error_message ?? 'it has not ended yet'}: run svc execution get ${id} to see the output once it has completed`;
}
