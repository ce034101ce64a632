import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import { shownMembers } from '../../model/shown-members.ts';
import { callName } from '../../names/call-name.ts';
import { exampleFolder } from './example-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { snippet } from './snippet.ts';

/** Returns `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: GoSdk): FileView {
  const { model, module, names } = sdk;
  const { unary, flow, stream, upload } = shownMembers(model);
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
      firstCall: unary && callName(sdk, unary),
      flow: names.flows.get(flow?.alias ?? ''),
      stream: stream && callName(sdk, stream),
      upload: names.uploads.get(upload?.alias ?? ''),
      session: names.sessions.get(upload?.alias ?? ''),
    },
  };
}
