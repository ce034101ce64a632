import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { unpackArchive } from '../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { downloadSdk, everything } from '../api/downloaded-sdk.ts';
import { DOTNET_TIMEOUT_MS, dotnetEnv } from '../support/dotnet.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { fencedCode } from './support/fenced-code.ts';
import { type CommandRun, runCommand } from './support/run-command.ts';

/** What `dotnet new console` writes, for any later .NET. */
const projectFile = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
    <RollForward>Major</RollForward>
  </PropertyGroup>
</Project>
`;

/** A package of another author. */
const anotherProjectFile = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
  </PropertyGroup>
</Project>
`;

/** A program of another project: calls, a run, JSON of the standard library, a mock, and sixty calls at once. */
const program = `
using System.Text.Json;
using Acme.EverythingInCsharp;
using Acme.EverythingInCsharp.Messages;

var input = Environment.GetEnvironmentVariable("INPUT")!;
using var client = new EverythingInCsharpClient();
var message = JsonSerializer.Deserialize<Everything>(input)!;
Console.WriteLine(JsonSerializer.Serialize(await client.EchoTwiceAsync(message)));

var execution = await client.StartEchoTwiceAsync(message);
Check(message.Equals(await execution.WaitAsync()));
var record = await execution.GetAsync();
Check(record.Status == ExecutionStatus.Completed && record.CompletedAt is not null);
var ended = await Assert<StatusException>(() => execution.CancelAsync());
Check(ended.Status == 409 && ended.ExecutionId == execution.Id && ended.Attempts == 1 && ended.IdempotencyKey is not null);
var raw = await client.WithRawResponse.StartEchoTwiceAsync(message);
Check(raw.ExecutionId == raw.Value.Id);
Color negative = Color.Names.Negative;
Check(negative == message.Color);
switch (message.Color.Name)
{
    case Color.Names.Negative:
        break;
    default:
        throw new InvalidOperationException(message.Color.Name);
}

Check((await Assert<RateLimitedException>(() => new Mock().EchoAsync(message))).Status == 429);
await Assert<ArgumentNullException>(() => client.EchoAsync(null!));
client.Dispose();
await Assert<ObjectDisposedException>(() => client.EchoAsync(message));

static void Check(bool holds)
{
    if (!holds)
    {
        throw new InvalidOperationException();
    }
}

static async Task<TException> Assert<TException>(Func<Task> call)
    where TException : Exception
{
    try
    {
        await call();
    }
    catch (TException expected)
    {
        return expected;
    }

    throw new InvalidOperationException();
}

internal sealed class Mock : EverythingInCsharpClient
{
    public override Task<Everything> EchoAsync(
        Everything input,
        CallOptions? options = null,
        CancellationToken cancellationToken = default) => throw ModelFactory.StatusException(429);
}
`;

/** Metadata of a package, with characters that are special in XML and MSBuild. */
const settings = {
  description: 'Echoes <b> & "c"; 50% of $(Path), %41 and @(Compile).',
  license: 'MIT OR Apache-2.0',
  homepage: 'https://shop.example.com/sdk?a=1&b=2;c',
  repository: 'https://git.example.com/shop?a=1&b=2',
};

/** Sixty calls at once. */
const burst = `
using Acme.EverythingInCsharp;
using Acme.EverythingInCsharp.Messages;

using var client = new EverythingInCsharpClient();
await Task.WhenAll(Enumerable.Range(0, 60).Select(_ => client.EchoAsync(new Everything())));
Console.WriteLine("60 answers");
`;

