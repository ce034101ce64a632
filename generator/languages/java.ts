import { clientFile } from '../java/client-view.ts';
import { enumFile } from '../java/enum-view.ts';
import { exampleCommand, exampleFile } from '../java/example-view.ts';
import { callName, javaSdk } from '../java/java-sdk.ts';
import { messageFile } from '../java/message-view.ts';
import { projectFiles } from '../java/project-view.ts';
import { readmeFile } from '../java/readme-view.ts';
import { runtimeContent, runtimePath } from '../java/runtime-files.ts';
import { snippet } from '../java/snippet.ts';
import { javaTerms } from '../java/terms.ts';
import { testFiles } from '../java/test-view.ts';
import type { FileView, Language } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';

/** Java 17 and later: records and builders with exact ProtoJSON, java.net.http, no dependencies (SDK.md, Per language). */
export const language: Language = {
  id: 'java',
  archiveSuffix: 'java',

  manifest(model) {
    const sdk = javaSdk(model);
    return {
      package: {
        name: `${sdk.place.groupId}:${sdk.place.artifactId}`,
        import: sdk.place.packageName,
      },
      // A single test, so that Maven fetches all that it needs for more.
      setup: 'mvn --quiet --batch-mode test -Dtest=ClientTest#showsNoKey',
      test: 'mvn --quiet --batch-mode --offline test',
      example: (member) =>
        callName(sdk, member) === undefined ? undefined : exampleCommand(sdk, member.alias),
    };
  },

  runtimePath: (path, model) => runtimePath(path, javaSdk(model).place),

  runtimeContent: (content, model) => runtimeContent(content, javaSdk(model).place),

  files,

  snippet: (model, member) => snippet(javaSdk(model), member),

  terms: (model) => javaTerms(javaSdk(model)),
};

function files(model: SdkModel): FileView[] {
  const sdk = javaSdk(model);
  return [
    ...projectFiles(sdk),
    clientFile(sdk),
    ...model.types.enums.map((type) => enumFile(sdk, type)),
    ...model.types.messages.map((message) => messageFile(sdk, message)),
    readmeFile(sdk),
    ...testFiles(sdk),
    ...sdk.callable.map((member) => exampleFile(sdk, member)),
  ];
}
