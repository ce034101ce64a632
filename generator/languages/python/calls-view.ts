import type { FlowMember, SdkMember } from '../../model/sdk-model.ts';
import { foldLines } from '../../text/fold-lines.ts';
import { callPath } from '../../model/call-path.ts';
import type { SessionNames } from '../../names/plan-methods.ts';
import { docstring } from './docstrings.ts';
import type { Expression, Item } from './expressions.ts';
import { call, printBroken, printExpression } from './expressions.ts';
import { fieldsName } from './fields-view.ts';
import { stringLiteral } from './literals.ts';
import type { PythonNames } from './plan-names.ts';
import type { PythonSdk } from './python-sdk.ts';
import {
  optionalParameter,
  parameterType,
  returned,
  returnedName,
  returnedPair,
  unpacked,
} from './signature-lines.ts';
import type { TypeTexts } from './type-texts.ts';
import type { FieldType } from '../../../specs/messages/message-model.ts';
import { lineWidth } from './line-width.ts';

/** View of `client.py`; every string is finished Python. */
interface CallsView {
  docstring: string;
  asyncDocstring: string;
  /** `User-Agent` of the SDK, as a literal. */
  identity: string;
  calls: CallView[];
  hasNodes: boolean;
  hasFlows: boolean;
  /** Whether a flow has executions. */
  hasRuns: boolean;
  hasStreams: boolean;
  hasUploads: boolean;
  usesRaw: boolean;
  /** Whether a call takes only options. */
  usesOptions: boolean;
  /** Whether a call takes the fields of a message. */
  usesFields: boolean;
  /** Whether a call uses a class of `messages.py`. */
  usesMessages: boolean;
}

interface CallView {
  name: string;
  /** Definition of the module constant that describes the call: `_TOKENIZE: Final = Method(...)`. */
  definition: string;
  /** Set for a flow that does not stream. */
  flow: FlowView | undefined;
  /** Set for a pipeline member. */
  stream: StreamView | undefined;
  /** The positional parameter: `message: _messages.Word | _json.Unset = _json.UNSET`. */
  parameter: string;
  /** Type of the keyword arguments. */
  keywords: string;
  output: string;
  docstring: string;
  rawDocstring: string;
  /** The same expression after prefixes of different lengths: `return `, `return await ` ... */
  send: string;
  sendValue: string;
  sendAwait: string;
  sendResponse: string;
  rawOutput: string;
}

/** The methods of a pipeline member, and their implementation. */
interface StreamView {
  /** Return types. */
  output: string;
  asyncOutput: string;
  send: string;
  upload: UploadView | undefined;
  /** Set for a node. */
  session: SessionView | undefined;
  /** Set for a flow. */
  warm: WarmView | undefined;
}

/** The methods of split streams and live sessions, and their implementation. */
interface SessionView extends SessionNames {
  createDocstring: string;
  findDocstring: string;
  openDocstring: string;
  /** Return types. */
  stream: string;
  asyncStream: string;
  session: string;
  asyncSession: string;
  sendCreate: string;
  sendCreateAwait: string;
  sendFind: string;
  sendOpen: string;
}

interface UploadView {
  name: string;
  docstring: string;
  /** Types of the source. */
  inputs: string;
  asyncInputs: string;
  send: string;
}

/** The method that warms a flow, and its implementation. */
interface WarmView {
  warmName: string;
  warmDocstring: string;
  rawWarmDocstring: string;
  warm: string;
  warmAwait: string;
  rawWarm: string;
  rawWarmAwait: string;
}

/** The other methods of a flow, and their implementation. */
interface FlowView extends WarmView {
  startName: string;
  executionName: string;
  startDocstring: string;
  rawStartDocstring: string;
  executionDocstring: string;
  /** Return types. */
  execution: string;
  asyncExecution: string;
  rawExecution: string;
  rawAsyncExecution: string;
  /** The same expression after prefixes of different lengths. */
  start: string;
  startValue: string;
  startAwait: string;
  startResponse: string;
  find: string;
}

const indent = 4;

/** Returns the view with the synchronous and asynchronous calls of all members, in their order. */
export function callsView(sdk: PythonSdk): CallsView {
  const { model, names } = sdk;
  const calls = model.members.map((member) => callView(sdk, member));
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
    hasNodes: model.members.some(({ type }) => type === 'node'),
    hasFlows: model.members.some(({ type }) => type === 'flow'),
    hasRuns: calls.some(({ flow }) => flow !== undefined),
    hasStreams: calls.some(({ stream }) => stream !== undefined),
    hasUploads: calls.some(({ stream }) => stream?.upload !== undefined),
    usesRaw: calls.some(({ stream }) => stream === undefined || stream.warm !== undefined),
    usesMessages: calls.some(({ parameter, output }) => `${parameter} ${output}`.includes('_messages.')),
    usesOptions: calls.some(
      ({ keywords, flow, stream }) => (flow ?? stream) !== undefined || keywords === 'CallOptions',
    ),
    usesFields: calls.some(({ keywords }) => keywords.includes('_fields.')),
  };
}

