import { clientView } from '../go/client-view.ts';
import { exampleTestFile } from '../go/example-test-view.ts';
import { exampleFolder } from '../go/example-view.ts';
import { callName, goSdk } from '../go/go-sdk.ts';
import type { GoSdk } from '../go/go-sdk.ts';
import { messagesView } from '../go/messages-view.ts';
import { memberViews } from '../go/member-views.ts';
import { readmeFile } from '../go/readme-view.ts';
import { noSnippet } from '../go/snippet.ts';
import { goTerms } from '../go/terms.ts';
import { testFile } from '../go/test-view.ts';
import type { FileView, Language, SdkPlan } from '../language.ts';

/** Go 1.24 and later: one client over net/http, structs with exact ProtoJSON, nothing but the standard library (SDK.md). */
export const language: Language = {
  id: 'go',
  archiveSuffix: 'go',

  plan: (model) => planOf(goSdk(model)),
};

function planOf(sdk: GoSdk): SdkPlan {
  const { path } = sdk.module;
  return {
    manifest: {
      package: { name: path, import: path },
      setup: 'go build ./...',
      test: 'go test ./...',
      example: (member) =>
        callName(sdk, member) === undefined ? undefined : `go run ./${exampleFolder(sdk, member.alias)}`,
    },
    terms: goTerms(sdk),
    files: () => files(sdk),
    runtimePath: (own) => own,
    clientNames: [sdk.module.packageName],
    snippet: (member) => memberViews(sdk).get(member)?.snippet ?? noSnippet,
  };
}

function files(sdk: GoSdk): FileView[] {
  const members = [...memberViews(sdk).values()];
  return [
    { path: 'go.mod', template: 'go.mod', view: { modulePath: sdk.module.path } },
    {
      path: 'client.go',
      template: 'client.go',
      view: clientView(
        sdk,
        members.map(({ call }) => call),
      ),
    },
    { path: 'messages.go', template: 'messages.go', view: messagesView(sdk) },
    readmeFile(sdk),
    testFile(
      sdk,
      members.map(({ tested }) => tested),
    ),
    ...(members.length > 0
      ? [
          exampleTestFile(
            sdk,
            members.map(({ documented }) => documented),
          ),
        ]
      : []),
    ...members.map(({ example }) => example),
  ];
}
