import { callPath } from '../../model/call-path.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import type { SessionNames } from '../../names/plan-methods.ts';
import { docComment, docText, markup, quoted } from './doc-comment.ts';
import type { JavaSdk } from './java-sdk.ts';
import type { Call, Expression } from './layout.ts';
import { methodHead, statement } from './statements.ts';
import type { TypeText } from './type-texts.ts';

/** A method, which is a comment, a head and one statement. */
export interface MethodView {
  comment: string;
  /** Simple names of the exceptions that the comment links to. */
  exceptions: readonly string[];
  head: string;
  statement: string;
}

/** An exception of a call, and when it is thrown. */
type Failure = readonly [exception: string, condition: string];

const callFails: readonly Failure[] = [['SvcException', 'if the call fails']];

/** How a call that waits for a run fails. */
const runFails: readonly Failure[] = [
  ['FlowFailedException', 'if the run fails or is cancelled'],
  ['FlowPausedException', 'if the run waits for a decision'],
  ['WaitTimedOutException', 'if the run does not end in time; it continues to run'],
  ['SvcException', 'if the call fails otherwise'],
];

/** The common part of the methods of a call. */
interface Deed {
  name: string;
  /** One sentence. */
  deed: string;
  /** Further paragraphs, untrusted. */
  comment: string;
  /** Type of the parameter before the options; undefined when there is none. */
  input: string | undefined;
  /** Name of the parameter if it consists of many messages. */
  inputs?: 'inputs';
  /** Type of the result; undefined when there is none. */
  output: string | undefined;
  /** Describes the result. */
  result: string;
  /** How the call fails. Absent: like any call. */
  failures?: readonly Failure[];
  /** Method of the connection, and its arguments before the input. */
  callee: string;
  args: readonly Expression[];
  /** Whether the result is a stream, whose methods do not block. */
  isStream?: boolean;
  /** Whether the methods are those of `withRawResponse()`. */
  isRaw?: boolean;
}

/** Returns the methods of `withRawResponse()`: to call the member, and to start it if it is a flow. */
export function rawMethodsOf({ names, texts, place }: JavaSdk, member: SdkMember): MethodView[] {
  if (member.mode === 'pipeline') return [];
  const name = names.calls.get(member.alias) ?? '';
  const start = names.flows.get(member.alias)?.start;
  const { boxed } = texts.ofRoot(member.output);
  const failures = start === undefined ? callFails : runFails;
  const calls = [
    { name, output: boxed, failures },
    ...(start === undefined ? [] : [{ name: start, output: `Execution<${boxed}>`, failures: callFails }]),
  ];
  return calls.flatMap((call) =>
    fourMethods({
      name: call.name,
      output: `RawResponse<${call.output}>`,
      deed: `Calls {@link ${place.clientClass}#${call.name}} and returns the response with the result.`,
      comment: '',
      input: texts.ofRoot(member.input).boxed,
      result: 'the result and the response',
      failures: call.failures,
      callee: `${call.name}Async`,
      args: [],
      isRaw: true,
    }),
  );
}

/**
 * Returns the methods of the client that call a member. A flow also has methods to warm it and, unless it streams, to
 * start and find runs; a pipeline node has methods for streamed input, split streams and live sessions.
 */
export function methodsOf(sdk: JavaSdk, member: SdkMember): MethodView[] {
  return member.mode === 'pipeline' ? streamMethods(sdk, member) : unaryMethods(sdk, member);
}

/** Streams the output of a member; a node also takes streamed input. */
function streamMethods({ names, texts }: JavaSdk, member: SdkMember): MethodView[] {
  const name = names.calls.get(member.alias) ?? '';
  const input = texts.ofRoot(member.input);
  const output = texts.ofRoot(member.output);
  const codecs = [input.codec, output.codec];
  const call = {
    name,
    comment: member.comment,
    input: input.boxed,
    output: output.boxed,
    result: 'the stream of the output',
    isStream: true,
  };
  if (member.type === 'flow') {
    const graph = { string: member.pin.graph };
    const deed = `Runs ${flowOf(member.alias, member.pin)} and streams its output.`;
    return [
      ...fourMethods({ ...call, deed, callee: 'streamFlow', args: [graph, ...codecs] }),
      ...warmMethods(names.flows.get(member.alias)?.warm ?? '', name, graph),
    ];
  }
  const args = [{ string: callPath(member) }, ...codecs];
  return [
    ...fourMethods({
      ...call,
      deed: nodeDeed(member.pin, ' Streams its output.'),
      callee: 'streamNode',
      args,
    }),
    ...fourMethods({
      ...call,
      name: names.uploads.get(member.alias) ?? '',
      deed: `Calls {@link #${name}} with many messages, which are read as they are sent. The output begins when all of them have been sent, and a refusal is noticed only then.`,
      comment: '',
      input: `Iterable<? extends ${input.boxed}>`,
      inputs: 'inputs',
      callee: 'uploadToNode',
      args,
    }),
    ...sessionMethods(names.sessions.get(member.alias), name, { input, output, args }),
  ];
}