/** Returns the `User-Agent` of the SDK as the value of its constant: in parentheses if the line would be too long. */
function identityText(text: string, annotated: boolean): string {
  const literal = stringLiteral(text);
  const head = annotated ? '_identity: Final = ' : '_identity = ';
  const breaks = head.length + literal.length > lineWidth && indent + literal.length <= lineWidth;
  return breaks ? `(\n    ${literal}\n)` : literal;
}

function callView({ names, texts }: PythonSdk, member: SdkMember): CallView {
  const name = names.calls.get(member.alias) ?? member.alias;
  const constant = `_${name.toUpperCase()}`;
  const inputType = texts.types.rootType(member.input);
  const input = texts.of(inputType, '_messages.');
  const isMessage = inputType.kind === 'message';
  const output = texts.of(texts.types.rootType(member.output), '_messages.');
  const argument = argumentName(texts, inputType);
  const send = sending(member.type === 'flow' ? 'self._run' : 'self._send', constant, argument);
  return {
    name,
    definition: definition(constant, member.type === 'flow' ? 'Flow(' : 'Method(', [
      { label: 'name=', value: stringLiteral(name) },
      member.type === 'flow'
        ? { label: 'graph_id=', value: stringLiteral(member.pin.graph) }
        : { label: 'path=', value: stringLiteral(callPath(member)) },
      { label: 'input=', value: input.codec },
      { label: 'output=', value: output.codec },
    ]),
    flow:
      member.type === 'flow' && member.mode === 'unary'
        ? flowView(names, member, { constant, argument, output: output.annotation })
        : undefined,
    stream:
      member.mode === 'pipeline'
        ? streamView(names, member, {
            constant,
            argument,
            input: input.annotation,
            output: output.annotation,
          })
        : undefined,
    parameter: isMessage ? optionalParameter(argument, input.annotation) : `message: ${input.annotation}`,
    keywords: isMessage
      ? unpacked(`_fields.${fieldsName(texts.typeName(inputType.fullName))}`)
      : 'CallOptions',
    output: returnedName(output.annotation),
    docstring: docstring([member.comment, keywordSentence(texts, inputType), pinSentence(member)], 8),
    rawDocstring: docstring([`Call \`\`${name}\`\` and return the whole response.`], 8),
    send: printExpression(send, 8, 'return '.length, 0),
    sendValue: printExpression(send, 8, 'return '.length, '.value'.length),
    sendAwait: printExpression(send, 8, 'return await '.length, 0),
    sendResponse: printExpression(send, 8, 'response = await '.length, 0),
    rawOutput: returned(['RawResponse'], output.annotation),
  };
}

/**
 * Returns a constant of the module, with one item per line. If a name leaves its call no room on the line, the call
 * gets parentheses, unless a line between them would be too long.
 */
function definition(constant: string, open: string, items: Item[]): string {
  const head = `${constant}: Final = `;
  const flat = head + printBroken({ open, items, close: ')' }, 0);
  if (head.length + open.length <= lineWidth) return flat;
  const lines = `${head}(\n    ${printBroken({ open, items, close: ')' }, indent)}\n)`;
  return lines.split('\n').every((line) => line.length <= lineWidth) ? lines : flat;
}

/**
 * Returns the name of the positional parameter, which type checkers distinguish from a field that is passed as a
 * keyword.
 */
function argumentName(texts: TypeTexts, type: FieldType): string {
  if (type.kind !== 'message') return 'message';
  const fields = texts.types.message(type.fullName).fields.map(({ name }) => name);
  return fields.some((name) => texts.fieldName(type.fullName, name) === 'message') ? 'message_' : 'message';
}

function flowView(
  names: PythonNames,
  member: FlowMember,
  { constant, argument, output }: { constant: string; argument: string; output: string },
): FlowView {
  const flowNames = names.flows.get(member.alias);
  const { start: startName = '', execution: executionName = '', warm: warmName = '' } = flowNames ?? {};
  const name = names.calls.get(member.alias) ?? '';
  const start = sending('self._start', constant, argument);
  const find = call('self._execution', [{ value: constant }, { value: 'execution_id' }]);
  return {
    ...warmView(name, constant, warmName),
    startName,
    executionName,
    startDocstring: docstring([`Start a run of \`\`${name}\`\` and do not wait for it.`], 8),
    rawStartDocstring: docstring([`Call \`\`${startName}\`\` and return the whole response.`], 8),
    executionDocstring: docstring(
      [`Return a run of \`\`${name}\`\` by its id, even if another process started it.`],
      8,
    ),
    execution: returned(['Execution'], output),
    asyncExecution: returned(['AsyncExecution'], output),
    rawExecution: returned(['RawResponse', 'Execution'], output),
    rawAsyncExecution: returned(['RawResponse', 'AsyncExecution'], output),
    start: printExpression(start, 8, 'return '.length, 0),
    startValue: printExpression(start, 8, 'return '.length, '.value'.length),
    startAwait: printExpression(start, 8, 'return await '.length, 0),
    startResponse: printExpression(start, 8, 'response = await '.length, 0),
    find: printExpression(find, 8, 'return '.length, 0),
  };
}

