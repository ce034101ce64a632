import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import {
  hostingFile,
  readmePrograms,
  sourceOf,
  splitProgram,
} from '../../generator/languages/csharp/shown-programs.ts';
import { writeFiles } from '../../support/cargo.ts';
import { runDotnet } from '../../support/dotnet.ts';
import { inFolders, withOneRuntime } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';
import {
  type CsharpSource,
  namespaceOf,
  sharedCsharpRuntime,
  sourcesAroundOneCsharpRuntime,
} from '../one-csharp-runtime.ts';

/**
 * `dotnet format`, and the compiler with analyzers and warnings as errors: for the sources, and in another assembly for tests and the
 * programs of examples and READMEs. The first archive is compiled unchanged, and many together with one runtime, because nine tenths
 * of an archive are its runtime.
 */
export const check: NamesCheck = {
  toolchain: 'dotnet',
  problems: (archives) =>
    inFolders(withOneRuntime(archives), async (root) => {
      const format = await runDotnet(['format', 'whitespace', '.', '--folder', '--verify-no-changes'], root);
      if (format.code !== 0) return format.output;
      const compilations = [
        archives.slice(0, 1).flatMap(ownSources),
        ...(archives.length > 1
          ? groupsOf(archives).map((group) => sourcesAroundOneCsharpRuntime(group, ownSources))
          : []),
      ];
      for (const [index, sources] of compilations.entries())
        await writeFiles(path.join(root, `c${index}`), sources);
      await copyFile(hostingFile, path.join(root, 'Hosting.cs'));
      const properties = archives[0]?.files.get('Directory.Build.props') ?? '';
      await writeFiles(root, [
        { path: 'Directory.Build.props', content: properties },
        { path: 'Check.csproj', content: projectOf(compilations.map((_, index) => `c${index}`)) },
      ]);
      const args = ['-restore', '-target:CheckAll', '-maxCpuCount:2', '-noLogo', '-verbosity:quiet'];
      const { code, output } = await runDotnet(['msbuild', 'Check.csproj', ...args], root);
      return code === 0 ? '' : output;
    }),
};

/** Returns the files of an archive for the compiler, in a folder with its name. */
function ownSources({ name, files }: FuzzedArchive): CsharpSource[] {
  const compiled = [...files].filter(([file]) => /^(?:src|tests)\/.*\.cs$/.test(file));
  return [
    ...compiled.map(([file, content]) => ({ path: `${name}/${file}`, content })),
    ...shownPrograms(files).map((content, index) => ({
      path: `${name}/shown/Program${index}.cs`,
      content: content(`${name}.Program${index}`),
    })),
  ];
}

/**
 * Groups archives that can share a compilation: the root namespace of one must not be a part of another namespace, where programs
 * would find it before a type with that name.
 */
function groupsOf(archives: readonly FuzzedArchive[]): FuzzedArchive[][] {
  const groups: { archive: FuzzedArchive; root: string; words: ReadonlySet<string> }[][] = [];
  for (const archive of archives) {
    const [root = ''] = namespaceOf(archive).split('.');
    const text = ownSources(archive).map(({ content }) => content);
    const one = { archive, root, words: new Set(text.join('\n').match(/\b[A-Z]\w*/g)) };
    const group = groups.find((each) =>
      each.every((other) => !other.words.has(root) && !one.words.has(other.root)),
    );
    if (group) group.push(one);
    else groups.push([one]);
  }
  return groups.map((group) => group.map(({ archive }) => archive));
}

/** Returns a project that builds two assemblies per folder: the sources, and the code that uses them. */
function projectOf(folders: readonly string[]): string {
  const each = (part: 'Library' | 'Outside'): string =>
    folders
      .map(
        (folder) =>
          `    <${part} Include="$(MSBuildProjectFullPath)" AdditionalProperties="Folder=${folder};Part=${part}" />`,
      )
      .join('\n');
  return `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <Folder Condition="'$(Folder)' == ''">c0</Folder>
    <Part Condition="'$(Part)' == ''">Library</Part>
    <AssemblyName>$(Part)</AssemblyName>
    <AppendTargetFrameworkToOutputPath>false</AppendTargetFrameworkToOutputPath>
    <EnableDefaultItems>false</EnableDefaultItems>
    <IsAotCompatible>true</IsAotCompatible>
    <GenerateDocumentationFile>true</GenerateDocumentationFile>
    <IntermediateOutputPath>obj/$(Folder)/$(Part)/</IntermediateOutputPath>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.3" />
${each('Library')}
${each('Outside')}
  </ItemGroup>
  <ItemGroup Condition="'$(Part)' == 'Library'">
    <Compile Include="$(Folder)/*/src/**/*.cs" />
  </ItemGroup>
  <ItemGroup Condition="'$(Part)' == 'Outside'">
    <Compile Include="$(Folder)/*/tests/**/*.cs;$(Folder)/*/shown/*.cs;Hosting.cs" />
    <Reference Include="obj/$(Folder)/Library/Library.dll" />
  </ItemGroup>
  <ItemGroup Condition="'$(Folder)' != 'c0'">
    <Using Include="${sharedCsharpRuntime}" />
  </ItemGroup>
  <Target Name="CheckAll">
    <MSBuild Projects="@(Library)" Targets="Compile" BuildInParallel="true" />
    <MSBuild Projects="@(Outside)" Targets="Compile" BuildInParallel="true" />
  </Target>
</Project>
`;
}

/** Programs have a `Main` each. Here they become methods in their own namespaces. */
function shownPrograms(files: FuzzedArchive['files']): ((namespace: string) => string)[] {
  const programs = [
    ...readmePrograms(files.get('README.md') ?? ''),
    ...[...files].flatMap(([file, text]) => (file.endsWith('/Program.cs') ? [splitProgram(text)] : [])),
  ];
  return programs.map((program) => (namespace) => sourceOf(program, namespace));
}
