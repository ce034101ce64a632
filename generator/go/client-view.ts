import type { SdkMember } from '../model/sdk-model.ts';
import { foldLines } from '../text/fold-lines.ts';
import { showInvisible } from '../text/show-invisible.ts';
import { docComment } from './doc-comment.ts';
import type { GoSdk } from './go-sdk.ts';
import { quotedLiteral } from './literals.ts';

/** What `client.go` prints; every string is finished Go. */
export interface ClientView {
  packageComment: string;
  packageName: string;
  modulePath: string;
  clientComment: string;
  /** What names the SDK to the service, as a literal. */
  identity: string;
  /** Imports of the standard library. */
  imports: string[];
  calls: CallView[];
}

/** What it says of a member. */
export interface CallView {
  comment: string;
  name: string;
  /** Variable that describes the node or flow. */
  table: string;
  /** `svc.NewNode` or `svc.NewFlow`. */
  constructor: string;
  /** Path of a node or graph id of a flow, as a literal. */
  place: string;
  inputCodec: string;
  outputCodec: string;
  input: string;
  output: string;
  /** `Call` of a node, `Run` of a flow. */
  verb: string;
  /** Set for a flow. */
  flow: FlowView | undefined;
}

interface FlowView {
  start: string;
  startComment: string;
  execution: string;
  executionComment: string;
  warm: string;
  warmComment: string;
}

/** Path of a node beneath the base URL (SPEC.md, Single node). */
export function nodePath(member: Extract<SdkMember, { type: 'node' }>): string {
  const { pin } = member;
  const segments = [...pin.package.split('/'), pin.version, pin.node].map(encodeURIComponent);
  return `/invocations/v1/nodes/${segments.join('/')}`;
}

export function clientView({ model, module }: GoSdk, calls: CallView[]): ClientView {
  const { name, description, handle, slug } = model.client;
  const usesTime = calls.some(({ input, output }) => /\btime\./.test(`${input} ${output}`));
  return {
    packageComment: docComment([
      `Package ${module.packageName} is the Go SDK of the client ${quoted(name)}.`,
      description,
      'Options, errors and runs of flows are in the package svc beneath it.',
    ]),
    packageName: module.packageName,
    modulePath: module.path,
    clientComment: docComment([
      `Client calls the members of the client ${quoted(name)}. It is safe for use by many goroutines, and holds nothing that has to be closed.`,
    ]),
    identity: quotedLiteral(`${handle}-${slug}/${model.semver} (go; ${model.generator})`),
    imports: calls.length === 0 ? [] : ['"context"', ...(usesTime ? ['"time"'] : [])],
    calls,
  };
}

export function callView({ names, texts }: GoSdk, member: SdkMember): CallView {
  const name = names.calls.get(member.alias) ?? '';
  const isFlow = member.type === 'flow';
  const input = texts.ofRoot(member.input);
  const output = texts.ofRoot(member.output);
  return {
    comment: docComment([`${name} ${deedOf(member)}`, member.comment]),
    name,
    table: `${isFlow ? 'flow' : 'node'}${name}`,
    constructor: isFlow ? 'svc.NewFlow' : 'svc.NewNode',
    place: quotedLiteral(isFlow ? member.pin.graph : nodePath(member)),
    inputCodec: input.codec,
    outputCodec: output.codec,
    input: input.type,
    output: output.type,
    verb: isFlow ? 'Run' : 'Call',
    flow: isFlow ? flowView(name, names.flows.get(member.alias)) : undefined,
  };
}

/** What the method of a member does, in a sentence behind its name. */
function deedOf(member: SdkMember): string {
  if (member.type === 'flow') return `runs the flow ${quoted(member.pin.artifact)} and waits for its output.`;
  const { node, package: packageName, version } = member.pin;
  return `calls the node ${quoted(node)} of ${quoted(packageName)}, version ${version}.`;
}

function flowView(name: string, flow = { start: '', execution: '', warm: '' }): FlowView {
  return {
    ...flow,
    startComment: docComment([`${flow.start} starts what ${name} runs, and does not wait for it.`]),
    executionComment: docComment([
      `${flow.execution} finds a run of ${name} by its id, whichever process started it. It sends nothing.`,
    ]),
    warmComment: docComment([`${flow.warm} gets what ${name} runs ready, without running it.`]),
  };
}

/** Untrusted text within a sentence. */
function quoted(text: string): string {
  return `"${foldLines(showInvisible(text))}"`;
}
