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
export interface TestedCall {
  packageName: string;
  name: string;
  path: string;
  /** Of a flow, else empty. */
  graph: string;
  /** Canonical ProtoJSON. */
  input: string;
  output: string;
  inputCodec: string;
  outputCodec: string;
}

export function testedCall(sdk: GoSdk, member: SdkMember): TestedCall {
  const { model, module, texts } = sdk;
  const canonical = canonicalSamples(model.types);
  const within = `${module.packageName}.`;
  const output = createSampler(model.types).sample(member.output);
  return {
    packageName: module.packageName,
    name: callName(sdk, member) ?? '',
    path: stringLiteral(member.type === 'node' ? nodePath(member) : '/invocations/v1/flows/invoke'),
    graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : '',
    input: literalOf(member.sample, () => canonical(member.input, member.sample)),
    output: literalOf(output, () => canonical(member.output, output)),
    inputCodec: texts.ofRoot(member.input, within).codec,
    outputCodec: texts.ofRoot(member.output, within).codec,
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