/** Creates a split stream of a node, finds one by its id, and opens a live session. */
function sessionMethods(
  names: SessionNames | undefined,
  call: string,
  { input, output, args }: { input: TypeText; output: TypeText; args: readonly Expression[] },
): MethodView[] {
  if (names === undefined) return [];
  const type = `SplitStream<${input.boxed}, ${output.boxed}>`;
  return [
    ...fourMethods({
      name: names.create,
      deed: `Creates a stream of {@link #${call}} whose input and output travel in requests of their own. It takes one upload and any number of readers, for ten minutes.`,
      comment: '',
      input: undefined,
      output: type,
      result: 'the stream',
      callee: 'createStream',
      args,
    }),
    handleMethod(names.find, {
      deed: `Returns a stream of {@link #${call}} by its id, even if another process created it. Sends no request.`,
      type,
      noun: 'the stream',
      callee: 'connection.splitStream',
      args,
    }),
    ...fourMethods({
      name: names.open,
      deed: `Opens a session with {@link #${call}}, whose input and output flow at the same time. The timeout ends when it is ready.`,
      comment: '',
      input: undefined,
      output: `LiveSession<${input.boxed}, ${output.boxed}>`,
      result: 'the session',
      callee: 'openLive',
      args,
    }),
  ];
}

function unaryMethods({ names, texts }: JavaSdk, member: SdkMember): MethodView[] {
  const name = names.calls.get(member.alias) ?? '';
  const input = texts.ofRoot(member.input);
  const output = texts.ofRoot(member.output);
  const call = {
    name,
    comment: member.comment,
    input: input.boxed,
    output: output.boxed,
    result: 'the output',
  };
  if (member.type === 'node') {
    const args = [{ string: callPath(member) }, input.codec, output.codec];
    return fourMethods({ ...call, deed: nodeDeed(member.pin), callee: 'callNode', args });
  }
  const flow = names.flows.get(member.alias) ?? { start: '', execution: '', warm: '' };
  const graph = { string: member.pin.graph };
  const args = [graph, input.codec, output.codec];
  const run = `{@link #${name}}`;
  return [
    ...fourMethods({
      ...call,
      deed: `Runs ${flowOf(member.alias, member.pin)} and waits for its output.`,
      failures: runFails,
      callee: 'runFlow',
      args,
    }),
    ...fourMethods({
      ...call,
      name: flow.start,
      deed: `Starts a run of ${run} and does not wait for it.`,
      comment: '',
      output: `Execution<${output.boxed}>`,
      result: 'the run',
      callee: 'startFlow',
      args,
    }),
    handleMethod(flow.execution, {
      deed: `Returns a run of ${run} by its id, even if another process started it. Sends no request.`,
      type: `Execution<${output.boxed}>`,
      noun: 'the run',
      callee: 'connection.execution',
      args: [output.codec],
    }),
    ...warmMethods(flow.warm, name, graph),
  ];
}

/** Returns a flow by its name, as in the README. */
function flowOf(alias: string, { artifact }: { artifact: string }): string {
  return `the flow ${quoted(alias)} (artifact ${docText(artifact)})`;
}

/** Describes the call of a node. */
function nodeDeed(pin: { node: string; package: string; version: string }, more = ''): string {
  return `Calls the node ${quoted(pin.node)} of ${quoted(pin.package)}, version ${docText(pin.version)}.${more}`;
}

function warmMethods(name: string, run: string, graph: Expression): MethodView[] {
  return fourMethods({
    name,
    deed: `Asks the service to prepare {@link #${run}} for its next run, and does not wait for that.`,
    comment: '',
    input: undefined,
    output: undefined,
    result: 'completes when the service has accepted the request',
    callee: 'warmFlow',
    args: [graph],
  });
}

/** Returns the methods with and without options, blocking and non-blocking. */
function fourMethods(deed: Deed): MethodView[] {
  return [false, true].flatMap((isAsync) => [method(deed, isAsync, false), method(deed, isAsync, true)]);
}