function warmView(name: string, constant: string, warmName: string): WarmView {
  const warm = call('self._warm', [{ value: constant }, { value: 'options' }]);
  return {
    warmName,
    warmDocstring: docstring([`Prepare \`\`${name}\`\` for its next run.`], 8),
    rawWarmDocstring: docstring([`Call \`\`${warmName}\`\` and return the whole response.`], 8),
    warm: printExpression(warm, 8, 0, 0),
    warmAwait: printExpression(warm, 8, 'await '.length, 0),
    rawWarm: printExpression(warm, 8, 'return '.length, 0),
    rawWarmAwait: printExpression(warm, 8, 'return await '.length, 0),
  };
}

function streamView(
  names: PythonNames,
  member: SdkMember,
  {
    constant,
    argument,
    input,
    output,
  }: { constant: string; argument: string; input: string; output: string },
): StreamView {
  const name = names.calls.get(member.alias) ?? '';
  const upload = names.uploads.get(member.alias);
  const method = member.type === 'flow' ? 'self._stream' : 'self._stream_node';
  const warmName = names.flows.get(member.alias)?.warm;
  const sendUpload = call('self._upload', [{ value: constant }, { value: 'messages' }, { value: 'options' }]);
  return {
    session: sessionView(name, names.sessions.get(member.alias), { constant, input, output }),
    output: returned(['FrameStream'], output),
    asyncOutput: returned(['AsyncFrameStream'], output),
    send: printExpression(sending(method, constant, argument), 8, 'return '.length, 0),
    warm: warmName === undefined ? undefined : warmView(name, constant, warmName),
    upload:
      upload === undefined
        ? undefined
        : {
            name: upload,
            docstring: docstring(
              [
                `Call \`\`${name}\`\` with many messages, which are sent as they are read.`,
                'The output begins when all of them have been sent.',
                'An iterable that is not asynchronous is read in the thread of the caller, so that the timeout takes effect when it gives its next message.',
                'A refusal is noticed after the last message, at the timeout, or at the next message if the service closes the connection.',
              ],
              8,
            ),
            inputs: parameterType('Iterable', input),
            asyncInputs: parameterType('AnyIterable', input),
            send: printExpression(sendUpload, 8, 'return '.length, 0),
          },
  };
}

function sessionView(
  name: string,
  session: SessionNames | undefined,
  { constant, input, output }: { constant: string; input: string; output: string },
): SessionView | undefined {
  if (session === undefined) return undefined;
  const create = call('self._create_stream', [{ value: constant }, { value: 'options' }]);
  const find = call('self._split_stream', [{ value: constant }, { value: 'stream_id' }]);
  const open = call('self._open', [{ value: constant }, { value: 'options' }]);
  return {
    ...session,
    createDocstring: docstring(
      [`Create a stream of \`\`${name}\`\`, with requests of their own for input and output.`],
      8,
    ),
    findDocstring: docstring(
      [`Return a stream of \`\`${name}\`\` by its id, even if another process created it.`],
      8,
    ),
    openDocstring: docstring(
      [
        `Return a live session with \`\`${name}\`\`, which opens when it is entered.`,
        'The timeout limits the time until it is ready.',
      ],
      8,
    ),
    stream: returnedPair('SplitStream', input, output),
    asyncStream: returnedPair('AsyncSplitStream', input, output),
    session: returnedPair('Session', input, output),
    asyncSession: returnedPair('AsyncSession', input, output),
    sendCreate: printExpression(create, 8, 'return '.length, 0),
    sendCreateAwait: printExpression(create, 8, 'return await '.length, 0),
    sendFind: printExpression(find, 8, 'return '.length, 0),
    sendOpen: printExpression(open, 8, 'return '.length, 0),
  };
}

function sending(method: string, constant: string, argument: string): Expression {
  return call(method, [{ value: constant }, { value: argument }, { value: 'given' }]);
}

/** Describes the keywords that a call accepts, since its signature shows only the name of their type. */
function keywordSentence(texts: TypeTexts, type: FieldType): string {
  const options = 'the options of ``CallOptions``';
  const fields = type.kind === 'message' ? texts.types.message(type.fullName).fields : [];
  if (type.kind !== 'message' || fields.length === 0) return `Keywords are ${options}.`;
  const names = fields.map(({ name }) => `\`\`${texts.fieldName(type.fullName, name)}\`\``);
  return `Keywords are the fields of the message (${names.join(', ')}) and ${options}.`;
}

function pinSentence(member: SdkMember): string {
  if (member.type === 'flow')
    return `Runs the flow ${quoted(member.alias)} (artifact ${quoted(member.pin.artifact)}) and ${member.mode === 'pipeline' ? 'streams' : 'waits for'} its output.`;
  const { pin } = member;
  return `Node ${quoted(pin.node)} of ${quoted(pin.package)}, version ${pin.version}.`;
}

/** Returns untrusted text within a sentence. */
function quoted(text: string): string {
  return `"${foldLines(text)}"`;
}
