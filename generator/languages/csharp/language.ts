import { clientView } from './client-view.ts';
import { csharpSdk } from './csharp-sdk.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { exampleFiles, exampleFolder } from './example-view.ts';
import { messagesView } from './messages-view.ts';
import { projectView } from './project-view.ts';
import { readmeFile } from './readme-view.ts';
import { snippet } from './snippet.ts';
import { solutionView } from './solution-view.ts';
import { csharpTerms } from './terms.ts';
import { testFile } from './test-view.ts';
import type { FileView, Language, SdkPlan } from '../../language.ts';
import { callName } from '../../names/call-name.ts';

/** C# for .NET 8 and later: one client over HttpClient, records with exact ProtoJSON, nothing but the standard library. */
export const language: Language = {
  id: 'csharp',
  archiveSuffix: 'cs',

  plan: (model) => planOf(csharpSdk(model)),
};

/** Namespace of the runtime sources, replaced by that of the package. */
const runtimeNamespace = 'Svc.Runtime';

/** The client in tests of the runtime, replaced by that of the package. */
const runtimeClient = 'SvcClient';

const memberTests: ReadonlySet<string> = new Set(
  ['FollowTests', 'LiveTests', 'Member', 'MemberTests', 'SplitTests'].map((name) => `tests/${name}.cs`),
);

function planOf(sdk: CsharpSdk): SdkPlan {
  const { client, namespace } = sdk.package;
  return {
    manifest: {
      package: { name: namespace, import: namespace },
      setup: 'dotnet build tests',
      test: 'dotnet test tests --no-build',
      example: (member) =>
        callName(sdk, member) === undefined
          ? undefined
          : `dotnet run --project ${exampleFolder(sdk, member.alias)} --`,
    },
    terms: csharpTerms(sdk),
    files: () => files(sdk),
    // Without a member there is none to test.
    runtimePath: (path) => (memberTests.has(path) && sdk.callable.length === 0 ? undefined : path),
    // C# has no relative namespaces: one shared by all packages would clash in programs that use two of them.
    runtimeContent: (text) => text.replaceAll(runtimeNamespace, namespace).replaceAll(runtimeClient, client),
    snippet: (member) => snippet(sdk, member),
  };
}

function files(sdk: CsharpSdk): FileView[] {
  const { namespace } = sdk.package;
  const client = clientView(sdk);
  return [
    { path: `src/${namespace}.csproj`, template: 'src/Package.csproj', view: projectView(sdk) },
    { path: `${namespace}.sln`, template: 'Package.sln', view: solutionView(sdk) },
    { path: 'src/Client.cs', template: 'src/Client.cs', view: client },
    { path: 'src/RawClient.cs', template: 'src/RawClient.cs', view: client },
    { path: 'src/Calls.cs', template: 'src/Calls.cs', view: client },
    { path: 'src/Messages.cs', template: 'src/Messages.cs', view: messagesView(sdk) },
    { path: `tests/${namespace}.Tests.csproj`, template: 'tests/Tests.csproj', view: { namespace } },
    ...(sdk.callable.length > 0 ? [testFile(sdk)] : []),
    readmeFile(sdk),
    ...sdk.callable.flatMap((member) => exampleFiles(sdk, member)),
  ];
}
