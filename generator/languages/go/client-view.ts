import type { SdkMember } from '../../model/sdk-model.ts';
import { quotedText } from '../../text/quoted-text.ts';
import { callPath } from '../../model/call-path.ts';
import type { SessionNames } from '../../names/plan-methods.ts';
import { docComment } from './doc-comment.ts';
import type { GoSdk } from './go-sdk.ts';
import { quotedLiteral } from './literals.ts';

/** View of `client.go`; every string is finished Go. */
interface ClientView {
  packageComment: string;
  packageName: string;
  modulePath: string;
  clientComment: string;
  /** The `User-Agent` of the SDK, as a literal. */
  identity: string;
  /** Imports of the standard library. */
  imports: string[];
  /** Whether a call has an input or output that is not from the package. */
  usesProtojson: boolean;
  /** Whether there are runs, which can pause. */
  hasFlows: boolean;
  calls: CallView[];
}

interface CallView {
  comment: string;
  name: string;
  /** Variable that describes the node or flow. */
  table: string;
  /** `calls.NewNode` or `calls.NewFlow`. */
  constructor: string;
  /** Path of a node or graph id of a flow, as a literal. */
  place: string;
  inputCodec: string;
  outputCodec: string;
  input: string;
  output: string;
  /** `Call` of a node, `Run` of a flow. */
  verb: string;
  /** Set for a flow that does not stream. */
  flow: FlowView | undefined;
  /** Set for a pipeline member. */
  stream: StreamView | undefined;
}

interface StreamView {
  upload: string | undefined;
  uploadComment: string;
  /** Set for a node. */
  session: SessionView | undefined;
  /** Set for a flow. */
  warm: string | undefined;
  warmComment: string;
}

interface SessionView extends SessionNames {
  createComment: string;
  findComment: string;
  openComment: string;
}

interface FlowView {
  start: string;
  startComment: string;
  execution: string;
  executionComment: string;
  warm: string;
  warmComment: string;
}

/** Returns the view with all members, in their order. */
export function clientView(sdk: GoSdk): ClientView {
  const { model, module } = sdk;
  const calls = sdk.model.members.map((member) => callView(sdk, member));
  const { name, description, handle, slug } = model.client;
  const hasFlows = calls.some(({ flow }) => flow !== undefined);
  const usesTime = calls.some(({ input, output }) => /\btime\./.test(`${input} ${output}`));
  const usesStreams = calls.some(({ stream }) => stream !== undefined);
  return {
    packageComment: docComment([
      `Package ${module.packageName} is the Go SDK of the client ${quotedText(name)}.`,
      description,
      'Options, errors and runs of flows are in the package svc beneath it.',
    ]),
    packageName: module.packageName,
    modulePath: module.path,
    clientComment: docComment([
      `Client calls the members of the client ${quotedText(name)}. Create one with New: the zero value is not usable. It is safe for concurrent use and needs no closing.`,
    ]),
    identity: quotedLiteral(`${handle}-${slug}/${model.semver} (go; ${model.generator})`),
    imports:
      calls.length === 0
        ? []
        : [
            '"context"',
            ...(hasFlows ? ['"encoding/json"'] : []),
            ...(hasFlows || usesStreams ? ['"iter"'] : []),
            ...(usesTime ? ['"time"'] : []),
          ],
    hasFlows,
    usesProtojson: calls.some((call) => `${call.inputCodec} ${call.outputCodec}`.includes('protojson.')),
    calls,
  };
}

function callView(sdk: GoSdk, member: SdkMember): CallView {
  const { names, texts } = sdk;
  const name = names.calls.get(member.alias) ?? '';
  const isFlow = member.type === 'flow';
  const input = texts.ofRoot(member.input);
  const output = texts.ofRoot(member.output);
  return {
    comment: docComment([`${name} ${deedOf(member)}`, member.comment]),
    name,
    table: `${isFlow ? 'flow' : 'node'}${name}`,
    constructor: isFlow ? 'calls.NewFlow' : 'calls.NewNode',
    place: quotedLiteral(isFlow ? member.pin.graph : callPath(member)),
    inputCodec: input.codec,
    outputCodec: output.codec,
    input: input.type,
    output: output.type,
    verb: isFlow ? 'Run' : 'Call',
    flow: isFlow && member.mode === 'unary' ? flowView(name, names.flows.get(member.alias)) : undefined,
    stream: member.mode === 'pipeline' ? streamView(sdk, member, name) : undefined,
  };
}

/** Describes the method of a member; the sentence begins with its name. */
function deedOf(member: SdkMember): string {
  if (member.type === 'flow')
    return `runs the flow ${quotedText(member.alias)} (artifact ${quotedText(member.pin.artifact)}) and ${member.mode === 'pipeline' ? 'streams' : 'waits for'} its output.`;
  const { node, package: packageName, version } = member.pin;
  return `calls the node ${quotedText(node)} of ${quotedText(packageName)}, version ${version}.`;
}

function streamView({ names }: GoSdk, { alias }: SdkMember, name: string): StreamView {
  const upload = names.uploads.get(alias);
  const warm = names.flows.get(alias)?.warm;
  return {
    session: sessionView(name, names.sessions.get(alias)),
    upload,
    uploadComment: docComment([
      `${upload ?? ''} calls ${name} with many messages, which are sent as they are read. The output begins when all of them have been sent. A source that blocks can run on after the call until its next message.`,
    ]),
    warm,
    warmComment: docComment([`${warm ?? ''} prepares ${name} for its next run.`]),
  };
}

function sessionView(name: string, session: SessionNames | undefined): SessionView | undefined {
  return (
    session && {
      ...session,
      createComment: docComment([
        `${session.create} creates a stream of ${name} whose input and output travel in requests of their own.`,
      ]),
      findComment: docComment([
        `${session.find} returns a stream of ${name} by its id, even if another process created it. It sends no request.`,
      ]),
      openComment: docComment([
        `${session.open} opens a live session with ${name}. ctx limits the whole session, and the timeout the time until it is ready.`,
      ]),
    }
  );
}

function flowView(name: string, flow = { start: '', execution: '', warm: '' }): FlowView {
  return {
    ...flow,
    startComment: docComment([`${flow.start} starts a run of ${name} and does not wait for it.`]),
    executionComment: docComment([
      `${flow.execution} returns a run of ${name} by its id, even if another process started it. It sends no request, and does not check that the run is one of ${name}.`,
    ]),
    warmComment: docComment([`${flow.warm} prepares ${name} for its next run.`]),
  };
}
