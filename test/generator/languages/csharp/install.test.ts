import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fencedCode } from '../../../packaging/support/fenced-code.ts';
import { DOTNET_TIMEOUT_MS, runDotnet } from '../../../support/dotnet.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';

/** Rules of a user's repository that the sources of an SDK break. */
const strictRules = `root = true
[*.cs]
csharp_style_var_elsewhere = false:error
dotnet_diagnostic.CA1031.severity = error
dotnet_diagnostic.IDE0008.severity = error
`;

/** Central package management for all projects of the repository. */
const centralVersions = `<Project>
  <PropertyGroup>
    <ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>
  </PropertyGroup>
</Project>
`;

/** An equally strict project. */
const projectFile = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <EnforceCodeStyleInBuild>true</EnforceCodeStyleInBuild>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
  </PropertyGroup>
  <ItemGroup>
    <ProjectReference Include="../basic/src/Acme.AcmeText.csproj" />
  </ItemGroup>
</Project>
`;

suiteNeeds('dotnet', 'a C# archive in the repository of a user', function () {
  this.timeout(DOTNET_TIMEOUT_MS);
  let archives: UnpackedArchives;
  let readme: string;
  let shop: string;

  before(async () => {
    archives = await unpackArchives('csharp', ['basic']);
    readme = archives.files.get('basic')?.get('README.md') ?? '';
    shop = path.join(archives.root, 'shop');
    await mkdir(shop);
    await writeFile(path.join(archives.root, '.editorconfig'), strictRules);
    await writeFile(path.join(archives.root, 'Directory.Packages.props'), centralVersions);
  });
  after(async () => {
    await archives.remove();
  });

  /** Runs a command of the README, without the settings that are stricter here than for users. */
  async function passes(args: readonly string[]): Promise<string> {
    const { code, output } = await runDotnet(args, shop, { SvcStrictBuild: '' });
    assert.equal(code, 0, output.slice(0, 4_000));
    return output;
  }

  it('compiles as a project reference under the strict rules of the repository', async () => {
    await writeFile(path.join(shop, 'Shop.csproj'), projectFile);
    assert.match(await passes(['build']), /0 Warning\(s\)/);
  });

  it('restores its test packages despite central package management', async () => {
    await passes(['restore', '../basic/tests']);
  });

  it('is packed in Release mode into the feed that nuget.config names', async () => {
    const [, asPackage = ''] = fencedCode(readme, 'sh');
    const [pack = ''] = asPackage.split('\n');
    const args = pack
      .replace(/\.\.\/[\w-]+-sdk-cs/, '../basic')
      .split(' ')
      .slice(1);
    assert.match(await passes(args), /\/bin\/Release\/net8\.0\/Acme\.AcmeText\.dll$/m);
    const [configuration = ''] = fencedCode(readme, 'xml');
    await writeFile(path.join(shop, 'nuget.config'), configuration);
    const feed = path.join(archives.root, 'packages');
    assert.match((await readdir(feed)).join(), /^Acme\.AcmeText\.[\d.]+\.nupkg$/);
    assert.ok(
      (await passes(['nuget', 'list', 'source'])).includes(`Acme.AcmeText [Enabled]\n      ${feed}\n`),
    );
  });
});
