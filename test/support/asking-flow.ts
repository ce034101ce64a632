import assert from 'node:assert/strict';
import { systemClock } from '../../service/clock.ts';
import { createIds } from '../../service/ids.ts';
import { type FlowService, invokeFlow } from './flow-service.ts';
import type { Caller } from './running-service.ts';
import { step } from './step-package.ts';

const ids = createIds(systemClock);

/** A flow whose second node pauses for a human decision. */
export const approval = {
  name: 'Approval',
  entry: 'a',
  terminal: 'z',
  nodes: [step('a'), step('ask'), step('z')],
  edges: [
    { from: 'a', to: 'ask' },
    { from: 'ask', to: 'z' },
  ],
};

/** Makes the node `ask` pause with a question, and return the decision once it arrives. */
export function askHuman({ behaviours, container }: FlowService, question = '{"question":"go?"}'): void {
  behaviours.set('ask', (input, answer) => {
    const { context } = container.requests.at(-1) ?? {};
    if (context && context.resumedPauseId !== '') return input;
    answer.say({
      case: 'pause',
      value: { interruptPayloadJson: question, resumeSchema: 'acme.steps.v1.Step' } as never,
    });
    answer.end();
    return undefined;
  });
}

/** Starts a run of the flow, which then waits for a decision. */
export async function pausedRun(
  caller: Caller,
  graphId: string,
): Promise<{ executionId: string; pauseId: string }> {
  const answer = await invokeFlow(caller, graphId, { idempotency_key: ids.ulid(), input: { text: '>' } });
  const body = answer.body as Record<string, string>;
  assert.equal(answer.status, 202);
  assert.equal(body.execution_status, 'PAUSED', JSON.stringify(body));
  return { executionId: body.execution_id ?? '', pauseId: body.pause_id ?? '' };
}
