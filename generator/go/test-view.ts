import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { createMemory } from '../remember.ts';
import { canonicalSamples } from './canonical-sample.ts';
import { nodePath } from './client-view.ts';
import type { JsonValue } from '../model/sdk-model.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { stringLiteral } from './literals.ts';

/** Literals of samples, by the sample or the message that it is of: both belong to a published package. */
const literals = createMemory<object, string>();

/** `client_test.go`: each member is called once, against a server that answers what the member may give. */
export function testFile(sdk: GoSdk): FileView {
  const { callable, model, module, texts } = sdk;
  const sampler = createSampler(model.types);
  const canonical = canonicalSamples(model.types);
  const within = `${module.packageName}.`;
  const messages = new Map(model.types.messages.map((message) => [message.fullName, message]));
  const literalOf = (subject: unknown, sample: () => JsonValue): string => {
    const make = (): string => stringLiteral(JSON.stringify(sample()));
    return typeof subject === 'object' && subject !== null ? literals.recall(subject, '', make) : make();
  };
  return {
    path: 'client_test.go',
    template: 'client_test.go',
    view: {
      packageName: module.packageName,
      modulePath: module.path,
      importLine: module.importLine,
      hasCalls: callable.length > 0,
      calls: callable.map((member) => ({
        name: callName(sdk, member) ?? '',
        path: stringLiteral(member.type === 'node' ? nodePath(member) : '/invocations/v1/flows/invoke'),
        graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : '',
        input: literalOf(member.sample, () => canonical(member.input, member.sample)),
        output: literalOf(messages.get(member.output), () =>
          canonical(member.output, sampler.sample(member.output)),
        ),
        inputCodec: texts.ofRoot(member.input, within).codec,
        outputCodec: texts.ofRoot(member.output, within).codec,
      })),
    },
  };
}
