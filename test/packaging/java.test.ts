import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackArchive } from '../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { downloadSdk } from '../api/downloaded-sdk.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { JAVA_TOOLS_TIMEOUT_MS, mavenEnv, runJava, runShell, toolsFolder } from '../support/java-tools.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { fencedCode } from './support/fenced-code.ts';

/** Keeps Maven's plugins for later runs, apart from the user's own repository. */
const repository = path.join(toolsFolder, 'packaging-repository');

suiteNeeds('java', 'the Java archive, packaged and installed', function () {
  this.timeout(JAVA_TOOLS_TIMEOUT_MS);
  let service: RunningService;
  let container: FixtureContainer;
  let root: string;
  let archive: string;
  let readme: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    service = await startService();
    const acme = await service.tenant('acme');
    container = await startFixtureContainer('acme-echo');
    const body = await readPackageFolder(fixturePackageFolder('acme-echo'));
    const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    root = await mkdtemp(path.join(tmpdir(), 'svc-java-packaging-'));
    archive = path.join(root, 'archive');
    const { archive: bytes } = await downloadSdk(acme, service.url, 'java');
    await mkdir(archive);
    await unpackArchive(bytes, archive);
    readme = await readFile(path.join(archive, 'README.md'), 'utf8');
    env = {
      MAVEN_OPTS: `${mavenEnv.MAVEN_OPTS} -Dmaven.repo.local=${repository}`,
      SVC_API_KEY: acme.key,
      SVC_BASE_URL: service.url,
    };
    await rm(path.join(repository, 'svc'), { recursive: true, force: true });
  });
  after(async () => {
    await service.stop();
    await container.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('runs every command of its README as printed', async () => {
    const commands = fencedCode(readme, 'sh').flatMap((block) => block.trim().split('\n'));
    assert.ok(commands.some((command) => /^mvn .*install$/.test(command)));
    assert.equal(commands.filter((command) => command.includes(' examples/')).length, 2);
    for (const command of commands) {
      const { code, output } = await runShell(command, archive, env);
      assert.equal(code, 0, `${command}\n${output}`);
    }
  });

  it('runs every example without arguments', async () => {
    const manifest = await readFile(path.join(archive, 'MANIFEST.json'), 'utf8');
    const { members } = JSON.parse(manifest) as { members: { example: string }[] };
    assert.equal(members.length, 2);
    for (const { example } of members) {
      const { code, output } = await runShell(example, archive, env);
      assert.equal(code, 0, `${example}\n${output}`);
      assert.match(output, /^\{.*\}\n$/);
    }
  });

  it('installs the jar, its sources and its documentation', () => {
    for (const kind of ['', '-sources', '-javadoc'])
      assert.ok(existsSync(path.join(installedFolder(), `${artifactId}-1.0.0${kind}.jar`)), kind);
  });

  it('claims no license and carries the metadata of the client', async () => {
    const pom = await readFile(path.join(installedFolder(), `${artifactId}-1.0.0.pom`), 'utf8');
    assert.doesNotMatch(pom, /license|apache\.org\/licenses/i);
    assert.match(pom, /<name>Everything in java<\/name>\n {2}<description>\S.*<\/description>/);
    assert.match(pom, /<developer>\n {6}<id>acme<\/id>/);
  });

  it('is called from a project that depends on it', async () => {
    const consumer = path.join(root, 'consumer');
    const [dependency = ''] = fencedCode(readme, 'xml');
    const [, moduleName = ''] = /The module name is `(.+)`/.exec(readme) ?? [];
    const sources = path.join(consumer, 'src/main/java');
    await mkdir(path.join(sources, 'shop'), { recursive: true });
    await writeFile(path.join(consumer, 'pom.xml'), consumerPom(dependency));
    await writeFile(path.join(sources, 'module-info.java'), `module shop {\n  requires ${moduleName};\n}\n`);
    await writeFile(path.join(sources, 'shop/Shop.java'), consumerProgram(moduleName));
    await writeFile(path.join(sources, 'shop/Burst.java'), burstProgram(moduleName));
    const built = await runJava('mvn', ['--quiet', '--batch-mode', '--offline', 'compile'], consumer, env);
    assert.equal(built.code, 0, built.output);
    const modules = ['target/classes', installedJar()].join(path.delimiter);
    const run = (program: string, own: NodeJS.ProcessEnv): ReturnType<typeof runJava> =>
      runJava('java', ['-p', modules, '-m', `shop/shop.${program}`], consumer, { ...env, ...own });
    const deadProxy = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
    const shop = await run('Shop', deadProxy);
    assert.equal(shop.code, 0, shop.output);
    assert.deepEqual(shop.output.split('\n'), [
      'node 7',
      'flow 7',
      'async 7',
      'red',
      'number 5',
      'status 202, attempts 1, execution true',
      '',
    ]);
    const limited = await service.tenant('limited', { limits: {} });
    const burst = await run('Burst', { SVC_API_KEY: limited.key });
    assert.deepEqual(burst, { code: 0, output: '60 answers\n' });
  });

  it('runs the programs of its README', async () => {
    const programs = fencedCode(readme, 'java').filter((code) => code.includes('public final class Main'));
    assert.equal(programs.length, 3);
    for (const [index, program] of programs.entries()) {
      const file = path.join(root, `p${index}`, 'Main.java');
      await mkdir(path.dirname(file));
      await writeFile(file, program);
      const { code, output } = await runJava('java', ['--class-path', installedJar(), file], root, env);
      assert.equal(code, 0, output);
    }
  });
});

