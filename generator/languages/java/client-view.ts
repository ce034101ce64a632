import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { foldLines } from '../../text/fold-lines.ts';
import { callPath } from '../../model/call-path.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import type { Call, Expression } from './layout.ts';
import { assignment, declaration, methodHead, statement, typeHead } from './statements.ts';

/** View of the client; every string is finished Java. */
interface ClientView {
  packageName: string;
  imports: string[];
  comment: string;
  name: string;
  head: string;
  /** The `User-Agent` of the SDK. */
  identity: string;
  opening: string;
  /** Declaration of the client in `WithRawResponse`, and the head of its constructor. */
  rawField: string;
  rawConstructor: string;
  /** Whether runs can pause. */
  hasFlows: boolean;
  members: MemberView[];
}

/** The methods of one member. */
interface MemberView {
  methods: MethodView[];
  /** Those that return the response too. */
  rawMethods: MethodView[];
  /** Simple names of the types that they name. */
  types: ReadonlySet<string>;
}

/** A method, which is a comment, a head and one statement. */
interface MethodView {
  comment: string;
  head: string;
  statement: string;
}

/** `TextClient.java` */
export function clientFile(sdk: JavaSdk): FileView {
  const { model, place } = sdk;
  const { name, handle, slug } = model.client;
  const identity = `${handle}-${slug}/${model.semver} (java; ${model.generator})`;
  const members = sdk.callable.map((member) => memberView(sdk, member));
  const types = typesIn(['ClientOptions ConfigurationException Connection']);
  const hasFlows = sdk.callable.some(({ type }) => type === 'flow');
  if (hasFlows) for (const type of typesIn(['List Pause PauseFilter Stream'])) types.add(type);
  for (const member of members) for (const type of member.types) types.add(type);
  const view: ClientView = {
    packageName: place.packageName,
    imports: fullNames(types, place.packageName),
    comment: docComment({
      paragraphs: [
        markup(`Calls the members of the client ${quoted(name)}.`),
        'It is safe for concurrent use. Clients share their connections, so they are cheap to create, and closing one only ends its use. Methods that end in Async do not block: cancelling their futures cancels their calls, as an interrupt of the thread cancels a blocking one.',
      ],
    }),
    name: place.clientClass,
    head: typeHead(`public final class ${place.clientClass}`, 'AutoCloseable', 0),
    identity: assignment('private static final String IDENTITY', { string: identity }, 2),
    rawField: declaration(`private final ${place.clientClass}`, 'client', undefined, 4),
    rawConstructor: methodHead('private', 'WithRawResponse', [`${place.clientClass} client`], 4),
    opening: statement(
      {
        callee: `new ${place.clientClass}`,
        args: [{ callee: 'Connection.open', args: ['IDENTITY', 'options'] }],
      },
      4,
      'return ',
    ),
    hasFlows,
    members,
  };
  return { path: `src/main/java/${place.folder}/${place.clientClass}.java`, template: 'Client.java', view };
}

function memberView(sdk: JavaSdk, member: SdkMember): MemberView {
  const methods = methodsOf(sdk, member);
  const rawMethods = rawMethodsOf(sdk, member);
  const codes = [...methods, ...rawMethods].flatMap(({ head, statement: text }) => [head, text]);
  return { methods, rawMethods, types: typesIn(codes) };
}

/** The common part of the methods of a call. */
interface Deed {
  name: string;
  /** One sentence. */
  deed: string;
  /** Further paragraphs, untrusted. */
  comment: string;
  /** Type of the parameter before the options; undefined when there is none. */
  input: string | undefined;
  /** Type of the result; undefined when there is none. */
  output: string | undefined;
  /** Describes the result. */
  result: string;
  /** Method of the connection, and its arguments before the input. */
  callee: string;
  args: readonly Expression[];
  /** Whether the methods are those of `withRawResponse()`. */
  isRaw?: boolean;
}

/** The methods of `withRawResponse()`: to call the member, and to start it if it is a flow. */
function rawMethodsOf({ names, texts, place }: JavaSdk, member: SdkMember): MethodView[] {
  const name = names.calls.get(member.alias) ?? '';
  const start = names.flows.get(member.alias)?.start;
  const { boxed } = texts.ofRoot(member.output);
  const calls = [
    { name, output: boxed },
    ...(start === undefined ? [] : [{ name: start, output: `Execution<${boxed}>` }]),
  ];
  return calls.flatMap((call) =>
    fourMethods({
      name: call.name,
      output: `RawResponse<${call.output}>`,
      deed: `Calls {@link ${place.clientClass}#${call.name}} and returns the response with the result.`,
      comment: '',
      input: texts.ofRoot(member.input).boxed,
      result: 'the result and the response',
      callee: `${call.name}Async`,
      args: [],
      isRaw: true,
    }),
  );
}

