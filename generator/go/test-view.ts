import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { canonicalSamples } from './canonical-sample.ts';
import { nodePath } from './client-view.ts';
import type { JsonValue, SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { stringLiteral } from './literals.ts';

/** What the tests tell of a member; every string is finished Go. */
export interface TestedCall extends ExchangedMessages {
  packageName: string;
  inputCodec: string;
  outputCodec: string;
}

/** What they tell of it in whatever package. */
export interface ExchangedMessages {
  name: string;
  path: string;
  /** Of a flow, else empty. */
  graph: string;
  /** Canonical ProtoJSON. */
  input: string;
  output: string;
}

export function testedCall(
  { module, texts }: GoSdk,
  { input, output }: SdkMember,
  exchanged: ExchangedMessages,
): TestedCall {
  const within = `${module.packageName}.`;
  return {
    ...exchanged,
    packageName: module.packageName,
    inputCodec: texts.ofRoot(input, within).codec,
    outputCodec: texts.ofRoot(output, within).codec,
  };
}

export function exchangedMessages(sdk: GoSdk, member: SdkMember): ExchangedMessages {
  const { model } = sdk;
  const canonical = canonicalSamples(model.types);
  const output = createSampler(model.types).sample(member.output);
  return {
    name: callName(sdk, member) ?? '',
    path: stringLiteral(member.type === 'node' ? nodePath(member) : '/invocations/v1/flows/invoke'),
    graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : '',
    input: literalOf(member.sample, () => canonical(member.input, member.sample)),
    output: literalOf(output, () => canonical(member.output, output)),
  };
}

/** By the sample, which is of a type of one definition: no name is in it. */
const literals = createMemory<object, string>();

function literalOf(sample: JsonValue, canonical: () => JsonValue): string {
  const make = (): string => stringLiteral(JSON.stringify(canonical()));
  return typeof sample === 'object' && sample !== null ? literals.recall(sample, '', make) : make();
}

/** `client_test.go`: each member is called once, against a server that answers what the member may give. */
export function testFile({ module }: GoSdk, calls: readonly TestedCall[]): FileView {
  return {
    path: 'client_test.go',
    template: 'client_test.go',
    view: {
      packageName: module.packageName,
      modulePath: module.path,
      importLine: module.importLine,
      hasCalls: calls.length > 0,
      calls,
    },
  };
}