const artifactId = 'everything-in-java';

function installedFolder(): string {
  return path.join(repository, 'svc/acme', artifactId, '1.0.0');
}

function installedJar(): string {
  return path.join(installedFolder(), `${artifactId}-1.0.0.jar`);
}

function consumerPom(dependency: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
${dependency}  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.14.0</version>
      </plugin>
    </plugins>
  </build>
</project>
`;
}

/** Calls the node and the flow with the types of the client. */
function consumerProgram(packageName: string): string {
  return `package shop;

import ${packageName}.Color;
import ${packageName}.Everything;
import ${packageName}.EverythingChoice;
import ${packageName}.EverythingInJavaClient;
import ${packageName}.core.RawResponse;

public final class Shop {
  public static void main(String[] arguments) {
    try (EverythingInJavaClient client = EverythingInJavaClient.create()) {
      Everything input = Everything.builder().large(7).color(Color.RED).chosenNumber(5).build();
      Everything output = client.echo(input);
      System.out.println("node " + output.large());
      System.out.println("flow " + client.echoTwice(input).large());
      System.out.println("async " + client.echoAsync(input).join().large());
      switch (output.color().known()) {
        case RED -> System.out.println("red");
        case UNRECOGNIZED -> System.out.println(output.color().value());
        default -> System.out.println("another color");
      }
      if (output.choice().orElse(null) instanceof EverythingChoice.ChosenNumber number) {
        System.out.println("number " + number.value());
      }
      RawResponse<Everything> response = client.withRawResponse().echoTwice(input);
      System.out.printf(
          "status %d, attempts %d, execution %b%n",
          response.status(), response.attempts(), response.executionId().isPresent());
    }
  }
}
`;
}

/** Makes more concurrent calls than the limits of a tenant allow, each with its own client. */
function burstProgram(packageName: string): string {
  return `package shop;

import ${packageName}.Everything;
import ${packageName}.EverythingInJavaClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

public final class Burst {
  public static void main(String[] arguments) {
    List<CompletableFuture<Everything>> calls =
        IntStream.range(0, 60)
            .mapToObj(i -> EverythingInJavaClient.create().echoAsync(Everything.builder().build()))
            .toList();
    calls.forEach(CompletableFuture::join);
    System.out.println(calls.size() + " answers");
  }
}
`;
}
