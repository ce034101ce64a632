import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Command } from 'commander';
import { systemClock } from '../../clock.ts';
import { createIds } from '../../ids.ts';
import { apiTarget, callApi } from '../api-client.ts';
import { CliError, note, printResult, type Terminal, UsageError } from '../output.ts';

interface InvokeFlags {
  input: string;
  wait: boolean;
  timeout?: string;
  config?: string;
  idempotencyKey?: string;
  url?: string;
  key?: string;
  json?: boolean;
}

/** What is read of a 202 (SPEC.md, POST /v1/flows/invoke). */
interface Invocation {
  execution_id: string;
  execution_status?: string;
  error_message?: string;
  pause_id?: string;
  mocked_nodes?: string[];
  result?: { success: boolean; output?: unknown; error_message?: string };
}

/** `svc flow invoke <graph_id>`: runs a flow over HTTP and prints what it gives. */
export function invokeCommand(terminal: Terminal): Command {
  return new Command('invoke')
    .description('Run a compiled flow and print its output')
    .argument('<graph_id>', 'as svc flow compile prints it')
    .option('--input <json>', 'input of the flow as JSON; @file reads a file, - reads stdin', '{}')
    .option('--no-wait', 'print the execution id and let it run')
    .option('--timeout <seconds>', 'how long to wait (default: 30)')
    .option('--config <id>', 'config profile of the run')
    .option('--idempotency-key <key>', 'the same key again gives the same run (default: every call is a run)')
    .option('--url <base_url>', 'the service (default: SVC_BASE_URL, else http://127.0.0.1:8080)')
    .option('--key <key>', 'API key with invoke scope (default: SVC_API_KEY)')
    .option('--json', 'print the whole answer as JSON')
    .action((graphId: string, flags: InvokeFlags) => invoke(terminal, graphId, flags));
}

async function invoke(terminal: Terminal, graphId: string, flags: InvokeFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const settings = {
    graph_id: graphId,
    wait: flags.wait,
    ...(flags.timeout !== undefined && { timeout_seconds: seconds(flags.timeout) }),
    ...(flags.config !== undefined && { config_id: flags.config }),
    // Without a key, identical requests within five minutes would be one run.
    idempotency_key: flags.idempotencyKey ?? createIds(systemClock).ulid(),
  };
  const input = await readInput(terminal, flags.input);
  // The input goes out as it was written: numbers beyond 2^53 are exact.
  const request = `{"input":${input},${JSON.stringify(settings).slice(1)}`;
  const { body } = await callApi(target, 'POST', '/invocations/v1/flows/invoke', request);
  const answer = body as Invocation;
  if (answer.mocked_nodes) note(terminal, `answered from fixtures: ${answer.mocked_nodes.join(', ')}`);
  const { execution_id: id, result } = answer;
  if (result?.success) {
    note(terminal, `execution ${id}`);
    printResult(terminal, flags, answer, JSON.stringify(result.output ?? {}, null, 2));
  } else if (!flags.wait) {
    printResult(terminal, flags, answer, id);
  } else {
    if (flags.json) printResult(terminal, flags, answer, '');
    throw new CliError(`execution ${id} ${unfinished(answer)}`);
  }
}

function unfinished({
  result,
  execution_status: status,
  pause_id: pauseId,
  error_message,
}: Invocation): string {
  if (result) return `failed: ${result.error_message ?? 'no reason was given'}`;
  if (status === 'PAUSED') return `waits for a decision on pause ${pauseId ?? ''}`;
  return `goes on: ${error_message ?? 'it has not ended yet'}`;
}

async function readInput(terminal: Terminal, flag: string): Promise<string> {
  const text =
    flag === '-'
      ? await readAll(terminal.stdin)
      : flag.startsWith('@')
        ? await readFile(flag.slice(1), 'utf8').catch((error: unknown) => {
            throw new CliError(`${flag.slice(1)} cannot be read: ${String(error)}`);
          })
        : flag;
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--input is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return text;
}

function seconds(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new UsageError(`--timeout must be whole seconds from 1, not ${text}`);
}
