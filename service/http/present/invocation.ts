import { RawJson } from '../answer/raw-json.ts';

/** The output of a run, in the form of its input. */
export type RunOutput = { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array };

/** The state of a run when its invocation is answered. */
export type InvocationEnd =
  | { kind: 'started' }
  | { kind: 'completed'; output: RunOutput; completedAt: number }
  | { kind: 'failed' | 'cancelled'; message: string; completedAt: number }
  | { kind: 'paused'; pauseId: string }
  | { kind: 'running'; waitedSeconds: number };

export interface Invocation {
  executionId: string;
  end: InvocationEnd;
  /** Ids of mocked nodes; empty if every node runs for real. */
  mockedNodes: readonly string[];
  /** Forks only: the parent. `null` for a repeated request whose run is no fork. */
  forkedFrom?: string | null;
}

/** Presents the answer to an invocation. It contains the output as written: parsing and printing it would be slow for large outputs. */
export function presentInvocation({ executionId, end, mockedNodes, forkedFrom }: Invocation): RawJson {
  const text = objectText({
    accepted: 'true',
    execution_id: JSON.stringify(executionId),
    ...(forkedFrom !== undefined && { forked_from_execution_id: JSON.stringify(forkedFrom) }),
    ...endFields(end),
    ...(mockedNodes.length > 0 && { mocked_nodes: JSON.stringify(mockedNodes) }),
  });
  return new RawJson(text);
}

function endFields(end: InvocationEnd): Record<string, string> {
  switch (end.kind) {
    case 'started':
      return {};
    case 'completed':
      return {
        result: objectText({
          success: 'true',
          ...outputField(end.output),
          completed_at: String(end.completedAt),
        }),
      };
    case 'failed':
    case 'cancelled': {
      const message = JSON.stringify(end.message);
      const completedAt = String(end.completedAt);
      return {
        result: objectText({ success: 'false', error_message: message, completed_at: completedAt }),
        error_message: message,
      };
    }
    case 'paused':
      return { execution_status: '"PAUSED"', pause_id: JSON.stringify(end.pauseId) };
    case 'running':
      return {
        error_message: JSON.stringify(`timeout waiting for flow result (${end.waitedSeconds}s)`),
        execution_status: '"RUNNING"',
      };
  }
}

function outputField(output: RunOutput): Record<string, string> {
  return output.form === 'json'
    ? { output: output.text }
    : { payload: JSON.stringify(Buffer.from(output.bytes).toString('base64')) };
}

/** Builds an object from JSON texts. Names must not need escaping. */
function objectText(fields: Record<string, string>): string {
  let text = '';
  for (const name in fields) text += `${text === '' ? '' : ','}"${name}":${fields[name]}`;
  return `{${text}}`;
}
