import { clientFile } from '../java/client-view.ts';
import { enumFile } from '../java/enum-view.ts';
import { exampleCommand, exampleFile } from '../java/example-view.ts';
import { callName, javaSdk } from '../java/java-sdk.ts';
import type { JavaSdk } from '../java/java-sdk.ts';
import { messageFile } from '../java/message-view.ts';
import { projectFiles } from '../java/project-view.ts';
import { readmeFile } from '../java/readme-view.ts';
import { runtimeContent, runtimePath } from '../java/runtime-files.ts';
import { snippet } from '../java/snippet.ts';
import { javaTerms } from '../java/terms.ts';
import { testFiles } from '../java/test-view.ts';
import type { FileView, Language, SdkPlan } from '../language.ts';

/** Java 17 and later: records and builders with exact ProtoJSON, java.net.http, no dependencies (SDK.md, Per language). */
export const language: Language = {
  id: 'java',
  archiveSuffix: 'java',

  plan: (model) => planOf(javaSdk(model)),
};

function planOf(sdk: JavaSdk): SdkPlan {
  const { place } = sdk;
  return {
    manifest: {
      package: { name: `${place.groupId}:${place.artifactId}`, import: place.packageName },
      // A single test, so that Maven fetches all that it needs for more.
      setup: 'mvn --quiet --batch-mode test -Dtest=ClientTest#showsNoKey',
      test: 'mvn --quiet --batch-mode --offline test',
      example: (member) =>
        callName(sdk, member) === undefined ? undefined : exampleCommand(sdk, member.alias),
    },
    terms: javaTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => runtimePath(path, place),
    runtimeContent: (content) => runtimeContent(content, place.packageName),
    clientNames: [place.clientClass],
    snippet: (member) => snippet(sdk, member),
  };
}

function files(sdk: JavaSdk): FileView[] {
  const { messages, enums } = sdk.model.types;
  return [
    ...projectFiles(sdk),
    clientFile(sdk),
    ...enums.map((type) => enumFile(sdk, type)),
    ...messages.map((message) => messageFile(sdk, message)),
    readmeFile(sdk),
    ...testFiles(sdk),
    ...sdk.callable.map((member) => exampleFile(sdk, member)),
  ];
}
