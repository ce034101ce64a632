import type { FileView } from '../../language.ts';
import { createSampler } from '../../model/sample-message.ts';
import { callPath } from '../../model/call-path.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { printOf, readerOf } from './json-calls.ts';
import { stringLiteral } from './literals.ts';

/** Returns `tests/Members.cs`: each member with a sample of its input and output. */
export function testFile(sdk: CsharpSdk): FileView {
  const {
    model,
    names,
    package: { namespace },
    texts,
  } = sdk;
  const sampler = createSampler(model.types);
  return {
    path: 'tests/Members.cs',
    template: 'tests/Members.cs',
    view: {
      namespace,
      calls: model.members.map((member) => ({
        name: callName(sdk, member),
        path: stringLiteral(callPath(member)),
        graph: member.type === 'flow' ? stringLiteral(member.pin.graph) : 'null',
        input: stringLiteral(JSON.stringify(member.sample)),
        output: stringLiteral(JSON.stringify(sampler.sample(member.output))),
        read: readerOf(texts, member.input, { within: 'Messages.' }),
        print: printOf(texts, member.output, 'output'),
        isStream: member.mode === 'pipeline',
        upload: names.uploads.get(member.alias),
        ...names.sessions.get(member.alias),
        execution: member.type === 'flow' ? `${callName(sdk, member)}Execution` : undefined,
      })),
    },
  };
}
