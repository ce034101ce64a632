import type { FileView } from '../../language.ts';
import { messagesView } from './messages-view.ts';
import { clientView, operationsView } from './operations-view.ts';
import { clientTestView, connectView } from './programs.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';

/**
 * Returns the files that the packages of all platforms share: sources, and the test of the package.
 * @param header the header by which the package identifies itself to the service.
 */
export async function sourceFiles(sdk: TypeScriptSdk, header: string): Promise<FileView[]> {
  const { model, names, operations } = sdk;
  return [
    file('src/client.ts', clientView(operations, names.client, model.client)),
    file('src/connect.ts', connectView(header)),
    file('src/index.ts', { className: names.client }),
    file('src/messages.ts', await messagesView(sdk)),
    file('src/operations.ts', operationsView(operations)),
    file('test/client.test.ts', clientTestView(operations, names)),
  ];
}

/** Returns a file whose template has the same path. */
export function file(path: string, view: object): FileView {
  return { path, template: path, view };
}
