import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { nodePath } from './client-view.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { callName } from './csharp-sdk.ts';
import { printOf, readerOf } from './json-calls.ts';
import { stringLiteral } from './literals.ts';

/** `tests/Members.cs`: each member, what it may be asked and what it may answer. */
export function testFile(sdk: CsharpSdk): FileView {
  const { callable, model, package: names, texts } = sdk;
  const sampler = createSampler(model.types);
  return {
    path: 'tests/Members.cs',
    template: 'tests/Members.cs',
    view: {
      namespace: names.namespace,
      calls: callable.map((member) => ({
        name: callName(sdk, member) ?? '',
        path: stringLiteral(member.type === 'node' ? nodePath(member) : '/invocations/v1/flows/invoke'),
        graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : 'null',
        input: stringLiteral(JSON.stringify(member.sample)),
        output: stringLiteral(JSON.stringify(sampler.sample(member.output))),
        read: readerOf(texts, member.input, 'Messages.'),
        print: printOf(texts, member.output, 'output'),
      })),
    },
  };
}
