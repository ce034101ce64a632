import type { FlowMember, SdkMember } from '../model/sdk-model.ts';
import { foldLines } from '../text/fold-lines.ts';
import { docstring } from './docstrings.ts';
import type { Expression } from './expressions.ts';
import { call, printExpression } from './expressions.ts';
import { stringLiteral } from './literals.ts';
import type { PythonNames } from './plan-names.ts';
import type { PythonSdk } from './python-sdk.ts';

/** What `client.py` prints; every string is finished Python. */
export interface CallsView {
  docstring: string;
  asyncDocstring: string;
  /** `User-Agent` of the SDK, as a literal. */
  identity: string;
  calls: CallView[];
  hasNodes: boolean;
  hasFlows: boolean;
  /** Whether a call takes or gives a class of `messages.py`. */
  usesMessages: boolean;
}

/** What it says of a member. */
export interface CallView {
  name: string;
  /** Module constant that describes the call: `_TOKENIZE`. */
  constant: string;
  nameLiteral: string;
  /** Of a node. */
  path: string;
  /** Set for a flow. */
  flow: FlowView | undefined;
  inputCodec: string;
  outputCodec: string;
  input: string;
  output: string;
  docstring: string;
  rawDocstring: string;
  /** The same expression behind texts of different lengths: `return `, `return await ` ... */
  send: string;
  sendValue: string;
  sendAwait: string;
  sendAnswer: string;
  rawOutput: string;
}

/** The further methods of a flow, and how they do it. */
interface FlowView {
  graphId: string;
  startName: string;
  executionName: string;
  warmName: string;
  startDocstring: string;
  rawStartDocstring: string;
  executionDocstring: string;
  warmDocstring: string;
  rawWarmDocstring: string;
  /** Types of what they give. */
  execution: string;
  asyncExecution: string;
  rawExecution: string;
  rawAsyncExecution: string;
  /** The same expression behind texts of different lengths. */
  start: string;
  startValue: string;
  startAwait: string;
  startAnswer: string;
  find: string;
  warm: string;
  warmAwait: string;
  rawWarm: string;
  rawWarmAwait: string;
}

const lineWidth = 88;
const indent = 4;

/** Path of a call beneath the base URL (SPEC.md). */
export function callPath(member: SdkMember): string {
  if (member.type === 'flow') return '/invocations/v1/flows/invoke';
  const { pin } = member;
  const segments = [...pin.package.split('/'), pin.version, pin.node].map(encodeURIComponent);
  return `/invocations/v1/nodes/${segments.join('/')}`;
}

export function callsView({ model, names, callable }: PythonSdk, calls: CallView[]): CallsView {
  const { name, description } = model.client;
  return {
    docstring: docstring(
      [`Calls the members of the client ${quoted(name)}; use it as a context manager.`, description],
      4,
    ),
    asyncDocstring: docstring(
      [
        `Calls the members of the client ${quoted(name)} from asyncio; use it as a context manager.`,
        description,
      ],
      4,
    ),
    identity: identityText(
      `${names.distribution}/${model.semver} (python; ${model.generator})`,
      calls.length > 0,
    ),
    calls,
    hasNodes: callable.some(({ type }) => type === 'node'),
    hasFlows: callable.some(({ type }) => type === 'flow'),
    usesMessages: calls.some(({ input, output }) => `${input} ${output}`.includes('_messages.')),
  };
}

/** What names the package to the service, as the value of its constant: in parentheses where the line would be too long. */
function identityText(text: string, annotated: boolean): string {
  const literal = stringLiteral(text);
  const head = annotated ? '_identity: Final = ' : '_identity = ';
  const breaks = head.length + literal.length > lineWidth && indent + literal.length <= lineWidth;
  return breaks ? `(\n    ${literal}\n)` : literal;
}

