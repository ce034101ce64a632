import type { SdkMember } from '../../model/sdk-model.ts';
import { quotedText } from '../../text/quoted-text.ts';
import { callPath } from '../../model/call-path.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { linkedSummary, summary } from './doc-comment.ts';
import { jsonImports } from './json-imports.ts';
import { stringLiteral } from './literals.ts';

/** View of `Client.cs`, `RawClient.cs` and `Calls.cs`; every string is finished C#. */
interface ClientView {
  namespace: string;
  /** Class of the client. */
  client: string;
  clientComment: string;
  /** The `User-Agent` of the SDK, as a literal. */
  identity: string;
  /** Namespaces to import. */
  imports: string[];
  /** Namespaces that `Client.cs` imports. */
  clientImports: string[];
  /** Whether runs can pause. */
  hasFlows: boolean;
  calls: CallView[];
}

interface CallView {
  comment: string;
  rawComment: string;
  /** Base of the method names. */
  name: string;
  /** `NodeCall` or `FlowCall`. */
  kind: string;
  /** Path of a node or graph id of a flow, as a literal. */
  place: string;
  input: string;
  output: string;
  inputCodec: string;
  outputCodec: string;
  /** `Call` of a node, `Run` of a flow. */
  verb: string;
  /** Set for a flow that does not stream. */
  flow: { startComment: string; executionComment: string; warmComment: string } | undefined;
  /** Set for a pipeline member. */
  stream: StreamView | undefined;
}

interface StreamView {
  /** Base of the name of the method that accepts streamed input; undefined for a flow. */
  upload: string | undefined;
  uploadComment: string;
  /** Base of the name of the method that creates a split stream; undefined for a flow, like the names below. */
  create: string | undefined;
  createComment: string;
  /** Name of the method that finds a split stream. */
  find: string | undefined;
  findComment: string;
  /** Base of the name of the method that opens a live session. */
  open: string | undefined;
  openComment: string;
  /** Undefined for a node. */
  warmComment: string | undefined;
}

/** Returns the view with all members, in their order. */
export function clientView(sdk: CsharpSdk): ClientView {
  const { model, package: names } = sdk;
  const { name, description, handle, slug } = model.client;
  const calls = sdk.model.members.map((member) => callView(sdk, member));
  const hasFlows = calls.some(({ flow }) => flow !== undefined);
  const imports = jsonImports(calls.map(({ input, output }) => `${input} ${output}`).join(' '));
  return {
    namespace: names.namespace,
    client: names.client,
    clientComment: summary([
      `Calls the members of the client ${quotedText(name)}. It is safe for concurrent use; share one instance for the lifetime of the program.`,
      description,
    ]),
    identity: stringLiteral(`${handle}-${slug}/${model.semver} (csharp; ${model.generator})`),
    imports,
    clientImports: [...(hasFlows ? ['System.Text.Json'] : []), ...imports],
    hasFlows,
    calls,
  };
}

function callView(sdk: CsharpSdk, member: SdkMember): CallView {
  const { names, texts } = sdk;
  const name = names.calls.get(member.alias) ?? '';
  const isFlow = member.type === 'flow';
  const input = texts.ofRoot(member.input, 'Messages.');
  const output = texts.ofRoot(member.output, 'Messages.');
  const deed = deedOf(member);
  return {
    comment: summary([`${deed}.`, member.comment], 4),
    rawComment: summary([`${deed}, and returns the whole response.`], 4),
    name,
    kind: isFlow ? 'FlowCall' : 'NodeCall',
    place: stringLiteral(isFlow ? member.pin.graph : callPath(member)),
    input: input.type,
    output: output.type,
    inputCodec: input.codec,
    outputCodec: output.codec,
    verb: isFlow ? 'Run' : 'Call',
    flow: isFlow && member.mode === 'unary' ? flowComments(crefOf(sdk, name)) : undefined,
    stream: member.mode === 'pipeline' ? streamView(sdk, member, name) : undefined,
  };
}

/** Describes the method of a member. */
function deedOf(member: SdkMember): string {
  if (member.type === 'flow')
    return `Runs the flow ${quotedText(member.alias)} (artifact ${quotedText(member.pin.artifact)}) and ${member.mode === 'pipeline' ? 'streams' : 'waits for'} its output`;
  const { node, package: packageName, version } = member.pin;
  return `Calls the node ${quotedText(node)} of ${quotedText(packageName)}, version ${version}${member.mode === 'pipeline' ? ', and streams its output' : ''}`;
}

function streamView(sdk: CsharpSdk, { alias, type }: SdkMember, name: string): StreamView {
  const { names } = sdk;
  const session = names.sessions.get(alias);
  const cref = crefOf(sdk, name);
  return {
    upload: names.uploads.get(alias),
    create: session?.create,
    createComment: linkedSummary(
      'Creates a split stream of ',
      cref,
      ', which one program fills and others read.',
      4,
    ),
    find: session?.find,
    findComment: linkedSummary(
      'Returns a split stream of ',
      cref,
      ' by its id, even if another process created it. Sends no request.',
      4,
    ),
    uploadComment: linkedSummary(
      'Calls ',
      cref,
      ' with many messages, which are sent as they are read. The output begins when all of them have been sent.',
      4,
    ),
    open: session?.open,
    openComment: linkedSummary('Opens a session with ', cref, ': input and output at the same time.', 4),
    warmComment: type === 'flow' ? warmComment(cref) : undefined,
  };
}

/** Returns the method of a member, for a reference from the client or its raw form, which may not have the method. */
function crefOf(sdk: CsharpSdk, name: string): string {
  return `${sdk.package.client}.${name}Async`;
}

function warmComment(cref: string): string {
  return linkedSummary('Prepares ', cref, ' for its next run.', 4);
}

function flowComments(cref: string): CallView['flow'] {
  return {
    startComment: linkedSummary('Starts a run of ', cref, ' and does not wait for it.', 4),
    executionComment: linkedSummary(
      'Returns a run of ',
      cref,
      ' by its id, even if another process started it. Sends no request.',
      4,
    ),
    warmComment: warmComment(cref),
  };
}
