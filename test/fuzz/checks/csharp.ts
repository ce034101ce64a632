import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readmePrograms, sourceOf, splitProgram } from '../../generator/languages/csharp/shown-programs.ts';
import { writeFiles } from '../../support/cargo.ts';
import { runDotnet } from '../../support/dotnet.ts';
import { copiedFiles, inFolders, withOneRuntime } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';

/**
 * `dotnet format`, and the compiler with analyzers and every warning an error, over sources, tests, and the programs of examples
 * and READMEs: the first archive as it stands, and all together around one runtime, for nine tenths of an archive are its runtime.
 */
export const check: NamesCheck = {
  toolchain: 'dotnet',
  problems: (archives) =>
    inFolders(withOneRuntime(archives), async (root) => {
      const format = await runDotnet(['format', 'whitespace', '.', '--folder', '--verify-no-changes'], root);
      if (format.code !== 0) return format.output;
      await writeFiles(path.join(root, 'alone'), archives.slice(0, 1).flatMap(ownSources));
      if (archives.length > 1)
        await writeFiles(path.join(root, 'together'), sourcesAroundOneRuntime(archives));
      await writeFile(path.join(root, 'Check.csproj'), projectOf(archives));
      const args = ['-restore', '-target:CheckAll', '-maxCpuCount:2', '-noLogo', '-verbosity:quiet'];
      const { code, output } = await runDotnet(['msbuild', 'Check.csproj', ...args], root);
      return code === 0 ? '' : output;
    }),
};

interface Source {
  path: string;
  content: string;
}

/** Where the runtime stands that all archives share. */
const sharedRuntime = 'SharedRuntime';

/** What the compiler is given of an archive, in a folder of its name. */
function ownSources({ name, files }: FuzzedArchive): Source[] {
  const compiled = [...files].filter(([file]) => /^(?:src|tests)\/.*\.cs$/.test(file));
  return [
    ...compiled.map(([file, content]) => ({ path: `${name}/${file}`, content })),
    ...shownPrograms(files).map((content, index) => ({
      path: `${name}/shown/Program${index}.cs`,
      content: content(`${name}.Program${index}`),
    })),
  ];
}

/** All archives for one compilation: the first one's runtime, moved, and of each what is its own; tests name the client. */
function sourcesAroundOneRuntime(archives: readonly FuzzedArchive[]): Source[] {
  return archives.flatMap((archive, index) => {
    const copied = copiedFiles(archive);
    const namespace = namespaceOf(archive);
    return ownSources(archive).flatMap((source): Source[] => {
      const file = source.path.slice(archive.name.length + 1);
      if (!copied.has(file) || file.startsWith('tests/')) return [source];
      if (index > 0) return [];
      return [{ ...source, content: source.content.replaceAll(namespace, sharedRuntime) }];
    });
  });
}

function namespaceOf({ files }: FuzzedArchive): string {
  return /^namespace (\S+);$/m.exec(files.get('src/Client.cs') ?? '')?.[1] ?? '';
}

/** Programs have a `Main` each: here they are methods, in the namespace that they are given. */
function shownPrograms(files: FuzzedArchive['files']): ((namespace: string) => string)[] {
  const programs = [
    ...readmePrograms(files.get('README.md') ?? ''),
    ...[...files].flatMap(([file, text]) => (file.endsWith('/Program.cs') ? [splitProgram(text)] : [])),
  ];
  return programs.map((program) => (namespace) => sourceOf(program, namespace));
}

/** Builds itself once for each of the two folders, with what the archives' own projects say. */
function projectOf(archives: readonly FuzzedArchive[]): string {
  const folders = archives.length > 1 ? ['alone', 'together'] : ['alone'];
  const each = folders.map(
    (folder) => `    <Each Include="$(MSBuildProjectFullPath)" AdditionalProperties="Sources=${folder}" />`,
  );
  return `<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="${archives[0]?.name ?? ''}/Directory.Build.props" />
  <PropertyGroup>
    <EnableDefaultItems>false</EnableDefaultItems>
    <IsAotCompatible>true</IsAotCompatible>
    <GenerateDocumentationFile>true</GenerateDocumentationFile>
    <Sources Condition="'$(Sources)' == ''">alone</Sources>
    <IntermediateOutputPath>obj/$(Sources)/</IntermediateOutputPath>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.3" />
    <Compile Include="$(Sources)/**/*.cs" />
${each.join('\n')}
  </ItemGroup>
  <ItemGroup Condition="'$(Sources)' == 'together'">
    <Using Include="${sharedRuntime}" />
  </ItemGroup>
  <Target Name="CheckAll">
    <MSBuild Projects="@(Each)" Targets="Compile" BuildInParallel="true" />
  </Target>
</Project>
`;
}
