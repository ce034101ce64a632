import type { FileView } from '../../language.ts';
import { readmeView } from '../../documents/readme-view.ts';
import { shownMembers } from '../../model/shown-members.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { call, printAssigned, printExpression } from './expressions.ts';
import { examplePath } from './example-view.ts';
import type { PythonSdk } from './python-sdk.ts';
import { importLine } from './import-line.ts';
import { asyncSnippet, snippet } from './snippet.ts';

/** Returns `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: PythonSdk): FileView {
  const { model, names } = sdk;
  const { unary, flow, stream, upload } = shownMembers(model);
  const name = (unary && callName(sdk, unary)) ?? 'name';
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      ...readmeView(model, {
        fence: 'python',
        heading: (member) => callName(sdk, member),
        snippet: (member) => snippet(sdk, member),
        example: ({ alias }) => examplePath(sdk, alias),
      }),
      distribution: names.distribution,
      module: names.module,
      clientImport: importLine(names.module, ['Client']),
      asyncSnippet: unary === undefined ? '' : asyncSnippet(sdk, unary),
      rawCall: unary === undefined ? '' : printCall('response', `raw.${name}`),
      flow: flow && flowCalls(sdk, flow),
      stream: stream && streamCalls(sdk, stream, upload),
    },
  };
}

/** Shows how a run is started and found again, and how its flow is warmed. */
function flowCalls({ names }: PythonSdk, { alias }: SdkMember): object | undefined {
  const flow = names.flows.get(alias);
  if (flow === undefined) return undefined;
  const found = call(`client.${flow.execution}`, [{ value: 'execution_id' }]);
  return {
    start: printCall('execution', `client.${flow.start}`),
    warm: printExpression(call(`client.${flow.warm}`, []), 0, 0, 0),
    find: printAssigned('execution', found, 0),
  };
}

/** Shows how a stream is read, and how a pipeline node accepts streamed input. */
function streamCalls({ names }: PythonSdk, stream: SdkMember, node: SdkMember | undefined): object {
  const upload = names.uploads.get(node?.alias ?? '');
  const session = names.sessions.get(node?.alias ?? '');
  const uploaded = call(`client.${upload ?? ''}`, [{ value: 'read_messages()' }]);
  return {
    read: printCall('stream', `client.${names.calls.get(stream.alias) ?? ''}`),
    asyncRead: printCall('stream', `async_client.${names.calls.get(stream.alias) ?? ''}`),
    create: session && printAssigned('stream', call(`client.${session.create}`, []), 0),
    find: session && printAssigned('stream', call(`client.${session.find}`, [{ value: 'stream_id' }]), 0),
    open: session && printAssigned('session', call(`client.${session.open}`, []), 0),
    upload: upload === undefined ? '' : printAssigned('stream', uploaded, 0),
  };
}

function printCall(name: string, callee: string): string {
  return printAssigned(name, call(callee, [{ value: 'message' }]), 0);
}
