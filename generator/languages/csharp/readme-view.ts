import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { shownMembers } from '../../model/shown-members.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { exampleFolder } from './example-view.ts';
import { jsonImports } from './json-imports.ts';
import { snippet } from './snippet.ts';

/** Returns an enum and the value that a program of the README compares with; absent without an enum. */
function shownEnum({ model, texts }: CsharpSdk): { type: string; value: string } | undefined {
  const values = model.types.enums.flatMap(({ fullName, deprecated, values }) =>
    values.filter((value) => !deprecated && !value.deprecated).map((value) => ({ fullName, ...value })),
  );
  const shown = values.find(({ number }) => number !== 0) ?? values[0];
  return (
    shown && { type: texts.typeName(shown.fullName), value: texts.valueName(shown.fullName, shown.name) }
  );
}

/** A mock of the client for tests of a program, which overrides the method of a unary member. */
interface MockView {
  /** Namespaces to import. */
  imports: string[];
  call: string;
  input: string;
  output: string;
}

function mockOf({ model, package: names, texts }: CsharpSdk, member: SdkMember, call: string): MockView {
  const [input, output] = [texts.ofRoot(member.input, '').type, texts.ofRoot(member.output, '').type];
  const hasMessages = model.types.messages.length + model.types.enums.length > 0;
  return {
    imports: [
      ...jsonImports(`${input} ${output}`),
      ...['System.Threading', 'System.Threading.Tasks', names.namespace],
      ...(hasMessages ? [names.messages] : []),
    ],
    call,
    input,
    output,
  };
}

/** Returns `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: CsharpSdk): FileView {
  const { model, package: names } = sdk;
  const { uploads, sessions } = sdk.names;
  const { unary, flow, stream, upload } = shownMembers(model);
  const firstCall = unary && callName(sdk, unary);
  const session = sessions.get(upload?.alias ?? '');
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      ...readmeView(model, {
        fence: 'csharp',
        heading: (member) => `${callName(sdk, member)}Async`,
        snippet: (member) => snippet(sdk, member),
        example: ({ alias }) => exampleFolder(sdk, alias),
      }),
      id: names.id,
      namespace: names.namespace,
      client: names.client,
      folder: `${model.client.slug}-sdk-cs`,
      firstCall,
      mock: unary && mockOf(sdk, unary, firstCall ?? ''),
      flowCall: flow && callName(sdk, flow),
      streamCall: stream && callName(sdk, stream),
      uploadCall: uploads.get(upload?.alias ?? ''),
      createCall: session?.create,
      findCall: session?.find,
      openCall: session?.open,
      enum: shownEnum(sdk),
    },
  };
}
