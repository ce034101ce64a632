import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readmePrograms, sourceOf, splitProgram } from '../../generator/languages/csharp/shown-programs.ts';
import { writeFiles } from '../../support/cargo.ts';
import { runDotnet } from '../../support/dotnet.ts';
import { inFolders } from '../archive-folders.ts';
import type { FuzzedArchive, NamesCheck } from '../names-check.ts';

/**
 * `dotnet format`, and the compiler with analyzers and every warning an error, over sources, tests, and the programs of examples
 * and READMEs: a compilation an archive, all of one project, which restores once.
 */
export const check: NamesCheck = {
  toolchain: 'dotnet',
  problems: (archives) =>
    inFolders(archives, async (root) => {
      const format = await runDotnet(['format', 'whitespace', '.', '--folder', '--verify-no-changes'], root);
      if (format.code !== 0) return format.output;
      for (const { name, files } of archives) await writeFiles(path.join(root, name), shownSources(files));
      await writeFile(path.join(root, 'Check.csproj'), projectOf(archives));
      const args = ['-restore', '-target:CheckAll', '-maxCpuCount:2', '-noLogo', '-verbosity:quiet'];
      const { code, output } = await runDotnet(['msbuild', 'Check.csproj', ...args], root);
      return code === 0 ? '' : output;
    }),
};

/** Programs have a `Main` each: here they are methods. */
function shownSources(files: FuzzedArchive['files']): { path: string; content: string }[] {
  const programs = [
    ...readmePrograms(files.get('README.md') ?? ''),
    ...[...files].flatMap(([file, text]) => (file.endsWith('/Program.cs') ? [splitProgram(text)] : [])),
  ];
  return programs.map((program, index) => ({
    path: `shown/Program${index}.cs`,
    content: sourceOf(program, `Program${index}`),
  }));
}

/** Builds itself once for each archive, with what the archives' own projects say. */
function projectOf(archives: readonly FuzzedArchive[]): string {
  const each = archives.map(
    ({ name }) => `    <Each Include="$(MSBuildProjectFullPath)" AdditionalProperties="Archive=${name}" />`,
  );
  return `<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="${archives[0]?.name ?? ''}/Directory.Build.props" />
  <PropertyGroup>
    <EnableDefaultItems>false</EnableDefaultItems>
    <IsAotCompatible>true</IsAotCompatible>
    <GenerateDocumentationFile>true</GenerateDocumentationFile>
    <IntermediateOutputPath>obj/$(Archive)/</IntermediateOutputPath>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="xunit" Version="2.9.3" />
    <Compile Include="$(Archive)/src/**/*.cs;$(Archive)/tests/**/*.cs;$(Archive)/shown/*.cs" />
${each.join('\n')}
  </ItemGroup>
  <Target Name="CheckAll">
    <MSBuild Projects="@(Each)" Targets="Compile" BuildInParallel="true" />
  </Target>
</Project>
`;
}
