/** What a waited run gave, in the form that its input had. */
export type RunOutput = { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array };

/** How far a run is when its invocation is answered. */
export type InvocationEnd =
  | { kind: 'started' }
  | { kind: 'completed'; output: RunOutput; completedAt: number }
  | { kind: 'failed' | 'cancelled'; message: string; completedAt: number }
  | { kind: 'paused'; pauseId: string }
  | { kind: 'running'; waitedSeconds: number };

export interface Invocation {
  executionId: string;
  end: InvocationEnd;
  /** Of the graph; empty: every node runs for real. */
  mockedNodes: readonly string[];
}

/**
 * Body of a 202 (SPEC.md, POST /v1/flows/invoke), as JSON text: an output stands in it as it was written, which parsing and
 * printing it again would cost time and could change.
 */
export function presentInvocation({ executionId, end, mockedNodes }: Invocation): string {
  return objectText({
    accepted: 'true',
    execution_id: JSON.stringify(executionId),
    ...endFields(end),
    ...(mockedNodes.length > 0 && { mocked_nodes: JSON.stringify(mockedNodes) }),
  });
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

/** An object of finished JSON texts by names that need no escaping. */
function objectText(fields: Record<string, string>): string {
  let text = '';
  for (const name in fields) text += `${text === '' ? '' : ','}"${name}":${fields[name]}`;
  return `{${text}}`;
}
