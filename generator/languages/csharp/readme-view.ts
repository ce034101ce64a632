import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import { inOrderAdded } from '../../model/in-order-added.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { exampleFolder } from './example-view.ts';
import { snippet } from './snippet.ts';

/** An enum and the value that a program of the README compares with; absent without an enum. */
function shownEnum({ model, texts }: CsharpSdk): { type: string; value: string } | undefined {
  const values = model.types.enums.flatMap(({ fullName, deprecated, values }) =>
    values.filter((value) => !deprecated && !value.deprecated).map((value) => ({ fullName, ...value })),
  );
  const shown = values.find(({ number }) => number !== 0) ?? values[0];
  return (
    shown && { type: texts.typeName(shown.fullName), value: texts.valueName(shown.fullName, shown.name) }
  );
}

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: CsharpSdk): FileView {
  const { model, package: names, callable } = sdk;
  const { uploads, sessions } = sdk.names;
  const added = inOrderAdded(model, callable);
  const first = added.find(({ mode }) => mode === 'unary');
  const flow = added.find(({ type, mode }) => type === 'flow' && mode === 'unary');
  const stream = added.find(({ mode }) => mode === 'pipeline');
  const upload = added.find(({ alias }) => uploads.has(alias))?.alias ?? '';
  const session = sessions.get(upload);
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      ...readmeView(model, callable, {
        fence: 'csharp',
        heading: (member) => `${callName(sdk, member) ?? ''}Async`,
        snippet: (member) => snippet(sdk, member),
        example: ({ alias }) => exampleFolder(sdk, alias),
      }),
      id: names.id,
      namespace: names.namespace,
      client: names.client,
      folder: `${model.client.slug}-sdk-cs`,
      firstCall: first && callName(sdk, first),
      flowCall: flow && callName(sdk, flow),
      streamCall: stream && callName(sdk, stream),
      uploadCall: uploads.get(upload),
      createCall: session?.create,
      findCall: session?.find,
      openCall: session?.open,
      enum: shownEnum(sdk),
    },
  };
}
