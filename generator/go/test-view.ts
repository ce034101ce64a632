import type { FileView } from '../language.ts';
import { createSampler } from '../model/sample-message.ts';
import { nodePath } from './client-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { stringLiteral } from './literals.ts';

/** `client_test.go`: each member is called once, against a server that answers what the member may give. */
export function testFile(sdk: GoSdk): FileView {
  const { callable, model, module, texts } = sdk;
  const sampler = createSampler(model.types);
  const within = `${module.packageName}.`;
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
        input: stringLiteral(JSON.stringify(member.sample)),
        output: stringLiteral(JSON.stringify(sampler.sample(member.output))),
        inputCodec: texts.ofRoot(member.input, within).codec,
        outputCodec: texts.ofRoot(member.output, within).codec,
      })),
    },
  };
}