function methodsOf({ names, texts }: JavaSdk, member: SdkMember): MethodView[] {
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
    const { node, package: packageName, version } = member.pin;
    const deed = `Calls the node ${quoted(node)} of ${quoted(packageName)}, version ${docText(version)}.`;
    const args = [{ string: callPath(member) }, input.codec, output.codec];
    return fourMethods({ ...call, deed, callee: 'callNode', args });
  }
  const flow = names.flows.get(member.alias) ?? { start: '', execution: '', warm: '' };
  const graph = { string: member.pin.graph };
  const args = [graph, input.codec, output.codec];
  const run = `{@link #${name}}`;
  return [
    ...fourMethods({
      ...call,
      deed: `Runs the flow ${quoted(member.pin.artifact)} and waits for its output.`,
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
    executionMethod(
      flow.execution,
      `Returns a run of ${run} by its id, even if another process started it. Sends no request.`,
      output,
    ),
    ...fourMethods({
      name: flow.warm,
      deed: `Prepares ${run} for its next run.`,
      comment: '',
      input: undefined,
      output: undefined,
      result: 'ends when it is ready',
      callee: 'warmFlow',
      args: [graph],
    }),
  ];
}

/** With and without options, blocking and not. */
function fourMethods(deed: Deed): MethodView[] {
  return [false, true].flatMap((isAsync) => [method(deed, isAsync, false), method(deed, isAsync, true)]);
}

function method(deed: Deed, isAsync: boolean, hasOptions: boolean): MethodView {
  const { input, output } = deed;
  const name = isAsync ? `${deed.name}Async` : deed.name;
  const given = input === undefined ? [] : ['input'];
  const result = isAsync ? `CompletableFuture<${output ?? 'Void'}>` : (output ?? 'void');
  const parameters = [
    ...(input === undefined ? [] : [`${input} input`]),
    ...(hasOptions ? ['CallOptions options'] : []),
  ];
  const before = result === 'void' ? '' : 'return ';
  const indent = deed.isRaw === true ? 4 : 2;
  return {
    comment: docComment(
      {
        paragraphs: [markup(deed.deed), deed.comment],
        tags: [
          ...(input === undefined ? [] : ([['@param input', 'the input']] as const)),
          ...(hasOptions ? ([['@param options', 'what holds for this call']] as const) : []),
          ...(result === 'void' ? [] : ([['@return', deed.result]] as const)),
        ],
      },
      indent,
    ),
    head: methodHead(`public ${result}`, name, parameters, indent),
    statement: statement(bodyOf(deed, name, given, isAsync, hasOptions), indent + 2, before),
  };
}

function bodyOf(
  deed: Deed,
  name: string,
  given: readonly string[],
  isAsync: boolean,
  hasOptions: boolean,
): Call {
  if (!hasOptions) return { callee: name, args: [...given, 'CallOptions.none()'] };
  if (isAsync && deed.isRaw === true) {
    const body = { callee: `client.${deed.callee}`, args: [...given, 'own'] };
    return { callee: 'RawResponse.of', args: ['options', { parameter: 'own', body }] };
  }
  if (isAsync) return { callee: `connection.${deed.callee}`, args: [...deed.args, ...given, 'options'] };
  const body = { callee: `${deed.name}Async`, args: [...given, 'own'] };
  return { callee: 'Blocking.call', args: ['options', { parameter: 'own', body }] };
}

function executionMethod(name: string, deed: string, output: { boxed: string; codec: string }): MethodView {
  return {
    comment: docComment(
      {
        paragraphs: [markup(deed)],
        tags: [
          ['@param id', 'the id of the run'],
          ['@return', 'the run'],
        ],
      },
      2,
    ),
    head: methodHead(`public Execution<${output.boxed}>`, name, ['String id'], 2),
    statement: statement({ callee: 'connection.execution', args: ['id', output.codec] }, 4, 'return '),
  };
}

/** Untrusted text within a sentence of markup. */
function quoted(text: string): string {
  return `"${docText(foldLines(text))}"`;
}
