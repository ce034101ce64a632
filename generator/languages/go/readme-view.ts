import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import { inOrderAdded } from '../../model/in-order-added.ts';
import { callName } from '../../names/call-name.ts';
import { exampleFolder } from './example-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { snippet } from './snippet.ts';

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: GoSdk): FileView {
  const { model, module, names } = sdk;
  const added = inOrderAdded(model);
  const first = added.find(({ mode }) => mode === 'unary');
  const flow = added.find(({ type, mode }) => type === 'flow' && mode === 'unary');
  const stream = added.find(({ mode }) => mode === 'pipeline');
  const upload = added.find(({ alias }) => names.uploads.has(alias))?.alias ?? '';
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      ...readmeView(model, {
        fence: 'go',
        heading: (member) => callName(sdk, member),
        snippet: (member) => snippet(sdk, member),
        example: ({ alias }) => exampleFolder(sdk, alias),
      }),
      modulePath: module.path,
      packageName: module.packageName,
      importLine: module.importLine,
      firstCall: first && callName(sdk, first),
      flow: names.flows.get(flow?.alias ?? ''),
      stream: stream && callName(sdk, stream),
      upload: names.uploads.get(upload),
      session: names.sessions.get(upload),
    },
  };
}
