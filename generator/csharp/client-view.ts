import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { foldLines } from '../text/fold-lines.ts';
import { showInvisible } from '../text/show-invisible.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { summary } from './doc-comment.ts';
import { stringLiteral } from './literals.ts';

/** What `Client.cs`, `RawClient.cs` and `Calls.cs` print; every string is finished C#. */
export interface ClientView {
  namespace: string;
  clientComment: string;
  /** What names the SDK to the service, as a literal. */
  identity: string;
  /** Namespaces to import. */
  imports: string[];
  calls: CallView[];
}

interface CallView {
  comment: string;
  rawComment: string;
  /** What the methods are called after. */
  name: string;
  /** `NodeCall` or `FlowCall`. */
  kind: string;
  /** Path of a node or graph id of a flow, as a literal. */
  place: string;
  input: string;
  output: string;
  inputCodec: string;
  outputCodec: string;
  /** Whether it takes or gives JSON. */
  usesNodes: boolean;
  /** `Call` of a node, `Run` of a flow. */
  verb: string;
  flow: { startComment: string; executionComment: string; warmComment: string } | undefined;
}

/** Path of a node beneath the base URL (SPEC.md, Single node). */
export function nodePath(member: Extract<SdkMember, { type: 'node' }>): string {
  const { pin } = member;
  const segments = [...pin.package.split('/'), pin.version, pin.node].map(encodeURIComponent);
  return `/invocations/v1/nodes/${segments.join('/')}`;
}

export function clientView(sdk: CsharpSdk): ClientView {
  const { model, package: names } = sdk;
  const { name, description, handle, slug } = model.client;
  const calls = sdk.callable.map((member) =>
    callViews.recall(member, sdk.memberWords(member).call, () => callView(sdk, member)),
  );
  const usesNodes = calls.some((call) => call.usesNodes);
  return {
    namespace: names.namespace,
    clientComment: summary([
      `Calls the members of the client ${quoted(name)}. It is safe for use by many threads at once, and should live as long as the program.`,
      description,
    ]),
    identity: stringLiteral(`${handle}-${slug}/${model.semver} (csharp; ${model.generator})`),
    imports: usesNodes ? ['System.Text.Json.Nodes'] : [],
    calls,
  };
}

const callViews = createMemory<SdkMember, CallView>();

function callView({ names, texts }: CsharpSdk, member: SdkMember): CallView {
  const name = names.calls.get(member.alias) ?? '';
  const isFlow = member.type === 'flow';
  const input = texts.ofRoot(member.input, 'Messages.');
  const output = texts.ofRoot(member.output, 'Messages.');
  const deed = deedOf(member);
  return {
    comment: summary([`${deed}.`, member.comment], 4),
    rawComment: summary([`${deed}, and gives the whole answer.`], 4),
    name,
    kind: isFlow ? 'FlowCall' : 'NodeCall',
    place: stringLiteral(isFlow ? member.pin.graph : nodePath(member)),
    input: input.type,
    output: output.type,
    inputCodec: input.codec,
    outputCodec: output.codec,
    usesNodes: /\bJson(Object|Array)\b/.test(`${input.type} ${output.type}`),
    verb: isFlow ? 'Run' : 'Call',
    flow: isFlow ? flowComments(name) : undefined,
  };
}

/** What the method of a member does. */
function deedOf(member: SdkMember): string {
  if (member.type === 'flow') return `Runs the flow ${quoted(member.pin.artifact)} and waits for its output`;
  const { node, package: packageName, version } = member.pin;
  return `Calls the node ${quoted(node)} of ${quoted(packageName)}, version ${version}`;
}

function flowComments(name: string): CallView['flow'] {
  return {
    startComment: summary([`Starts what ${name}Async runs, and does not wait for it.`], 4),
    executionComment: summary(
      [`Finds a run of ${name}Async by its id, whichever process started it. It sends nothing.`],
      4,
    ),
    warmComment: summary([`Gets what ${name}Async runs ready, without running it.`], 4),
  };
}

/** Untrusted text within a sentence. */
function quoted(text: string): string {
  return `"${foldLines(showInvisible(text))}"`;
}
