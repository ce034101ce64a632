import type { ConformanceCase, ExpectedRequest, ExpectedStep, ScriptedAnswer } from './conformance-case.ts';
import { completedRun, inCompletedRun } from './scripted-server.ts';

/** The flow of the same messages as a node, by their aliases in the client `conformance`. */
const flowOf: Readonly<Record<string, string>> = { echo: 'echo-twice', 'echo-kinds': 'return' };

/** What every invocation of a flow is sent to. */
const invokePath = '/invocations/v1/flows/invoke';

/**
 * The case with its calls of nodes made to the flows of the same messages, for languages that call flows alone: what a node
 * would answer is the output of the run, what it is sent is the run's input, and a refusal is a refusal. Undefined where no
 * flow has the messages of a node, where nothing of the case calls one, or where the case says `asFlow: false`.
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

/** Refusals and texts that are no messages stay as they are; positions in a body are moved to where its output stands. */
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
