import { readmeView } from '../../documents/readme-view.ts';
import type { FileView } from '../../language.ts';
import { shownMembers } from '../../model/shown-members.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { manifestCommands } from './commands.ts';
import { exampleCommand } from './example-view.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { snippet } from './snippet.ts';
import { assignment, resourceHead } from './statements.ts';

/** Returns `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: JavaSdk): FileView {
  const { model, place, names, texts } = sdk;
  const { unary, flow, stream, upload } = shownMembers(model);
  const flowNames = names.flows.get(flow?.alias ?? '');
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      ...readmeView(model, {
        fence: 'java',
        heading: (member) => callName(sdk, member),
        snippet: (member) => snippet(sdk, member),
        example: ({ alias }) => exampleCommand(sdk, alias),
      }),
      ...place,
      ...manifestCommands,
      firstCall: unary && callName(sdk, unary),
      firstOutput: unary && texts.ofRoot(unary.output).boxed,
      firstTypes: unary && importsOf(sdk, unary.output),
      stream: stream && {
        call: callName(sdk, stream),
        output: texts.ofRoot(stream.output).boxed,
        types: importsOf(sdk, stream.output),
      },
      upload: upload && nodeStreams(sdk, upload),
      flow: flow &&
        flowNames && {
          ...flowNames,
          output: texts.ofRoot(flow.output).boxed,
          types: importsOf(sdk, flow.output),
        },
    },
  };
}

/** Returns the imports of a snippet that uses the types of these messages. */
function importsOf({ texts, place, ownTypes }: JavaSdk, ...messages: readonly string[]): string[] {
  const types = typesIn(
    messages.map((message) => texts.ofRoot(message).boxed),
    ownTypes,
  );
  return fullNames(types, place.packageName);
}

/** Shows how a pipeline node accepts streamed input: in one request, in a split stream, and in a live session. */
function nodeStreams(sdk: JavaSdk, { alias, input, output }: SdkMember): object {
  const { names, texts } = sdk;
  const own = { input: texts.ofRoot(input).boxed, output: texts.ofRoot(output).boxed };
  const { create, find, open } = names.sessions.get(alias) ?? { create: '', find: '', open: '' };
  const split = `SplitStream<${own.input}, ${own.output}> stream`;
  return {
    ...own,
    types: importsOf(sdk, input, output),
    call: names.uploads.get(alias),
    created: assignment(split, { callee: `client.${create}`, args: [] }, 0),
    listed: assignment(`List<${own.input}> inputs`, { callee: 'List.of', args: ['input', 'input'] }, 0),
    opened: resourceHead(
      `LiveSession<${own.input}, ${own.output}> session`,
      { callee: `client.${open}`, args: [] },
      0,
    ),
    found: assignment(split, { callee: `client.${find}`, args: ['id'] }, 0),
  };
}
