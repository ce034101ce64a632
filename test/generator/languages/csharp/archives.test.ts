import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packageNames, type PackageNames } from '../../../../generator/languages/csharp/package-names.ts';
import type { SdkModel } from '../../../../generator/model/sdk-model.ts';
import { sdkFiles } from '../../../../generator/sdk-files.ts';
import { foldLines } from '../../../../generator/text/fold-lines.ts';
import { showInvisible } from '../../../../generator/text/show-invisible.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { DOTNET_TIMEOUT_MS, runDotnet } from '../../../support/dotnet.ts';
import { loadSdkFixture } from '../../../support/sdk-fixtures.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';
import type { ShownProgram } from './shown-programs.ts';
import { hostingFile, readmePrograms, sourceOf, splitProgram } from './shown-programs.ts';

/** Namespace of the runtime that all fixtures share. */
const sharedRuntime = 'SharedRuntime';

suiteNeeds('dotnet', 'the C# archives of all fixtures', function () {
  this.timeout(DOTNET_TIMEOUT_MS);
  let archives: UnpackedArchives;

  before(async () => {
    archives = await unpackArchives('csharp');
  });
  after(async () => {
    await archives.remove();
  });

  async function passes(args: readonly string[], cwd = archives.root): Promise<string> {
    const { code, output } = await runDotnet(args, cwd);
    assert.equal(code, 0, output.slice(0, 4_000));
    return output;
  }

  it('are formatted by dotnet format', async () => {
    await passes(['format', 'whitespace', '.', '--folder', '--verify-no-changes']);
  });

  it('compile without compiler, analyzer or trimming warnings, including all shown programs', async () => {
    const project = path.join(archives.root, 'all');
    await mkdir(path.join(project, 'runtime'), { recursive: true });
    const { language, templates } = await loadLanguage('csharp');
    for (const [file, content] of templates.runtime)
      if (file.startsWith('src/'))
        await writeFile(
          path.join(project, 'runtime', path.basename(file)),
          Buffer.from(content).toString().replaceAll('Svc.Runtime', sharedRuntime),
        );
    await copyFile(hostingFile, path.join(project, 'Hosting.cs'));
    const model = await namedLikeItsClass();
    for (const { path: file, content } of await sdkFiles(model, language, templates))
      if (/^src\/\w+\.cs$/.test(file)) await writeFile(path.join(project, path.basename(file)), content);
    await writeFile(path.join(project, 'Sibling.cs'), siblingOf(packageNames(model)));
    const shown = shownPrograms(archives);
    assert.ok(shown.length > 150, `${shown.length} programs`);
    for (const [index, program] of shown.entries())
      await writeFile(path.join(project, `Program${index}.cs`), sourceOf(program, `Program${index}`));
    await writeFile(path.join(project, 'All.csproj'), projectOfAll(archives));
    const output = await passes(['build', 'all']);
    assert.match(output, /0 Warning\(s\)/);
  });

  it('have a project with the properties of the client, even for hostile text', async () => {
    const { client } = await loadSdkFixture('hostile-text');
    const { homepage = '', authors = [] } = client.metadata ?? {};
    const marks = '<b> & c > d; 50% $(Path) @(Compile) %41';
    const text = `${client.description} ${marks}`;
    const links = { homepage: `${homepage}&a=1;b`, repository: 'https://git.example.com/?a=1&b=<c>' };
    const { language, templates } = await loadLanguage('csharp');
    const model = await loadSdkFixture('hostile-text');
    const changed = { ...client, description: text, metadata: { ...client.metadata, ...links } };
    const files = await sdkFiles({ ...model, client: changed }, language, templates);
    const project = path.join(archives.root, 'hostile-project');
    await mkdir(project);
    const file = files.find(({ path: name }) => /^src\/.*\.csproj$/.test(name));
    await writeFile(path.join(project, 'Hostile.csproj'), file?.content ?? '');
    const names = ['Description', 'Authors', 'PackageProjectUrl', 'RepositoryUrl', 'PackageLicenseFile'];
    const output = await passes(['msbuild', ...names.map((name) => `-getProperty:${name}`)], project);
    const { Properties: properties } = JSON.parse(output) as { Properties: Record<string, string> };
    const shown = (value: string): string => showInvisible(foldLines(value));
    assert.deepEqual(properties, {
      Description: shown(text),
      Authors: shown(authors.join(', ')),
      PackageProjectUrl: links.homepage,
      RepositoryUrl: links.repository,
      PackageLicenseFile: 'LICENSE',
    });
  });

  it('have a solution with the package and its tests', async () => {
    for (const name of ['basic', 'conformance'])
      assert.match(
        await passes(['sln', 'list'], path.join(archives.root, name)),
        /\nsrc\/[\w.]+\.csproj\ntests\/[\w.]+\.csproj\n$/,
      );
  });

  it('pass their own tests, even with hostile names', async () => {
    const folder = path.join(archives.root, 'hostile-names');
    await passes(['build', 'tests'], folder);
    assert.match(await passes(['test', 'tests', '--no-build'], folder), /Failed: +0, Passed: +\d\d/);
  });

  it('contain nothing that suppresses a check', () => {
    for (const [name, files] of archives.files)
      for (const [file, text] of files) {
        assert.doesNotMatch(file, /\.globalconfig|\.ruleset|GlobalSuppressions/, name);
        // Keeps settings of parent folders away, and has no settings itself.
        if (file.endsWith('.editorconfig')) assert.equal(text, 'root = true\n', name);
        if (file.endsWith('.cs'))
          assert.doesNotMatch(text, /^\s*(?:#|\[.*SuppressMessage)/m, `${name}/${file}`);
        if (file.endsWith('proj'))
          assert.doesNotMatch(text, /<NoWarn|<WarningsNotAsErrors/, `${name}/${file}`);
      }
  });

  it('contain no invisible characters', () => {
    const invisible = /[^\n\P{C}\u200c\u200d]|[\u2028\u2029]/u;
    for (const [name, files] of archives.files)
      for (const [file, text] of files)
        if (/\.(?:cs|csproj)$/.test(file))
          assert.equal(invisible.exec(text)?.[0].codePointAt(0), undefined, `${name}/${file}`);
  });

  it('contain no code from untrusted text', () => {
    const files = archives.files.get('hostile-text');
    const messages = files?.get('src/Messages.cs') ?? '';
    const allowed =
      /^(?:$|namespace|using|[{}\]]|public (?:sealed record|readonly record struct) \w+ |\/\/\/ | {4}(?:\/\/\/ |[{}[\])]|private |public |static |\w+ IOpenEnum|\[Obsolete\(| +)|\[JsonConverter\(typeof\(ProtoJsonConverter<\w+>\)\)\]$)/;
    for (const line of messages.split('\n')) assert.match(line, allowed);
    assert.doesNotMatch(files?.get('src/Acme.HostileText.csproj') ?? '', /\$\(|<script/);
  });

  it('include the metadata and documents of the package in the project', () => {
    for (const [name, files] of archives.files) {
      const project = files.get(`src/${packageIn(files)}.csproj`) ?? '';
      for (const property of ['PackageTags', 'PackageReleaseNotes', 'PackageReadmeFile', 'DebugType'])
        assert.match(project, new RegExp(`<${property}>[^<]+</${property}>`), name);
      const linked = Array.from(
        (files.get('README.md') ?? '').matchAll(/\]\(([\w.]+)\)/g),
        ([, file = '']) => file,
      );
      for (const file of new Set(['README.md', 'CHANGELOG.md', 'LICENSE', 'REFERENCE.md', ...linked])) {
        assert.ok(files.has(file), `${name}/${file}`);
        assert.match(
          project,
          new RegExp(`<None Include="\\.\\./${file}" Pack="true" PackagePath="/" />`),
          name,
        );
      }
    }
  });

  it('contain only tests that apply to their members', () => {
    const needs: Readonly<Record<string, RegExp>> = {
      'tests/FollowTests.cs': /Follow = /,
      'tests/LiveTests.cs': /ConverseAsync = /,
      'tests/MemberTests.cs': /new\(\n/,
      'tests/SplitTests.cs': /Split = /,
      'tests/StreamTests.cs': /IsStream = /,
      'tests/UploadTests.cs': /UploadAsync = /,
    };
    for (const [name, files] of archives.files)
      for (const [file, needed] of Object.entries(needs)) {
        assert.equal(files.has(file), needed.test(files.get('tests/Members.cs') ?? ''), `${name}/${file}`);
        assert.doesNotMatch(files.get(file) ?? '', /^\s*return;$/m, `${name}/${file}`);
      }
  });

  it('document the exceptions and the cancellation of calls that wait for a run', () => {
    const files = archives.files.get('conformance');
    for (const file of ['src/Client.cs', 'src/RawClient.cs']) {
      const methods = (files?.get(file) ?? '').split('\n\n');
      const flows = methods.filter((text) => text.includes('Calls.EchoTwice.Run'));
      const nodes = methods.filter((text) => text.includes('Calls.Echo.Call'));
      assert.deepEqual([flows.length, nodes.length], [1, 1], file);
      for (const name of ['FlowFailedException', 'FlowPausedException', 'WaitTimeoutException'])
        assert.match(flows.join(''), new RegExp(`<exception cref="${name}">`), file);
      assert.match(flows.join(''), /Cancels the wait, not the run\./, file);
      assert.match(nodes.join(''), /<exception cref="NodeFailedException">/, file);
    }
  });

  it('document the exceptions of each streaming method', () => {
    const methods = (archives.files.get('conformance')?.get('src/Client.cs') ?? '').split('\n\n');
    for (const [call, failure] of [
      ['Calls.ContinueText.Stream(', 'NodeFailedException'],
      ['Calls.ContinueText.Upload(', 'NodeFailedException'],
      ['Calls.WriteText.Stream(', 'FlowFailedException'],
    ] as const) {
      const found = methods.filter((text) => text.includes(call));
      assert.ok(found.length > 0, call);
      for (const text of found)
        for (const name of [failure, 'StreamInterruptedException', 'SvcException'])
          assert.match(text, new RegExp(`<exception cref="${name}">`), call);
    }
  });

  it('have no package dependencies', () => {
    for (const [name, files] of archives.files)
      for (const [file, text] of files)
        if (/^src\/.*\.csproj$/.test(file)) assert.doesNotMatch(text, /PackageReference/, name);
  });
});

/** A client whose class would have the same name as the last part of its package. */
async function namedLikeItsClass(): Promise<SdkModel> {
  const model = await loadSdkFixture('basic');
  return { ...model, client: { ...model.client, handle: 'acme', slug: 'demo-client' } };
}

/** A program in a sibling namespace of the client. */
function siblingOf({ namespace, client }: PackageNames): string {
  return `using ${namespace};

namespace ${namespace.split('.')[0] ?? ''}.Shop;

internal static class Sibling
{
    internal static string Name => nameof(${client});

    internal static ${client} Create() => new();
}
`;
}

function packageIn(files: ReadonlyMap<string, string>): string {
  const { package: described } = JSON.parse(files.get('MANIFEST.json') ?? '') as {
    package: { name: string };
  };
  return described.name;
}

/** Returns the programs of READMEs and examples. */
function shownPrograms({ files }: UnpackedArchives): ShownProgram[] {
  return [...files.values()].flatMap((own) => [
    ...readmePrograms(own.get('README.md') ?? ''),
    ...[...own].flatMap(([file, text]) => (file.endsWith('/Program.cs') ? [splitProgram(text)] : [])),
  ]);
}

/** Writes all fixtures as one project. The runtime, which differs only in its namespace, is compiled once. */
function projectOfAll({ files }: UnpackedArchives): string {
  const sources = [...files.keys()].map((name) => `    <Compile Include="../${name}/src/*.cs" />`);
  return `<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="../basic/Directory.Build.props" />
  <PropertyGroup>
    <IsAotCompatible>true</IsAotCompatible>
    <GenerateDocumentationFile>true</GenerateDocumentationFile>
  </PropertyGroup>
  <ItemGroup>
    <Using Include="${sharedRuntime}" />
${sources.join('\n')}
  </ItemGroup>
</Project>
`;
}
