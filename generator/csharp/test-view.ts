import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { jsonOfSample } from '../model/json-of-sample.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { nodePath } from './client-view.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { callName } from './csharp-sdk.ts';
import { printOf, readerOf } from './json-calls.ts';
import { stringLiteral } from './literals.ts';

/** `tests/Members.cs`: each member, what it may be asked and what it may answer. */
export function testFile(sdk: CsharpSdk): FileView {
  const { callable, model, package: names } = sdk;
  const sampler = createSampler(model.types);
  return {
    path: 'tests/Members.cs',
    template: 'tests/Members.cs',
    view: {
      namespace: names.namespace,
      calls: callable.map((member) => {
        const output = jsonOfSample(sampler.sample(member.output));
        const words = `${sdk.memberWords(member).call} ${output}`;
        return memberViews.recall(member, words, () => memberView(sdk, member, output));
      }),
    },
  };
}

/** A member in the tests; every string is finished C#. */
interface MemberView {
  name: string;
  path: string;
  graph: string;
  input: string;
  output: string;
  read: string;
  print: string;
}

/** By the names in them, and by what the member may give. */
const memberViews = createMemory<SdkMember, MemberView>();

function memberView(sdk: CsharpSdk, member: SdkMember, output: string): MemberView {
  return {
    name: callName(sdk, member) ?? '',
    path: stringLiteral(member.type === 'node' ? nodePath(member) : '/invocations/v1/flows/invoke'),
    graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : 'null',
    input: stringLiteral(jsonOfSample(member.sample)),
    output: stringLiteral(output),
    read: readerOf(sdk.texts, member.input, 'Messages.'),
    print: printOf(sdk.texts, member.output, 'output'),
  };
}
