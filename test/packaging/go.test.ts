import assert from 'node:assert/strict';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { everything } from '../api/downloaded-sdk.ts';
import { downloadGoModules, goEnv, runGo } from '../support/go-tools.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type ArchiveScene, startArchiveScene } from './support/archive-scene.ts';
import { startForwardProxy } from './support/forward-proxy.ts';

const modulePath = 'go.svc.internal/acme/everything-in-go';
const required = `${modulePath}@v1.0.0`;

/** Compiled code contains no paths, so that the suites share the build cache. */
const sharedBuilds = '-trimpath';

/** A program of another module that calls the node and the flow. */
const program = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"reflect"

	everythingingo "${modulePath}"
	"${modulePath}/svc"
)

func main() {
	client, err := everythingingo.New()
	if err != nil {
		log.Fatal(err)
	}
	var input everythingingo.Everything
	if err := json.Unmarshal([]byte(os.Getenv("INPUT")), &input); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	var response svc.Response
	output, err := client.EchoTwice(ctx, &input, svc.WithResponse(&response))
	if err != nil {
		log.Fatal(err)
	}
	execution := client.EchoTwiceExecution(response.ExecutionID)
	record, err := execution.Get(ctx)
	if err != nil || record.Status != svc.ExecutionCompleted || record.CompletedAt.IsZero() {
		log.Fatal(record, err)
	}
	var last svc.EventType
	for event, err := range execution.Events(ctx, svc.EventFilter{}) {
		if err != nil {
			log.Fatal(err)
		}
		last = event.Type
	}
	last = ""
	for event, err := range execution.Follow(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		last = event.Type
	}
	_, err = execution.Cancel(ctx)
	var failure *svc.APIError
	if !errors.As(err, &failure) || failure.Status != 409 || failure.ExecutionID != execution.ID() {
		log.Fatal(err)
	}
	if last != svc.EventFlowCompleted || failure.Attempts != 1 {
		log.Fatal(last, failure.Attempts)
	}
	if output.ChosenNumber != nil && output.WhichChoice() != everythingingo.EverythingChoiceChosenNumber {
		log.Fatal(output.WhichChoice())
	}
	empty, err := client.Echo(ctx, &everythingingo.Everything{})
	if err != nil || !reflect.DeepEqual(*empty, everythingingo.Everything{}) || empty.Color != everythingingo.ColorUnspecified {
		log.Fatal(empty, err)
	}
	if output, err = client.Echo(ctx, output); err != nil {
		log.Fatal(err)
	}
	fmt.Println(output)
}
`;

/** Makes more concurrent calls than the limits of a tenant allow, each with its own client. */
const burst = `package main

import (
	"context"
	"fmt"
	"log"
	"sync"

	everythingingo "${modulePath}"
)

