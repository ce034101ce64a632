import { clientView } from './client-view.ts';
import { exampleTestFile } from './example-test-view.ts';
import { exampleFile, exampleFolder } from './example-view.ts';
import { goSdk } from './go-sdk.ts';
import type { GoSdk } from './go-sdk.ts';
import { messagesView } from './messages-view.ts';
import { readmeFile } from './readme-view.ts';
import { snippet } from './snippet.ts';
import { goTerms } from './terms.ts';
import { testFile } from './test-view.ts';
import type { FileView, Language, SdkPlan } from '../../language.ts';

/** Go 1.24 and later: one client over net/http, structs with exact ProtoJSON, and one library for WebSockets. */
export const language: Language = {
  id: 'go',
  archiveSuffix: 'go',

  plan: (model) => planOf(goSdk(model)),
  // Handlers use the messages of the Go protobuf library, in the module's package `messages`.
  handlerPlugin: {
    command: ['go', 'tool', 'protoc-gen-go'],
    parameter: (files) => ['module=greeter', ...files.map((file) => `M${file}=greeter/messages`)].join(','),
    missing: 'install Go 1.24 or later, https://go.dev',
  },
};

/** Module path in the imports of runtime sources, which the archive's path replaces. */
const runtimeModule = 'svc.runtime';

function planOf(sdk: GoSdk): SdkPlan {
  const { path } = sdk.module;
  return {
    manifest: {
      package: { name: path, import: path },
      setup: 'go build ./...',
      test: 'go test ./...',
      example: (member) => `go run ./${exampleFolder(sdk, member.alias)}`,
    },
    terms: goTerms(sdk),
    files: () => files(sdk),
    runtimePath: (own) => own,
    runtimeContent: (text) => text.replaceAll(`"${runtimeModule}/`, `"${path}/`),
    snippet: (member) => snippet(sdk, member),
  };
}

function files(sdk: GoSdk): FileView[] {
  return [
    { path: 'go.mod', template: 'go.mod', view: { modulePath: sdk.module.path } },
    { path: 'client.go', template: 'client.go', view: clientView(sdk) },
    { path: 'messages.go', template: 'messages.go', view: messagesView(sdk) },
    readmeFile(sdk),
    testFile(sdk),
    ...(sdk.model.members.length > 0 ? [exampleTestFile(sdk)] : []),
    ...sdk.model.members.map((member) => exampleFile(sdk, member)),
  ];
}
