import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Output and exit code of a program of the JDK or of Maven. */
interface JavaRun {
  code: number;
  output: string;
}

/** Cache of jars and Maven packages between runs. */
export const toolsFolder = path.resolve(import.meta.dirname, '../../.cache/java');
const formatter = 'com.google.googlejavaformat:google-java-format:1.28.0:jar:all-deps';
// The last version that is a single jar.
const comparer = 'com.github.siom79.japicmp:japicmp:0.25.6:jar:jar-with-dependencies';
const annotations = 'org.jspecify:jspecify:1.0.0';
const junit = 'org.junit.platform:junit-platform-console-standalone:1.13.4';

/** Fetching a jar and the plugin that fetches it takes seconds on a new machine, on a busy one a minute. */
export const JAVA_TOOLS_TIMEOUT_MS = 900_000;

/** Options of a virtual machine that runs for seconds, so that further optimization does not pay off. */
const briefly = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/**
 * Variables for Maven, whose startup dominates its runs here. Its tests run in a separate virtual machine, which takes
 * one option.
 */
export const mavenEnv: NodeJS.ProcessEnv = {
  MAVEN_OPTS: [...briefly, `-DargLine=${briefly[0]}`].join(' '),
};

const ofLauncher = briefly.map((option) => `-J${option}`);
const brieflyBy = { java: briefly, javac: ofLauncher, javadoc: ofLauncher, mvn: [] };

/** Runs a program in a folder; a failure is its result, not an exception. */
export function runJava(
  program: 'java' | 'javac' | 'javadoc' | 'mvn',
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<JavaRun> {
  return run(program, [...brieflyBy[program], ...args], cwd, env);
}

/** Runs a command of a README; a failure is its result, not an exception. */
export function runShell(command: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<JavaRun> {
  return run('sh', ['-c', command], cwd, env);
}

/** Stops a program that hangs early enough to report where, before its test times out. */
const LONGEST_RUN_MS = 600_000;
const LONGEST_DUMP_MS = 10_000;

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<JavaRun> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...process.env, ...mavenEnv, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        clearTimeout(alarm);
        clearTimeout(end);
        const failed = error !== null && typeof error.code === 'string' ? error.message : '';
        const code = error === null ? 0 : Number(error.code ?? 1) || 1;
        resolve({ code, output: `${stdout}${stderr}${failed}` });
      },
    );
    // On this signal, a virtual machine prints the stacks of its threads and continues.
    const alarm = setTimeout(() => child.kill('SIGQUIT'), LONGEST_RUN_MS);
    const end = setTimeout(() => child.kill('SIGKILL'), LONGEST_RUN_MS + LONGEST_DUMP_MS);
  });
}

/** Returns the path of the jar of google-java-format. */
export function formatterJar(): Promise<string> {
  return fetchedJar(formatter);
}

/** Returns the path of the jar of japicmp, which compares the classes of two jars. */
export function comparerJar(): Promise<string> {
  return fetchedJar(comparer);
}

/** Returns the path of the jar of the annotations in sources of archives, which users do not need. */
export function annotationsJar(): Promise<string> {
  return fetchedJar(annotations);
}

/** Returns the path of the jar that runs JUnit tests without Maven. */
export function junitJar(): Promise<string> {
  return fetchedJar(junit);
}

const fetched = new Map<string, Promise<string>>();

function fetchedJar(artifact: string): Promise<string> {
  const jar = fetched.get(artifact) ?? fetchJar(artifact);
  fetched.set(artifact, jar);
  return jar;
}

/** Fetches a jar once into a cache of the checkout; Maven's own repository also keeps it. */
async function fetchJar(artifact: string): Promise<string> {
  const [, name = '', version = ''] = artifact.split(':');
  const folder = path.join(toolsFolder, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  const found = (): string | undefined => readdirSync(folder).find((file) => file.endsWith('.jar'));
  if (found() === undefined) {
    const { code, output } = await runJava(
      'mvn',
      ['--quiet', '--batch-mode', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
      folder,
    );
    if (code !== 0) throw new Error(`${artifact} cannot be fetched: ${output}`);
  }
  const jar = path.join(folder, found() ?? '');
  if (!existsSync(jar) || !jar.endsWith('.jar'))
    throw new Error(`${artifact} was not fetched into ${folder}`);
  return jar;
}
