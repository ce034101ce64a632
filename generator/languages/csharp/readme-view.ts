import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { exampleFolder } from './example-view.ts';
import { snippet } from './snippet.ts';

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: CsharpSdk): FileView {
  const { model, package: names, callable } = sdk;
  const first = callable.find(({ mode }) => mode === 'unary');
  const flow = callable.find(({ type, mode }) => type === 'flow' && mode === 'unary');
  const stream = callable.find(({ mode }) => mode === 'pipeline');
  const [session] = sdk.names.sessions.values();
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
      namespace: names.namespace,
      client: names.client,
      folder: `${model.client.slug}-sdk-cs`,
      firstCall: first && callName(sdk, first),
      flowCall: flow && callName(sdk, flow),
      streamCall: stream && callName(sdk, stream),
      uploadCall: [...sdk.names.uploads.values()][0],
      createCall: session?.create,
      findCall: session?.find,
      openCall: session?.open,
    },
  };
}
