import type { ConformanceCase, ExpectedRequest, ExpectedStep, ScriptedAnswer } from './conformance-case.ts';
import { completedRun, inCompletedRun } from './scripted-server.ts';

/** The flow with the same messages as a node, by their aliases in the client `conformance`. */
const flowOf: Readonly<Record<string, string>> = { echo: 'echo-twice', 'echo-kinds': 'return' };

/** Path of every flow invocation. */
const invokePath = '/invocations/v1/flows/invoke';

/**
 * Rewrites a case of node calls to call flows with the same messages, for languages that call flows only. The response of the
 * node becomes the output of the run, and its input the input of the run. Refusals stay the same. Undefined if no flow has the
 * messages of a node, if the case calls no node, or if the case sets `asFlow: false`.
 */
export function asFlow({ asFlow: own = {}, ...each }: ConformanceCase): ConformanceCase | undefined {
  if (own === false || each.env !== undefined) return undefined;
  const steps = each.steps.map(stepAsFlow).filter((step) => step !== undefined);
  if (steps.length < each.steps.length || !each.steps.some(callsNode)) return undefined;
  const { answers, requests, logs } = each;
  return {
    ...each,
    ...(answers === undefined ? {} : { answers: answers.map(answerAsFlow) }),
    ...(typeof requests === 'object' ? { requests: requests.map(requestAsFlow) } : { requests }),
    ...(logs === undefined ? {} : { logs: logs.map((log) => (isNodePath(log) ? invokePath : log)) }),
    ...own,
    steps: own.steps ?? steps,
  };
}

function callsNode({ do: action = 'call', alias = 'echo' }: ExpectedStep): boolean {
  return action === 'call' && !Object.values(flowOf).includes(alias);
}

function stepAsFlow(step: ExpectedStep): ExpectedStep | undefined {
  if (!callsNode(step)) return step;
  const alias = flowOf[step.alias ?? 'echo'];
  if (alias === undefined) return undefined;
  const { answer } = step;
  const body = answer?.body;
  if (body === undefined) return { ...step, alias };
  return { ...step, alias, answer: { ...answer, body: completedRun(body) } };
}

/** Refusals and texts that are not messages stay the same. Positions in a body are shifted to those of its output. */
function answerAsFlow(answer: ScriptedAnswer): ScriptedAnswer {
  const { json, base64, status = 200, ...rest } = answer;
  if (status < 200 || status > 299 || (json === undefined && base64 === undefined)) return answer;
  const output = base64 === undefined ? JSON.stringify(json) : Buffer.from(base64, 'base64').toString();
  const { text, before } = inCompletedRun(output);
  const { pieces, cut } = rest;
  return {
    ...rest,
    ...(answer.status === undefined ? {} : { status }),
    base64: Buffer.from(text).toString('base64'),
    ...(pieces === undefined ? {} : { pieces: pieces.with(0, before + (pieces[0] ?? 0)) }),
    ...(typeof cut === 'number' ? { cut: before + cut } : {}),
  };
}

function requestAsFlow({ path, body, ...request }: ExpectedRequest): ExpectedRequest {
  return {
    ...request,
    ...(path === undefined ? {} : { path: isNodePath(path) ? invokePath : path }),
    ...(body === undefined ? {} : { flowInput: body }),
  };
}

function isNodePath(text: string): boolean {
  return text.startsWith('/invocations/v1/nodes/');
}