suiteNeeds('dotnet', 'the C# archive, packaged and installed into another project', function () {
  this.timeout(DOTNET_TIMEOUT_MS);
  let service: RunningService;
  let acme: Caller;
  let container: FixtureContainer;
  let root: string;
  let archive: string;
  let project: string;
  let readme: string;
  let env: Record<string, string>;

  before(async () => {
    service = await startService();
    acme = await service.tenant('acme');
    container = await startFixtureContainer('acme-echo');
    const body = await readPackageFolder(fixturePackageFolder('acme-echo'));
    const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    root = await mkdtemp(path.join(tmpdir(), 'svc-csharp-package-'));
    archive = path.join(root, 'everything-in-csharp-sdk-cs');
    project = path.join(root, 'shop');
    await mkdir(project);
    await unpackArchive((await downloadSdk(acme, service.url, 'csharp', settings)).archive, archive);
    readme = await readFile(path.join(archive, 'README.md'), 'utf8');
    env = {
      ...dotnetEnv,
      SVC_API_KEY: acme.key,
      SVC_BASE_URL: service.url,
      INPUT: JSON.stringify(everything),
      // Packages that are installed here do not get into the global package folder.
      NUGET_PACKAGES: path.join(root, 'installed'),
    };
  });
  after(async () => {
    await service.stop();
    await container.stop();
    await rm(root, { recursive: true, force: true });
  });

  async function passes(
    cwd: string,
    command: string,
    more: Record<string, string> = {},
  ): Promise<CommandRun> {
    const run = await runCommand(cwd, command, { ...env, ...more });
    assert.equal(run.code, 0, `${command}\n${run.output.slice(-4_000)}`);
    return run;
  }

  /** Returns the environment of a user whose feeds have another package that is not installed yet. */
  async function homeWithAnotherPackage(): Promise<Record<string, string>> {
    const source = path.join(root, 'another');
    const feed = path.join(root, 'feed');
    const home = path.join(root, 'home');
    await mkdir(source);
    await writeFile(path.join(source, 'Another.csproj'), anotherProjectFile);
    await passes(source, `dotnet pack --output ${feed}`);
    const config = path.join(home, '.nuget/NuGet/NuGet.Config');
    await mkdir(path.dirname(config), { recursive: true });
    await writeFile(
      config,
      `<configuration><packageSources><add key="another" value="${feed}" /></packageSources></configuration>`,
    );
    return { DOTNET_CLI_HOME: home, RestoreSources: '' };
  }

  it('is installed by the commands of its README as printed, as a project and as a package', async () => {
    const [asProject = '', asPackage = '', ...others] = fencedCode(readme, 'sh');
    const [feed = ''] = fencedCode(readme, 'xml');
    assert.deepEqual(others, []);
    await writeFile(path.join(project, 'Shop.csproj'), projectFile);
    await passes(project, asProject);
    await writeFile(path.join(project, 'Program.cs'), program);
    await passes(project, 'dotnet build');
    const another = '<ItemGroup><PackageReference Include="Another" Version="1.0.0" /></ItemGroup>';
    const withAnother = projectFile.replace('</Project>', `${another}</Project>`);
    await writeFile(path.join(project, 'Shop.csproj'), withAnother);
    await writeFile(path.join(project, 'nuget.config'), feed);
    await passes(project, `set -e\n${asPackage}`, await homeWithAnotherPackage());
    assert.deepEqual(await readdir(path.join(root, 'packages')), ['Acme.EverythingInCsharp.1.0.0.nupkg']);
  });

  it('carries the metadata of the client', async () => {
    const { output } = await passes(root, "unzip -p packages/*.nupkg '*.nuspec'");
    const escaped = (text: string): string =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    assert.ok(output.includes(`<description>${escaped(settings.description)}</description>`), output);
    assert.ok(output.includes(`<license type="expression">${settings.license}</license>`), output);
    assert.ok(output.includes(`<projectUrl>${escaped(settings.homepage)}</projectUrl>`), output);
    assert.ok(output.includes(`url="${escaped(settings.repository)}"`), output);
  });

  it('calls the service from another project', async () => {
    const { output } = await passes(project, 'dotnet run');
    assert.deepEqual(JSON.parse(output), everything);
  });

  it('runs the programs of its README as printed', async () => {
    const programs = fencedCode(readme, 'csharp').filter(
      (code) => /^using [\w.]+;/.test(code) && !code.includes('Microsoft.Extensions'),
    );
    assert.equal(programs.length, 4);
    for (const code of programs) {
      await writeFile(path.join(project, 'Program.cs'), code);
      const { output } = await passes(project, 'dotnet run');
      assert.match(output, code.includes('Client()') ? /^\{.*\}$/m : /^known: -?\d+$/m);
    }
  });

  it('runs its examples without arguments, with the commands of its README', async () => {
    const commands = Array.from(readme.matchAll(/`(dotnet run [^`]*)`/g), ([, command = '']) => command);
    assert.equal(commands.length, 2);
    for (const command of commands) {
      const { output } = await passes(archive, command);
      assert.match(output, /^\{.*\}$/m);
    }
  });

  it('passes its tests with the command of its README when the proxy from the environment is dead', async () => {
    const [, command = ''] = /^`(dotnet test)` in the folder of the archive/m.exec(readme) ?? [];
    const dead = 'http://127.0.0.1:9';
    const proxies = { HTTP_PROXY: dead, HTTPS_PROXY: dead, ALL_PROXY: dead, http_proxy: dead, NO_PROXY: '' };
    const { output } = await passes(archive, command, proxies);
    assert.match(output, /Failed: +0, Passed: +\d\d/);
  });

  it('calls through the proxy from the environment and accepts compressed responses', async () => {
    const proxy = await startProxy();
    const { port } = proxy.server.address() as AddressInfo;
    const address = `http://127.0.0.1:${port}`;
    const more = {
      http_proxy: address,
      HTTP_PROXY: address,
      NO_PROXY: '',
      SVC_BASE_URL: 'http://svc.example',
    };
    const { output } = await passes(archive, 'dotnet run --project examples/echo', more);
    proxy.server.close();
    assert.equal(output.trim(), '{"text":"by the proxy"}');
    assert.deepEqual(proxy.targets, ['http://svc.example/invocations/v1/nodes/acme/echo/1.0.0/Echo']);
  });

  it('completes 60 concurrent calls at the default limits', async () => {
    const limits = { rps: 100, burst: 200, invocationRps: 5, invocationBurst: 10 };
    const daily = { dailyInvocations: 1e6, dailyExecutions: 1e6 };
    const limited = await service.tenant('limited', { limits: { ...limits, ...daily } });
    await writeFile(path.join(project, 'Program.cs'), burst);
    const { output } = await passes(project, 'dotnet run', { SVC_API_KEY: limited.key });
    assert.equal(output.trim(), '60 answers');
  });
});

/** Returns a forward proxy that sends its own compressed responses and records the requests. */
async function startProxy(): Promise<{ server: Server; targets: string[] }> {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    targets.push(request.url ?? '');
    request.resume().on('end', () => {
      const isAccepted = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
      response
        .writeHead(isAccepted ? 200 : 406, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' })
        .end(gzipSync('{"text":"by the proxy"}'));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, targets };
}
