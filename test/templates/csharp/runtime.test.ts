import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DOTNET_TIMEOUT_MS, runDotnet } from '../../support/dotnet.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const runtime = path.resolve(import.meta.dirname, '../../../templates/csharp/runtime/src');

suiteNeeds('dotnet', 'the C# runtime', function () {
  this.timeout(DOTNET_TIMEOUT_MS);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-csharp-runtime-'));
    await cp(runtime, path.join(folder, 'src'), { recursive: true });
    for (const file of [
      'Runtime.csproj',
      'CallTests.cs',
      'FollowTests.cs',
      'JsonSerializerTests.cs',
      'LiveTests.cs',
      'OptionsTests.cs',
      'PauseTests.cs',
      'ProtoJsonTests.cs',
      'RetryTests.cs',
      'SplitTests.cs',
      'StreamTests.cs',
      'UploadTests.cs',
      'WaitTests.cs',
      'xunit.runner.json',
    ])
      await cp(path.join(import.meta.dirname, file), path.join(folder, file));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('passes its tests in test/templates/csharp', async () => {
    const nameTestThatHangs = ['--blame-hang-timeout', '3m', '--blame-hang-dump-type', 'none'];
    const { code, output } = await runDotnet(['test', ...nameTestThatHangs], folder);
    assert.equal(code, 0, output.slice(-4_000));
    assert.match(output, /Failed: +0, Passed: +[0-9]{2,3}/);
  });
});