export function callView({ names, texts }: PythonSdk, member: SdkMember): CallView {
  const name = names.calls.get(member.alias) ?? member.alias;
  const constant = `_${name.toUpperCase()}`;
  const input = texts.of(texts.types.rootType(member.input), '_messages.');
  const output = texts.of(texts.types.rootType(member.output), '_messages.');
  const send = sending(member.type === 'flow' ? 'self._run' : 'self._send', constant);
  return {
    name,
    constant,
    nameLiteral: stringLiteral(name),
    path: stringLiteral(callPath(member)),
    flow: member.type === 'flow' ? flowView(names, member, constant, output.annotation) : undefined,
    inputCodec: printExpression(input.codec, 4, 'input='.length, 1),
    outputCodec: printExpression(output.codec, 4, 'output='.length, 1),
    input: input.annotation,
    output: output.annotation,
    docstring: docstring([member.comment, pinSentence(member)], 8),
    rawDocstring: docstring([`Call \`\`${name}\`\` and give the whole answer.`], 8),
    send: printExpression(send, 8, 'return '.length, 0),
    sendValue: printExpression(send, 8, 'return '.length, '.value'.length),
    sendAwait: printExpression(send, 8, 'return await '.length, 0),
    sendAnswer: printExpression(send, 8, 'answer = await '.length, 0),
    rawOutput: returned(['RawResponse'], output.annotation),
  };
}

function flowView(names: PythonNames, member: FlowMember, constant: string, output: string): FlowView {
  const flowNames = names.flows.get(member.alias);
  const { start: startName = '', execution: executionName = '', warm: warmName = '' } = flowNames ?? {};
  const name = names.calls.get(member.alias) ?? '';
  const start = sending('self._start', constant);
  const warm = call('self._warm', [{ value: constant }, { value: 'options' }]);
  const find = call('self._execution', [{ value: constant }, { value: 'execution_id' }]);
  return {
    graphId: stringLiteral(member.pin.graph),
    startName,
    executionName,
    warmName,
    startDocstring: docstring([`Start what \`\`${name}\`\` runs, and do not wait for it.`], 8),
    rawStartDocstring: docstring([`Call \`\`${startName}\`\` and give the whole answer.`], 8),
    executionDocstring: docstring(
      [`Find a run of \`\`${name}\`\` by its id, whichever process started it.`],
      8,
    ),
    warmDocstring: docstring([`Make what \`\`${name}\`\` runs ready for its next run.`], 8),
    rawWarmDocstring: docstring([`Call \`\`${warmName}\`\` and give the whole answer.`], 8),
    execution: returned(['Execution'], output),
    asyncExecution: returned(['AsyncExecution'], output),
    rawExecution: returned(['RawResponse', 'Execution'], output),
    rawAsyncExecution: returned(['RawResponse', 'AsyncExecution'], output),
    start: printExpression(start, 8, 'return '.length, 0),
    startValue: printExpression(start, 8, 'return '.length, '.value'.length),
    startAwait: printExpression(start, 8, 'return await '.length, 0),
    startAnswer: printExpression(start, 8, 'answer = await '.length, 0),
    find: printExpression(find, 8, 'return '.length, 0),
    warm: printExpression(warm, 8, 0, 0),
    warmAwait: printExpression(warm, 8, 'await '.length, 0),
    rawWarm: printExpression(warm, 8, 'return '.length, 0),
    rawWarmAwait: printExpression(warm, 8, 'return await '.length, 0),
  };
}

function sending(method: string, constant: string): Expression {
  return call(method, [{ value: constant }, { value: 'message' }, { value: 'options' }]);
}

function pinSentence(member: SdkMember): string {
  if (member.type === 'flow') return `Runs the flow ${quoted(member.pin.artifact)} and waits for its output.`;
  const { pin } = member;
  return `Node ${quoted(pin.node)} of ${quoted(pin.package)}, version ${pin.version}.`;
}

/** `RawResponse[Words]`, broken where ruff breaks a return annotation that is too long. */
function returned(generics: readonly string[], output: string, margin = '    ', isOutermost = true): string {
  const [outer, ...inner] = generics;
  if (outer === undefined) return output;
  const flat = `${generics.join('[')}[${output}${']'.repeat(generics.length)}`;
  const around = isOutermost ? `${margin}) -> :` : margin;
  if (around.length + flat.length <= 88) return flat;
  const deeper = `${margin}    `;
  return `${outer}[\n${deeper}${returned(inner, output, deeper, false)}\n${margin}]`;
}

/** Untrusted text within a sentence. */
function quoted(text: string): string {
  return `"${foldLines(text)}"`;
}
