import { clientFile } from './client-view.ts';
import { enumFile } from './enum-view.ts';
import { manifestCommands } from './commands.ts';
import { exampleCommand, exampleFile } from './example-view.ts';
import { javaSdk } from './java-sdk.ts';
import type { JavaSdk } from './java-sdk.ts';
import { messageFile } from './message-view.ts';
import { oneofFile } from './oneof-view.ts';
import { projectFiles } from './project-view.ts';
import { readmeFile } from './readme-view.ts';
import { runtimeContent, runtimePath } from './runtime-package.ts';
import { snippet } from './snippet.ts';
import { javaTerms } from './terms.ts';
import { testFiles } from './test-view.ts';
import type { FileView, Language, SdkPlan } from '../../language.ts';

/** Java 17 and later: messages with builders and exact ProtoJSON, java.net.http, no dependencies. */
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
      ...manifestCommands,
      example: (member) => exampleCommand(sdk, member.alias),
    },
    terms: javaTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => runtimePath(path, place),
    runtimeContent: (text) => runtimeContent(text, place),
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
    ...messages.flatMap((message) => message.oneofs.map((oneof) => oneofFile(sdk, message, oneof))),
    readmeFile(sdk),
    ...testFiles(sdk),
    ...sdk.model.members.map((member) => exampleFile(sdk, member)),
  ];
}