func main() {
	var group sync.WaitGroup
	for range 60 {
		group.Add(1)
		go func() {
			defer group.Done()
			client, err := everythingingo.New()
			if err == nil {
				_, err = client.Echo(context.Background(), &everythingingo.Everything{})
			}
			if err != nil {
				log.Fatal(err)
			}
		}()
	}
	group.Wait()
	fmt.Println("60 answers")
}
`;

suiteNeeds('go', 'the Go module, published and required by another module', function () {
  this.timeout(300_000);
  let scene: ArchiveScene;
  before(async () => {
    scene = await startArchiveScene('go');
    await downloadGoModules(scene.archive);
  });
  after(async () => {
    await scene.stop();
  });

  async function passes(folder: string, command: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const { code, output } = await scene.run(folder, command, { ...goEnv, GOFLAGS: sharedBuilds, ...env });
    assert.equal(code, 0, `${command}\n${output}`);
    return output;
  }

  /** Creates a new module in the folder of the second project. */
  async function newModule(): Promise<void> {
    for (const file of ['go.mod', 'go.sum', 'vendor'])
      await rm(path.join(scene.project, file), { recursive: true, force: true });
    await passes(scene.project, 'go mod init example.com/shop');
  }

  /** Runs a program of the second project and returns what it prints. */
  async function runProgram(source: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    await mkdir(path.join(scene.project, 'program'), { recursive: true });
    await writeFile(path.join(scene.project, 'program/main.go'), source);
    return passes(scene.project, 'go run ./program', env);
  }

  it('is installed by the commands of its README, from its folder and as a tagged module', async () => {
    const [fromFolder = '', published = '', ...others] = await scene.readmeBlocks('sh');
    assert.match(fromFolder, /^go mod edit .*=\.\/path\/to\/the\/unpacked\/archive\ngo get .*\n$/);
    assert.equal(published, `go get ${required}\n`);
    assert.deepEqual(others, ['go test ./...\n']);
    const proxy = await publishModule(scene);
    const env = { INPUT: JSON.stringify(everything) };
    for (const [command, usage] of [
      [published, proxy],
      [fromFolder, {}],
    ] as const) {
      await newModule();
      await passes(scene.project, command, usage);
      assert.deepEqual(JSON.parse(await runProgram(program, { ...env, ...usage })), everything);
    }
    await passes(scene.project, 'go mod vendor');
    assert.deepEqual(
      JSON.parse(await runProgram(program, { ...env, GOFLAGS: `-mod=vendor ${sharedBuilds}` })),
      everything,
    );
  });

  it("completes a burst of 60 calls at the tenant's default rate", async () => {
    assert.equal(await runProgram(burst), '60 answers\n');
  });

  it('runs the programs of its README', async () => {
    const blocks = await scene.readmeBlocks('go');
    const programs = blocks.filter((code) => code.startsWith('package main'));
    assert.ok(programs.length >= 3);
    for (const code of programs) await runProgram(code);
  });

  it('runs its examples without arguments', async () => {
    assert.equal(scene.manifest.members.length, 2);
    for (const { alias, example } of scene.manifest.members) {
      const output = await passes(scene.archive, example ?? assert.fail(alias));
      assert.doesNotThrow(() => JSON.parse(output) as unknown, output);
    }
  });

  it('passes its own tests behind a dead proxy', async () => {
    const proxy = 'http://127.0.0.1:9';
    const dead = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, GOPROXY: 'off' };
    const [, , command = ''] = await scene.readmeBlocks('sh');
    assert.match(await passes(scene.archive, command, dead), /^ok /m);
  });

  it('calls through the proxy from the environment', async () => {
    const proxy = await startForwardProxy(scene.serviceUrl);
    try {
      const env = { HTTP_PROXY: proxy.url, SVC_BASE_URL: 'http://svc.example' };
      const output = await runProgram(program, { ...env, INPUT: '{"text":"by proxy"}' });
      assert.deepEqual(JSON.parse(output), { text: 'by proxy' });
      const { hosts } = proxy;
      assert.ok(hosts.length > 3 && hosts.every((host) => host === 'svc.example'), String(hosts));
    } finally {
      proxy.stop();
    }
  });
});

/**
 * Commits the archive to a repository, tags it, and writes the files of a module proxy for the tag. Returns an environment in which
 * the go command finds the module there, its requirements in Go's own cache, and nothing elsewhere.
 */
async function publishModule(scene: ArchiveScene): Promise<NodeJS.ProcessEnv> {
  const { archive, project } = scene;
  const repository = path.join(project, 'repository');
  const versions = path.join(project, 'proxy', modulePath, '@v');
  await cp(archive, repository, { recursive: true });
  await mkdir(versions, { recursive: true });
  const author = '-c user.name=acme -c user.email=acme@example.com';
  const prefix = `--prefix=${required}/`;
  const { code, output } = await scene.run(
    repository,
    `git init --quiet && git add --all && git ${author} commit --quiet --message=release && git tag v1.0.0
git archive --format=zip ${prefix} --output='${versions}/v1.0.0.zip' v1.0.0`,
  );
  assert.equal(code, 0, output);
  await writeFile(path.join(versions, 'list'), 'v1.0.0\n');
  await writeFile(path.join(versions, 'v1.0.0.info'), '{"Version":"v1.0.0"}');
  await writeFile(path.join(versions, 'v1.0.0.mod'), await readFile(path.join(archive, 'go.mod')));
  await rm(repository, { recursive: true });
  const { output: cache } = await runGo('go', ['env', 'GOMODCACHE'], project);
  return {
    GOPROXY: `file://${project}/proxy,file://${cache.trim()}/cache/download`,
    GONOSUMDB: '*',
    GOMODCACHE: path.join(project, 'modules'),
    GOFLAGS: `-modcacherw ${sharedBuilds}`,
  };
}
