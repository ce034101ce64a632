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
import type { SdkMember } from '../../model/sdk-model.ts';

/** C# for .NET 8 and later: one client over HttpClient, records with exact ProtoJSON, nothing but the standard library. */
export const language: Language = {
  id: 'csharp',
  archiveSuffix: 'cs',

  plan: (model) => planOf(csharpSdk(model)),
};

/** Namespace of the runtime sources, which the package's namespace replaces. */
const runtimeNamespace = 'Svc.Runtime';

/** The client in tests of the runtime, which the package's client replaces. */
const runtimeClient = 'SvcClient';

/** Tests of the runtime that need at least one such member. */
const memberTests: Readonly<Record<string, (member: SdkMember) => boolean>> = {
  'tests/FollowTests.cs': ({ type, mode }) => type === 'flow' && mode === 'unary',
  'tests/LiveTests.cs': isPipelineNode,
  'tests/Member.cs': () => true,
  'tests/MemberTests.cs': () => true,
  'tests/SplitTests.cs': isPipelineNode,
  'tests/StreamTests.cs': ({ mode }) => mode === 'pipeline',
  'tests/UploadTests.cs': isPipelineNode,
};

/** Reports whether a test of the runtime has data. xUnit fails a theory without data. */
function hasDataFor({ model }: CsharpSdk, path: string): boolean {
  const needed = memberTests[path];
  return needed === undefined || model.members.some(needed);
}

function isPipelineNode({ type, mode }: SdkMember): boolean {
  return type === 'node' && mode === 'pipeline';
}

function planOf(sdk: CsharpSdk): SdkPlan {
  const { id, client, namespace } = sdk.package;
  return {
    manifest: {
      package: { name: id, import: namespace },
      setup: 'dotnet build tests',
      // Without a build, it reports success for tests that were not built.
      test: 'dotnet test tests',
      example: (member) => `dotnet run --project ${exampleFolder(sdk, member.alias)} --`,
    },
    terms: csharpTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => (hasDataFor(sdk, path) ? path : undefined),
    // C# has no relative namespaces: one shared by all packages would clash in programs that use two of them.
    runtimeContent: (text) => text.replaceAll(runtimeNamespace, namespace).replaceAll(runtimeClient, client),
    snippet: (member) => snippet(sdk, member),
  };
}

function files(sdk: CsharpSdk): FileView[] {
  const { id, namespace } = sdk.package;
  const client = clientView(sdk);
  return [
    { path: `src/${id}.csproj`, template: 'src/Package.csproj', view: projectView(sdk) },
    { path: `${id}.sln`, template: 'Package.sln', view: solutionView(sdk) },
    { path: 'src/Client.cs', template: 'src/Client.cs', view: client },
    { path: 'src/RawClient.cs', template: 'src/RawClient.cs', view: client },
    { path: 'src/Calls.cs', template: 'src/Calls.cs', view: client },
    { path: 'src/Messages.cs', template: 'src/Messages.cs', view: messagesView(sdk) },
    { path: `tests/${id}.Tests.csproj`, template: 'tests/Tests.csproj', view: { id, namespace } },
    ...(sdk.model.members.length > 0 ? [testFile(sdk)] : []),
    readmeFile(sdk),
    ...sdk.model.members.flatMap((member) => exampleFiles(sdk, member)),
  ];
}
