import { type ApiTarget, callApi } from '../api-client.ts';
import { CliError } from '../output.ts';
import { runCommand } from './run-command.ts';
import { program } from './serve-package.ts';

/** An order over the limit of the flow `approve-order`, so that its node pauses for a decision. */
const input = { lines: [{ sku: 'BOOK-1', quantity: 1_000 }], region: 'REGION_GERMANY' };

/** A run that paused for a human decision, and how it ended. */
export interface Approval {
  question: string;
  /** The output of the flow, JSON text. */
  output: string;
}

interface Question {
  question: string;
  [field: string]: unknown;
}

/**
 * Runs the flow `approve-order`, which waits for a decision. Another process decides with `svc execution resume`.
 *
 * @throws CliError if the run does not ask for a decision, or does not end with an output
 */
export async function runApproval(target: ApiTarget, graphId: string): Promise<Approval> {
  const invoke = async (): Promise<Record<string, unknown>> => {
    const request = { graph_id: graphId, input, wait: true, idempotency_key: 'demo approval' };
    const { body } = await callApi(target, 'POST', '/invocations/v1/flows/invoke', request);
    return body as Record<string, unknown>;
  };
  const { execution_id: executionId, pause_id: pauseId } = await invoke();
  if (typeof executionId !== 'string' || typeof pauseId !== 'string') {
    throw new CliError('the run did not ask for a decision');
  }
  const { question, ...order } = await questionOf(target, executionId, pauseId);
  const decision = JSON.stringify({ ...order, decision: { approved: true, comment: 'for the library' } });
  // The decision contains no single quote, so single quotes protect it in any POSIX shell.
  const resume = `execution resume ${executionId} ${pauseId} --value '${decision}' --by ann@example.com`;
  await runCommand(`'${process.execPath}' '${program}' ${resume}`, process.cwd(), {
    SVC_API_KEY: target.key,
    SVC_BASE_URL: target.url,
  });
  // The repeated request starts no new run: it waits for the same one.
  const ended = await invoke();
  const { output } = (ended.result ?? {}) as { output?: unknown };
  if (output === undefined) throw new CliError(`the run did not complete: ${JSON.stringify(ended)}`);
  return { question, output: JSON.stringify(output) };
}

async function questionOf(target: ApiTarget, executionId: string, pauseId: string): Promise<Question> {
  const { body } = await callApi(target, 'GET', `/invocations/v1/executions/${executionId}/pauses`);
  const { pauses } = body as { pauses: { pause_id: string; interrupt_payload: Question }[] };
  const pause = pauses.find((one) => one.pause_id === pauseId);
  if (!pause) throw new CliError(`execution ${executionId} has no pause ${pauseId}`);
  return pause.interrupt_payload;
}