function method(deed: Deed, isAsync: boolean, hasOptions: boolean): MethodView {
  const { input, inputs } = deed;
  const name = isAsync ? `${deed.name}Async` : deed.name;
  const given = input === undefined ? [] : [inputs ?? 'input'];
  const result = resultOf(deed, isAsync);
  const parameters = [
    ...(input === undefined ? [] : [`${input} ${inputs ?? 'input'}`]),
    ...(hasOptions ? ['CallOptions options'] : []),
  ];
  const before = result === 'void' ? '' : 'return ';
  const indent = deed.isRaw === true ? 4 : 2;
  const outcome = outcomeOf(deed, isAsync);
  return {
    comment: docComment(
      {
        paragraphs: [markup(deed.deed), deed.comment],
        tags: [
          ...given.map(
            (parameter) => [`@param ${parameter}`, inputs ? 'the input messages' : 'the input'] as const,
          ),
          ...(hasOptions ? ([['@param options', 'the options of this call']] as const) : []),
          ...outcome.tags,
        ],
      },
      indent,
    ),
    exceptions: outcome.exceptions,
    head: methodHead(`public ${result}`, name, parameters, indent),
    statement: statement(bodyOf(deed, name, given, isAsync, hasOptions), indent + 2, before),
  };
}

/** Returns the tags for the result of a method and its failures, and the exceptions that they name. */
function outcomeOf(
  { output, result, failures = callFails, isStream = false }: Deed,
  isAsync: boolean,
): { tags: [string, string][]; exceptions: string[] } {
  if (isStream) {
    const failing = isAsync ? 'its subscriber receives' : 'its iterator throws';
    const text = `${result}; if the call fails, ${failing} an {@link SvcException}`;
    return { tags: [['@return', markup(text)]], exceptions: ['SvcException'] };
  }
  const exceptions = failures.map(([exception]) => exception);
  if (isAsync) {
    const links = exceptions.map((exception) => `{@link ${exception}}`);
    const last = links.pop() ?? '';
    const failing = links.length === 0 ? `an ${last}` : `a ${links.join(', ')} or another ${last}`;
    return {
      tags: [['@return', markup(`${result}; if the call fails, the future fails with ${failing}`)]],
      exceptions,
    };
  }
  return {
    tags: [
      ...(output === undefined ? [] : [['@return', result] as [string, string]]),
      ...failures.map(([exception, condition]): [string, string] => [`@throws ${exception}`, condition]),
    ],
    exceptions,
  };
}

function resultOf({ output, isStream = false }: Deed, isAsync: boolean): string {
  if (isStream) return `${isAsync ? 'AsyncFrameStream' : 'FrameStream'}<${output ?? 'Void'}>`;
  return isAsync ? `CompletableFuture<${output ?? 'Void'}>` : (output ?? 'void');
}

function bodyOf(
  deed: Deed,
  name: string,
  given: readonly string[],
  isAsync: boolean,
  hasOptions: boolean,
): Call {
  if (!hasOptions) return { callee: name, args: [...given, 'CallOptions.none()'] };
  if (deed.isStream === true) {
    const callee = `connection.${deed.callee}${isAsync ? 'Async' : ''}`;
    return { callee, args: [...deed.args, ...given, 'options'] };
  }
  if (isAsync && deed.isRaw === true) {
    const body = { callee: `client.${deed.callee}`, args: [...given, 'own'] };
    return { callee: 'RawCalls.of', args: ['options', { parameter: 'own', body }] };
  }
  if (isAsync) return { callee: `connection.${deed.callee}`, args: [...deed.args, ...given, 'options'] };
  const body = { callee: `${deed.name}Async`, args: [...given, 'own'] };
  return { callee: 'Blocking.call', args: ['options', { parameter: 'own', body }] };
}

/** A method that finds something by its id. */
interface HandleDeed {
  deed: string;
  type: string;
  /** What it finds: `the run`. */
  noun: string;
  callee: string;
  /** Arguments after the id. */
  args: readonly Expression[];
}

function handleMethod(name: string, { deed, type, noun, callee, args }: HandleDeed): MethodView {
  return {
    comment: docComment(
      {
        paragraphs: [markup(deed)],
        tags: [
          ['@param id', `the id of ${noun}`],
          ['@return', noun],
          ['@throws InvalidMessageException', 'if the id is malformed'],
        ],
      },
      2,
    ),
    exceptions: ['InvalidMessageException'],
    head: methodHead(`public ${type}`, name, ['String id'], 2),
    statement: statement({ callee, args: ['id', ...args] }, 4, 'return '),
  };
}
