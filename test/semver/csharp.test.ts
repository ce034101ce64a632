import assert from 'node:assert/strict';
import path from 'node:path';
import { inFolders } from '../fuzz/archive-folders.ts';
import type { FuzzedArchive } from '../fuzz/names-check.ts';
import {
  type CsharpSource,
  sharedCsharpRuntime,
  sourcesAroundOneCsharpRuntime,
} from '../fuzz/one-csharp-runtime.ts';
import { writeFiles } from '../support/cargo.ts';
import { DOTNET_TIMEOUT_MS, runDotnet } from '../support/dotnet.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Finding, judgePairs, pairArchives } from './judged-pairs.ts';
import type { VersionPair } from './version-pairs.ts';

suiteNeeds('dotnet', 'semantic versions in C#, checked with ApiCompat', function () {
  this.timeout(DOTNET_TIMEOUT_MS);

  let judgment: Awaited<ReturnType<typeof judgePairs>>;
  before(async () => {
    judgment = await judgePairs(judged);
  });

  it('match the changes between random pairs of client versions', () => {
    assert.deepEqual(judgment.findings, []);
  });

  it('are checked by a tool that detects breaking changes', () => {
    for (const removed of ['Pair999Client.GoesAsync(', 'Messages.Item.Gone.get'])
      assert.ok(
        judgment.ofBroken.some(
          (text) => text.startsWith('CP0002') && text.includes(`Acme.Pair999.${removed}`),
        ),
        judgment.ofBroken.join('\n'),
      );
  });
});

async function judged(pairs: readonly VersionPair[]): Promise<Finding[]> {
  const { before, after } = await pairArchives('csharp', pairs);
  return inFolders([], async (root) => {
    await writeFiles(path.join(root, 'before'), sourcesAroundOneCsharpRuntime(before, librarySources));
    await writeFiles(path.join(root, 'after'), sourcesAroundOneCsharpRuntime(after, librarySources));
    await writeFiles(root, [{ path: 'Judge.csproj', content: project }]);
    const args = ['-restore', '-target:Judge', '-maxCpuCount:2', '-noLogo', '-verbosity:minimal'];
    const { output } = await runDotnet(['msbuild', 'Judge.csproj', ...args], root);
    assert.match(output, /^ *Judged$/m, output);
    return output
      .split('\n')
      .filter((line) => line.includes(': warning CP'))
      .map((line) => ({
        pair: `pair-${/Acme\.Pair(\d+)/.exec(line)?.[1] ?? ' unknown'}`,
        text: line.replace(/^.*: warning /, '').replace(/ exists on .*$/, ''),
      }));
  });
}

function librarySources({ name, files }: FuzzedArchive): CsharpSource[] {
  const compiled = [...files].filter(([file]) => /^src\/.*\.cs$/.test(file));
  return compiled.map(([file, content]) => ({ path: `${name}/${file}`, content }));
}

/** A project that compiles each version and compares the assemblies with the package validator of the .NET SDK. */
const project = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <RunAnalyzers>false</RunAnalyzers>
    <Folder Condition="'$(Folder)' == ''">before</Folder>
    <AssemblyName>Library</AssemblyName>
    <AppendTargetFrameworkToOutputPath>false</AppendTargetFrameworkToOutputPath>
    <EnableDefaultItems>false</EnableDefaultItems>
    <GenerateDocumentationFile>false</GenerateDocumentationFile>
    <IntermediateOutputPath>obj/$(Folder)/</IntermediateOutputPath>
  </PropertyGroup>
  <ItemGroup>
    <Compile Include="$(Folder)/**/*.cs" />
    <Using Include="${sharedCsharpRuntime}" />
    <Versions Include="$(MSBuildProjectFullPath)" AdditionalProperties="Folder=before" />
    <Versions Include="$(MSBuildProjectFullPath)" AdditionalProperties="Folder=after" />
  </ItemGroup>
  <Target Name="Judge" DependsOnTargets="ResolveReferences;CollectApiCompatInputs">
    <MSBuild Projects="@(Versions)" Targets="Compile" BuildInParallel="true" />
    <Microsoft.DotNet.ApiCompat.Task.ValidateAssembliesTask
      LeftAssemblies="obj/before/Library.dll"
      RightAssemblies="obj/after/Library.dll"
      LeftAssembliesReferences="@(ReferencePathWithRefAssemblies)"
      RightAssembliesReferences="@(ReferencePathWithRefAssemblies)"
      RoslynAssembliesPath="$(RoslynAssembliesPath)"
      EnableRuleCannotChangeParameterName="true"
      ContinueOnError="true" />
    <Message Importance="high" Text="Judged" />
  </Target>
</Project>
`;
